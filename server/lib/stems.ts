import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as armenian } from '@orama/stemmers/armenian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as irish } from '@orama/stemmers/irish';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as tamil } from '@orama/stemmers/tamil';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';

type Stemmer = (word: string) => string;

/** Stemmers of languages that a word's own script tells, so that a short question is cut as its documents are. */
const scripts: [RegExp, Stemmer][] = [
  [/^\p{Script=Cyrillic}*[іґє]\p{Script=Cyrillic}*$/u, ukrainian],
  [/^\p{Script=Cyrillic}+$/u, russian],
  [/^\p{Script=Greek}+$/u, greek],
  [/^[\p{Script=Devanagari}\p{M}]+$/u, hindi],
  [/^[\p{Script=Tamil}\p{M}]+$/u, tamil],
  [/^\p{Script=Armenian}+$/u, armenian],
  [/^[\u0621-\u064a]+$/, (word) => arabic(withoutArticle(word))],
];
/** Stemmers of languages in Latin letters, which only the language of the text tells. */
const latin = new Map<string, Stemmer>(
  Object.entries({
    da: danish,
    de: german,
    en: english,
    es: spanish,
    fi: finnish,
    fr: french,
    ga: irish,
    hu: hungarian,
    id: indonesian,
    it: italian,
    lt: lithuanian,
    // The detector knows Malay, which has the same endings.
    ms: indonesian,
    nl: dutch,
    no: norwegian,
    pt: portuguese,
    ro: romanian,
    sv: swedish,
    tr: turkish,
  }),
);
const latinWord = /^[\p{Script=Latin}\p{M}]+$/u;
/** A shorter stem would be that of many words. */
const minLength = 2;
/** Letters that Turkish alone has, of the languages that many write. */
const turkishLetters = /[ğşıİ]/u;
/** What is longer is no word. */
const maxLength = 64;

/** Without article and conjunction, which the library leaves to a word of Arabic. */
function withoutArticle(word: string): string {
  const bare = word.replace(/^(?:و?(?:ال|بال|كال|فال)|لل)(?=..)/, '');
  return bare.length > 3 ? bare.replace(/^و(?=...)/, '') : bare;
}

/** Whether words of this language (ISO 639-1) in Latin letters have a stemmer of their own. */
export function hasStemmer(language: string | null): language is string {
  return language !== null && latin.has(language);
}

/**
 * The stem of a word in Latin letters as that of a language (Snowball's stemmers).
 * @param word in small letters, with its accents
 * @returns null where it is no such word
 */
export function stemIn(language: string, word: string): string | null {
  if (word.length > maxLength || !latinWord.test(word)) return null;
  const stem = latin.get(language)?.(word) ?? word;
  return stem.length < minLength ? word : stem;
}

/** The stem of a word in a script of its own (Snowball's stemmers); any other word as it is. */
export function stemOfScript(word: string): string {
  if (word.length > maxLength) return word;
  const [, stemmer] = scripts.find(([script]) => script.test(word)) ?? [];
  const stem = stemmer?.(word) ?? word;
  return stem.length < minLength ? word : stem;
}

/**
 * A word as it was written, without the suffixes of Turkish where its letters say that it is Turkish; what stands
 * behind an apostrophe is one (`Ankara'nın`). Forms without such a letter are mostly plain ones already.
 */
export function stemTurkish(word: string): string {
  if (word.length > maxLength || !turkishLetters.test(word) || !/^[\p{L}'’]+$/u.test(word)) return word;
  const [base = ''] = word.split(/['’]/);
  return turkish(base.toLocaleLowerCase('tr')) || word;
}
