import { stemmer as armenian } from '@orama/stemmers/armenian';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as tamil } from '@orama/stemmers/tamil';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';

/** Stemmers of languages that a word's own script tells, so that a short question is cut as its documents are. */
const scripts: [RegExp, (word: string) => string][] = [
  [/^\p{Script=Cyrillic}*[іґє]\p{Script=Cyrillic}*$/u, ukrainian],
  [/^\p{Script=Cyrillic}+$/u, russian],
  [/^\p{Script=Greek}+$/u, greek],
  [/^[\p{Script=Devanagari}\p{M}]+$/u, hindi],
  [/^[\p{Script=Tamil}\p{M}]+$/u, tamil],
  [/^\p{Script=Armenian}+$/u, armenian],
];
/** A shorter stem would be that of many words. */
const shortest = 2;
/** Letters that Turkish alone has, of the languages that many write. */
const turkishLetters = /[ğşıİ]/u;
/** What is longer is no word. */
const longest = 64;

/** The stem of a word in a script of its own (Snowball's stemmers); any other word as it is. */
export function stemOfScript(word: string): string {
  if (word.length > longest) return word;
  const [, stemmer] = scripts.find(([script]) => script.test(word)) ?? [];
  const stem = stemmer?.(word) ?? word;
  return stem.length < shortest ? word : stem;
}

/**
 * A word as it was written, without the suffixes of Turkish where its letters say that it is Turkish; what stands behind
 * an apostrophe is one (`Ankara'nın`). Forms without such a letter are mostly plain ones already.
 */
export function stemTurkish(word: string): string {
  if (word.length > longest || !turkishLetters.test(word) || !/^[\p{L}'’]+$/u.test(word)) return word;
  const [base = ''] = word.split(/['’]/);
  return turkish(base.toLocaleLowerCase('tr')) || word;
}
