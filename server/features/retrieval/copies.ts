import type { Candidate } from '#server/ports/search/port.ts';

/** Two texts with this share of their words in common, and the same numbers, say the same. */
const sameShare = 0.9;

/**
 * Tells whether a passage repeats one that it was asked about before: the same policy in two files is one passage.
 * Texts that differ in a number (last year's price list) are no copies.
 */
export function createCopyCheck(): (candidate: Candidate) => boolean {
  const kept: { words: Set<string>; numbers: Set<string> }[] = [];
  return ({ lines }) => {
    const words = new Set(lines.flatMap(({ terms }) => terms));
    const numbers = new Set([...words].filter((term) => /\d/.test(term)));
    const isCopy = kept.some(
      (better) => common(better.words, words) >= sameShare && common(better.numbers, numbers) === 1,
    );
    if (!isCopy) kept.push({ words, numbers });
    return isCopy;
  };
}

/** Jaccard's measure; of two empty sets 1. */
function common(one: Set<string>, other: Set<string>): number {
  const all = one.union(other).size;
  return all === 0 ? 1 : one.intersection(other).size / all;
}
