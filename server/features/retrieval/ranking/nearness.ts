import type { Lexicon } from '../question/lexicon.ts';

/** Where each term of the question stands in a passage, in order; undefined: nowhere. */
type Positions = readonly (number[] | undefined)[];

/** Weight of the question's pairs that stand next to each other here, too, or with one word between them. */
export function phrases(positions: Positions, { weights, pairs }: Lexicon): number {
  let sum = 0;
  for (const [one, other] of pairs) {
    const places = positions[other];
    if (places && follows(positions[one] ?? [], places)) sum += Math.min(weights[one] ?? 0, weights[other] ?? 0);
  }
  return sum;
}

/** Whether a place of the one stands right behind one of the other, or with one word between them; both are sorted. */
function follows(places: readonly number[], behind: readonly number[]): boolean {
  let next = 0;
  for (const place of places) {
    while (next < behind.length && (behind[next] ?? 0) <= place) next++;
    if ((behind[next] ?? Number.POSITIVE_INFINITY) <= place + 2) return true;
  }
  return false;
}

/** How close the question's words stand to each other, weighed by their rarity: 0 to 1. */
export function closeness(positions: Positions, weights: readonly number[]): number {
  let sum = 0;
  let most = 0;
  for (let term = 0; term < positions.length; term++) {
    const places = positions[term];
    for (let other = term + 1; other < positions.length; other++) {
      const otherPlaces = positions[other];
      const weight = Math.min(weights[term] ?? 0, weights[other] ?? 0);
      if (places && otherPlaces) sum += weight / nearest(places, otherPlaces);
      most += weight;
    }
  }
  return most === 0 ? 0 : sum / most;
}

/** The least distance between two sorted lists of positions; at least 1. */
function nearest(one: number[], other: number[]): number {
  let least = Number.POSITIVE_INFINITY;
  let i = 0;
  let j = 0;
  while (i < one.length && j < other.length) {
    const a = one[i] ?? 0;
    const c = other[j] ?? 0;
    least = Math.min(least, Math.abs(a - c));
    if (a < c) i++;
    else j++;
  }
  return Math.max(1, least);
}
