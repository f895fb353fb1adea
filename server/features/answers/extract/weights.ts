import type { AnswerabilitySignals } from './answerability.ts';
import type { UnitSignals } from './unit-signals.ts';
import weights from './weights.json' with { type: 'json' };

/**
 * How much of a question's words a passage that answers it has as they are: most in English and the Romance languages,
 * less where words are compounded or have many forms, least where they are pairs of characters.
 */
export type LanguageClass = 'light' | 'rich' | 'unspaced';

/** What each signal counts, in log odds. */
export interface ExtractWeights {
  /** That a unit is the answer. */
  units: Record<keyof UnitSignals, number>;
  /** That the passages answer at all; */
  answerability: Record<keyof AnswerabilitySignals, number>;
  /** what that begins with, */
  start: Record<LanguageClass, number>;
  /**
   * or with this where the best passage is of a document with pages: they are long, and much in them is about the same.
   * So that a passage has the question's words says less there, and some signals count so in the place of the above.
   */
  pages: { start: number } & Partial<Record<keyof AnswerabilitySignals, number>>;
}

/**
 * Written by `npm run evals -- fit`, and judged on each set of documents by weights of the others
 * (`docs/decisions/0025` and `0029`). Which of them are set by hand, and why, stands in `evals/fitting.ts`.
 */
export const fittedWeights: ExtractWeights = weights;
