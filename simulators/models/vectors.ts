import { answerJson, startLoopback } from './loopback.ts';
import { type ModelCall, received } from './received.ts';

/** What the service does instead of answering, for so many requests. */
export interface Trouble {
  status?: number;
  /** The whole answer; `hang`: none. */
  body?: unknown;
  hang?: boolean;
  times?: number;
}

export interface VectorServer {
  /** Base address; `/embeddings` and `/rerank` are below it. */
  url: string;
  calls: ModelCall[];
  fail(trouble: Trouble): void;
  close(): Promise<void>;
}

/**
 * Embeddings and reranking on loopback. Meaning is the words that are shared: texts with the same words (or with words
 * that `meanings` says mean the same) are near to each other.
 */
export async function startVectorServer({
  dimensions = 64,
  meanings = {},
}: {
  dimensions?: number;
  meanings?: Record<string, string>;
} = {}): Promise<VectorServer> {
  const calls: ModelCall[] = [];
  let trouble: Trouble | null = null;
  let left = 0;
  const words = (text: string) =>
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
      Object.hasOwn(meanings, word) ? (meanings[word] ?? word) : word,
    );
  const embed = (text: string) => {
    const vector = Array.from({ length: dimensions }, () => 0.001);
    for (const word of words(text)) {
      const at = hash(word) % dimensions;
      vector[at] = (vector[at] ?? 0) + 1;
    }
    return vector;
  };

  const server = await startLoopback(async (request, response) => {
    const call = await received(request, response);
    calls.push(call);
    if (trouble && left > 0) {
      left -= 1;
      if (trouble.hang) return;
      return answerJson(
        response,
        trouble.status ?? 200,
        trouble.body ?? { error: { message: 'sk-leaked', type: 'x' } },
      );
    }
    const { input, query, documents } = call.body as { input?: string[]; query?: string; documents?: string[] };
    if (call.path === '/v1/embeddings' && input) {
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embed(text) }));
      // In any order: the index says which is which.
      return answerJson(response, 200, { object: 'list', data: data.reverse() });
    }
    if (call.path === '/v1/rerank' && documents) {
      const asked = new Set(words(query ?? ''));
      const results = documents
        .map((text, index) => ({ index, relevance_score: words(text).filter((word) => asked.has(word)).length }))
        .sort((a, b) => b.relevance_score - a.relevance_score);
      return answerJson(response, 200, { results });
    }
    answerJson(response, 404, { error: { type: 'not_found' } });
  });

  return {
    url: `${server.origin}/v1`,
    calls,
    fail(next) {
      trouble = next;
      left = next.times ?? Number.POSITIVE_INFINITY;
    },
    close: server.close,
  };
}

function hash(word: string): number {
  let value = 7;
  for (const letter of word) value = (value * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return value;
}
