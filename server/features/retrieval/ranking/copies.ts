import type { TermLines } from '../question/candidate-terms.ts';
import type { Lexicon } from '../question/lexicon.ts';

/** Two texts with this share of their words in common, and the same numbers, say the same. */
const sameShare = 0.9;

/**
 * Tells whether a passage repeats one that it was asked about before: the same policy in two files is one passage.
 * Texts that differ in a number (last year's price list) are no copies.
 */
export function createCopyCheck(lexicon: Lexicon): (text: TermLines) => boolean {
  const kept: { words: Set<number>; numbers: Set<number> }[] = [];
  return ({ terms, heading }) => {
    const words = new Set(terms.slice(heading.end));
    const numbers = new Set([...words].filter((term) => lexicon.hasDigit(term)));
    const isCopy = kept.some(
      // There are few numbers, and mostly they tell.
      (better) => common(better.numbers, numbers) === 1 && common(better.words, words) >= sameShare,
    );
    if (!isCopy) kept.push({ words, numbers });
    return isCopy;
  };
}

/** Jaccard's measure, or a bound of it below `sameShare`; of two empty sets 1. */
function common(one: Set<number>, other: Set<number>): number {
  const larger = Math.max(one.size, other.size);
  if (larger === 0) return 1;
  // It is so much at most, where the smaller one lies in the larger: mostly that says enough, and comparing takes its
  // time.
  const most = Math.min(one.size, other.size) / larger;
  if (most < sameShare) return most;
  const both = one.intersection(other).size;
  return both / (one.size + other.size - both);
}
