import { termsElsewhere } from '#server/lib/analyze.ts';
import { guessLanguage } from '#server/lib/language.ts';
import { hasStemmer } from '#server/lib/stems.ts';
import { withoutPrefixes } from './arabic-prefixes.ts';
import { explainedForms } from './explained-forms.ts';
import { knownAbbreviations } from './known-abbreviations.ts';
import { otherAmounts } from './other-amounts.ts';
import { otherNames } from './other-names.ts';
import { otherOrdinals } from './other-ordinals.ts';
import type { TermStatistics } from './statistics.ts';

/**
 * The terms that documents of other languages have for the question's words, but for those that are words of it
 * themselves.
 */
export function termsElsewhereOf(
  text: string,
  terms: readonly string[],
  { languages, has, idf }: TermStatistics,
): Map<string, string> {
  const own = new Set(terms);
  // Its own language, too: the first document in it may be a moment old.
  const guessed = guessLanguage(text);
  const all = new Set([...languages, ...(hasStemmer(guessed) ? [guessed] : [])]);
  // A letter is no part of the word where documents have the rest of it more often.
  const bare = [...withoutPrefixes(text)].filter(([term, word]) => has(term) && idf(term) < idf(word));
  return new Map([...bare, ...termsElsewhere(text, [...all])].filter(([term]) => !own.has(term)));
}

/**
 * Other forms of a question's words with the ways in which names are written; each stands for the rarest word of its
 * name, which tells it from others.
 */
export function withNames(
  elsewhere: ReadonlyMap<string, string>,
  text: string,
  terms: readonly string[],
  { idf, abbreviations }: TermStatistics,
): Map<string, string> {
  const all = new Map(elsewhere);
  const own = new Set(terms);
  for (const [term, words] of otherNames(text)) {
    const [rarest] = words.filter((word) => own.has(word)).sort((one, other) => idf(other) - idf(one));
    if (rarest !== undefined && !own.has(term) && !all.has(term)) all.set(term, rarest);
  }
  for (const [term, word] of explainedForms(text, own, [...knownAbbreviations(), ...abbreviations], idf))
    if (!own.has(term) && !all.has(term)) all.set(term, word);
  for (const [term, word] of [...otherAmounts(text), ...otherOrdinals(text)])
    if (own.has(word) && !own.has(term) && !all.has(term)) all.set(term, word);
  return all;
}
