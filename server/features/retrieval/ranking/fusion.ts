import type { VectorCandidate } from '#server/ports/search/port.ts';
import type { Ranked } from './rank.ts';

/** A passage at its place among all that were found, by words and by meaning. */
export interface Placed extends Ranked {
  /** What its words alone score; `score` is what its place does. */
  wordScore: number;
}

/**
 * What the nearest passage gets beside the score of its words, and how much more where the best passage has none of the
 * question's words (decision 0015).
 */
const meaning = { least: 1, withoutWords: 3 };
/** The nearest passage has this place at least, among those that a model is given. */
const maxPlace = 6;

/**
 * Joins what words say with what nearness of meaning does. The scores of models differ too much to be compared, so
 * nearness counts from the farthest of the near ones, 0, to the nearest, 1.
 * @param near the nearest first; of none, the order by words stays
 */
export function fuse(ranked: readonly Ranked[], near: readonly VectorCandidate[]): Placed[] {
  const nearest = near[0]?.similarity ?? 0;
  const farthest = near.at(-1)?.similarity ?? 0;
  const range = nearest - farthest || 1;
  const nearness = new Map(near.map(({ id, similarity }) => [id, (similarity - farthest) / range]));
  const maxWords = Math.max(0, ...ranked.map(({ coverage }) => coverage));
  const weight = meaning.least + meaning.withoutWords * (1 - maxWords);
  const order = ranked
    .map((each) => ({
      ...each,
      wordScore: each.score,
      score: each.score + weight * (nearness.get(each.candidate.id) ?? 0),
    }))
    .sort((one, other) => other.score - one.score);
  const place = order.findIndex(({ candidate }) => candidate.id === near[0]?.id);
  if (place >= maxPlace) order.splice(maxPlace - 1, 0, ...order.splice(place, 1));
  return placed(order);
}

/** Hands the scores out anew, the highest first: they stay comparable between questions, whatever made the order. */
export function placed(order: readonly Placed[]): Placed[] {
  const scores = order.map(({ score }) => score).sort((one, other) => other - one);
  return order.map((each, i) => ({ ...each, score: scores[i] ?? 0 }));
}
