import type { Logger } from 'pino';
import { optionalService } from '#server/lib/optional-service.ts';
import type { Embeddings } from '#server/ports/embeddings/port.ts';
import type { SearchStore, VectorCandidate, Within } from '#server/ports/search/port.ts';
import type { Context } from './question.ts';

/** Somebody waits, and words alone answer most questions. */
const timeoutMs = 2000;
/** Asked from the engine; what lies further away is near to nothing. */
const nearestAsked = 40;

/**
 * Finds the passages whose meaning is nearest to a question's.
 * @returns the nearest first; none where no embedding model is configured, or it does not answer in time
 */
export function createMeaning({
  store,
  embeddings,
  log,
}: {
  store: SearchStore;
  embeddings: Embeddings | undefined;
  log?: Logger | undefined;
}) {
  if (!embeddings) return async () => [];
  const service = optionalService({ name: embeddings.name, timeoutMs, log });

  return async function nearest(
    companyId: string,
    { text, context = [], ...within }: Within & { text: string; context?: readonly Context[] },
    signal: AbortSignal,
  ): Promise<VectorCandidate[]> {
    const found = await service.ask(signal, async (limited) => {
      const texts = [text, ...context.map((before) => before.text)];
      const vectors = await embeddings.embed(texts, 'question', limited);
      const vector = together(vectors, [1, ...context.map(({ share }) => share)]);
      return vector ? store.searchVectors(companyId, vector, nearestAsked, within) : [];
    });
    return found ?? [];
  };
}

/** The sum of vectors, each with its share, of length 1. */
function together(vectors: Float32Array[], shares: number[]): Float32Array | null {
  const [first] = vectors;
  if (!first) return null;
  const sum = first.map((_, i) => vectors.reduce((all, vector, n) => all + (vector[i] ?? 0) * (shares[n] ?? 0), 0));
  const length = Math.hypot(...sum);
  return length === 0 ? first : sum.map((value) => value / length);
}
