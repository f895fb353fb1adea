import type { VectorCandidate } from '#server/ports/search/port.ts';
import type { Ranked } from './rank.ts';

/** A passage at its place among all that were found, by words and by meaning. */
export interface Placed extends Ranked {
  /** What its words alone score; `score` is what its place does. */
  wordScore: number;
}

/** Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): what dampens the difference between the first places. */
const damping = 60;
/** What a place by meaning counts beside one by words (decision 0015). */
const meaningShare = 0.25;

/**
 * Joins the order by words with that by meaning.
 * @param near the nearest first; of none, the order by words stays
 */
export function fuse(ranked: readonly Ranked[], near: readonly VectorCandidate[]): Placed[] {
  const places = new Map(near.map(({ id }, i) => [id, i]));
  const merit = ({ candidate }: Ranked, place: number) => {
    const nearness = places.get(candidate.id);
    return 1 / (damping + place) + (nearness === undefined ? 0 : meaningShare / (damping + nearness));
  };
  const order = ranked
    .map((each, i) => ({ each, merit: near.length === 0 ? -i : merit(each, i) }))
    .sort((one, other) => other.merit - one.merit);
  return placed(order.map(({ each }) => ({ ...each, wordScore: each.score })));
}

/**
 * Hands the scores out anew in this order, the highest first, so that they stay comparable between questions whatever
 * has brought the order about.
 */
export function placed(order: readonly Placed[]): Placed[] {
  const scores = order.map(({ score }) => score).sort((one, other) => other - one);
  return order.map((each, i) => ({ ...each, score: scores[i] ?? 0 }));
}
