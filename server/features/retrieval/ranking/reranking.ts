import type { Logger } from 'pino';
import { optionalService } from '#server/lib/optional-service.ts';
import { span } from '#server/lib/span.ts';
import type { Reranker } from '#server/ports/reranker/port.ts';
import { type Placed, placed } from './fusion.ts';

/** Somebody waits, and the order without it is good too. */
const timeoutMs = 3000;
/** The best passages, which a reranker reads; each costs it time. */
export const reranked = 30;

/**
 * Puts the best passages into the order that a reranker gives them, which reads each together with the question. Where
 * none is configured, or it does not answer in time, they stay as they are.
 */
export function createReranking({ reranker, log }: { reranker: Reranker | undefined; log?: Logger | undefined }) {
  const service = reranker && optionalService({ name: reranker.name, timeoutMs, log });

  /** @param textOf reads the passages that are live, by id: the text of others is given to nobody */
  return async function rerank(
    question: string,
    order: Placed[],
    textOf: (ids: string[]) => Promise<Map<string, string>>,
    signal: AbortSignal,
  ): Promise<Placed[]> {
    if (!reranker || !service || order.length === 0) return order;
    const best = order.slice(0, reranked);
    const texts = await textOf(best.map(({ candidate }) => candidate.id));
    const read = best.filter(({ candidate }) => texts.has(candidate.id));
    const passages = read.map(({ candidate }) => texts.get(candidate.id) ?? '');
    const scores = await span('rerank', () =>
      service.ask(signal, (limited) => reranker.rerank(question, passages, limited)),
    );
    if (!scores) return order;
    const anew = read
      .map((each, i) => ({ each, merit: scores[i] ?? 0 }))
      .sort((one, other) => other.merit - one.merit)
      .map(({ each }) => each);
    return placed([...anew, ...order.slice(reranked)]);
  };
}
