import { analyze } from '#server/lib/analyze.ts';

/** Two texts with this share of their words in common, and the same numbers, say the same. */
const sameShare = 0.9;

/**
 * The first `limit` of a ranked list without those that repeat a better one: the same policy in two files is one passage.
 * Texts that differ in a number (last year's price list) are no copies.
 */
export function withoutCopies<P extends { text: string }>(ranked: P[], limit: number): P[] {
  const kept: { passage: P; words: Set<string>; numbers: Set<string> }[] = [];
  for (const passage of ranked) {
    if (kept.length === limit) break;
    const terms = analyze(passage.text);
    const words = new Set(terms);
    const numbers = new Set(terms.filter((term) => /\d/.test(term)));
    const isCopy = kept.some(
      (better) => common(better.words, words) >= sameShare && common(better.numbers, numbers) === 1,
    );
    if (!isCopy) kept.push({ passage, words, numbers });
  }
  return kept.map(({ passage }) => passage);
}

/** Jaccard's measure; of two empty sets 1. */
function common(one: Set<string>, other: Set<string>): number {
  const all = one.union(other).size;
  return all === 0 ? 1 : one.intersection(other).size / all;
}
