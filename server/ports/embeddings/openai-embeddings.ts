import { z } from 'zod';
import { ProviderFailure } from '#server/lib/provider-failure.ts';
import { askProvider, bearer } from '#server/lib/provider-http.ts';
import type { Embeddings } from './port.ts';

export interface EmbeddingsOptions {
  /** With its version, such as http://localhost:11434/v1. */
  baseUrl: string;
  model: string;
  apiKey?: string | undefined;
  /** Asked for and insisted on; not set: what the first answer has. */
  dimensions?: number | undefined;
  /** Texts in one request. */
  batch: number;
  /** What the model wants before each text, such as `search_query: `. */
  prefixes: { question: string; passage: string };
}

/** A question is waited for by somebody, a batch of passages by nobody. */
const timeouts = { question: 5000, passage: 60_000 };
/** UTF-16 units. Few models take more than 8,192 tokens; servers refuse what is longer instead of cutting it. */
const maxTextLength = 16_000;

const answer = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()).min(1) })),
});

/** OpenAI's Embeddings API, which Ollama, vLLM, LM Studio and most gateways speak too. */
export function openAiEmbeddings(options: EmbeddingsOptions): Embeddings {
  const { baseUrl, model, apiKey, batch, prefixes } = options;
  let dimensions = options.dimensions;

  async function embedBatch(texts: string[], purpose: 'question' | 'passage', signal: AbortSignal) {
    const { data } = await askProvider(
      {
        url: `${baseUrl}/embeddings`,
        headers: bearer(apiKey),
        body: {
          model,
          input: texts.map((text) => (prefixes[purpose] + text).slice(0, maxTextLength) || ' '),
          encoding_format: 'float',
          ...(options.dimensions !== undefined && { dimensions: options.dimensions }),
        },
        signal,
      },
      { answer, timeoutMs: timeouts[purpose] },
    );
    const vectors: (Float32Array | undefined)[] = texts.map(() => undefined);
    for (const [i, { index = i, embedding }] of data.entries()) vectors[index] = unit(embedding);
    if (data.length !== texts.length) throw new ProviderFailure('misconfigured', 'answered another number of vectors');
    return vectors.map((vector) => {
      if (!vector) throw new ProviderFailure('misconfigured', 'left out a vector');
      dimensions ??= vector.length;
      if (vector.length !== dimensions)
        throw new ProviderFailure(
          'misconfigured',
          `answered ${vector.length} dimensions where ${dimensions} are expected`,
        );
      return vector;
    });
  }

  return {
    name: `OpenAI-compatible embeddings (${model})`,
    // Vectors of passages that were made with another prefix are other vectors.
    model: [model, options.dimensions ?? '', prefixes.passage].join('|'),
    async embed(texts, purpose, signal) {
      const vectors: Float32Array[] = [];
      for (let i = 0; i < texts.length; i += batch)
        vectors.push(...(await embedBatch(texts.slice(i, i + batch), purpose, signal)));
      return vectors;
    },
  };
}

/** @throws ProviderFailure for a vector without a direction: it would be as near to everything as to nothing. */
function unit(vector: number[]): Float32Array {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0)
    throw new ProviderFailure('misconfigured', 'answered a vector without a direction');
  return Float32Array.from(vector, (each) => each / length);
}
