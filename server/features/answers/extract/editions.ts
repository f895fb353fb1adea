import type { Question } from '#server/features/retrieval/retrieval.ts';
import { bareYear } from '#server/lib/periods.ts';

/** What is compared of a quote. */
interface Dated {
  passage: { documentId: string; editions: readonly string[] };
  terms: ReadonlySet<string>;
}

/** Two statements with more words in common than this are one, but for their figures. */
const sameWords = 0.7;

/**
 * Whether one says the same as another, but for its figures, in a document of another year, where no year is asked for:
 * last year's price is no answer beside this year's.
 */
export function areEditions(one: Dated, other: Dated, { weights }: Pick<Question, 'weights'>): boolean {
  if (one.passage.documentId === other.passage.documentId || [...weights.keys()].some((term) => bareYear.test(term)))
    return false;
  const [own, others] = [yearOf(one), yearOf(other)];
  if (own === '' || others === '' || own === others) return false;
  const [words, otherWords] = [wordsOf(one.terms), wordsOf(other.terms)];
  return words.intersection(otherWords).size > sameWords * words.union(otherWords).size;
}

/** The last of the years that its document is of; empty where it says none. */
export function yearOf({ passage: { editions } }: Dated): string {
  return editions.reduce((one, other) => (other > one ? other : one), '');
}

function wordsOf(terms: ReadonlySet<string>): Set<string> {
  return new Set([...terms].filter((term) => !/\d/.test(term)));
}
