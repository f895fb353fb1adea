import { questionTerms } from './analyze.ts';
import { guessLanguage } from './language.ts';

/** Makes what words are looked up in, so that the first question and the first document need not wait for it. */
export function prepareWords(): void {
  questionTerms('Which papers are of 1 January 2024?');
  guessLanguage('Which papers are of January?');
}
