import { createHash } from 'node:crypto';
import { answerType } from '#server/features/retrieval/question/answer-type.ts';
import { questionTerms } from '#server/lib/analyze.ts';

/** A question as it is compared with others: what is left of it does not depend on its wording. */
export interface Wording {
  /** Its telling words by their stems, in alphabetical order, and what is asked for (`?date`). */
  terms: string[];
  /** sha-256 of them, hex: equal for questions in the same words, whatever their order and forms. */
  hash: string;
}

/** Of a pasted text the first words are compared. */
const maxTerms = 40;

export function wordingOf(question: string): Wording {
  const { terms } = questionTerms(question);
  const type = answerType(question);
  const all = [...new Set(terms.slice(0, maxTerms))].sort();
  const kept = [...(type === null ? [] : [`?${type}`]), ...all];
  return { terms: kept, hash: createHash('sha256').update(kept.join('\n')).digest('hex') };
}

/**
 * How alike two questions are: 0 to 1.
 * @param rarity of a term among the questions of the company, above 0
 */
export function likeness(one: readonly string[], other: readonly string[], rarity: (term: string) => number): number {
  const own = new Set(one);
  let shared = 0;
  let all = 0;
  for (const term of new Set([...one, ...other])) {
    const weight = rarity(term);
    all += weight;
    if (own.has(term) && other.includes(term)) shared += weight;
  }
  return all === 0 ? 0 : shared / all;
}

/** From here on two are taken for one (`npm run evals -- same-question`). */
export const minLikeness = 0.75;
