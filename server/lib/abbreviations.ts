import { stopWords } from './stop-words.ts';

/**
 * An abbreviation that a document explains, as it is written: "Earnings before interest (EBIT)"; or that of a name with
 * "&".
 */
export interface Abbreviation {
  short: string;
  long: string;
}

/** Of one document; more is an index of terms. */
const maxAbbreviations = 100;
/** UTF-16 code units of one text in which they are looked for. */
const maxText = 50_000;
const maxLongWords = 8;
const behind = /[("“„«]{1,2}\s?(\p{Lu}[\p{L}\p{N}&./-]{0,8}[\p{Lu}\p{N}])["”“»]?\s?\)/gu;
const before = /(?<![\p{L}\p{N}&])(\p{Lu}[\p{Lu}\p{N}&./-]{1,9}) \(([\p{L}][^()]{4,90})\)/gu;
/** Of two words with a sign between them the initials need no explanation: "Johnson & Johnson" is "J&J". */
const joined = /(?<![\p{L}\p{N}&])(\p{Lu})[\p{L}'’-]+ & (\p{Lu})[\p{L}'’-]+/gu;
/** Words that every sentence has. */
const functionWords = new Set(
  [stopWords.en, stopWords.de, stopWords.fr, stopWords.es].flatMap((words) => fold(words).split(/\s+/)),
);
const word = /[\p{L}\p{N}][\p{L}\p{N}'’-]*|&/gu;

/** What a text explains, the first explanation of each. */
export function readAbbreviations(text: string): Abbreviation[] {
  const found = new Map<string, Abbreviation>();
  const add = (short: string, words: readonly string[] | null) => {
    if (words && !found.has(short) && found.size < maxAbbreviations) found.set(short, { short, long: words.join(' ') });
  };
  const some = text.slice(0, maxText);
  for (const { 1: short = '', index } of some.matchAll(behind)) {
    const sentence =
      some
        .slice(Math.max(0, index - 120), index)
        .split(/[.;:()]/)
        .at(-1) ?? '';
    // "Property, plant and equipment (PPE)": a list may be one name, where each of its words gives a letter.
    add(
      short,
      wholeOf(short, sentence.match(word) ?? []) ?? longOf(short, sentence.split(',').at(-1)?.match(word) ?? []),
    );
  }
  for (const { 1: short = '', 2: long = '' } of some.matchAll(before)) {
    const words = long.match(word) ?? [];
    if ((wholeOf(short, words) ?? longOf(short, words))?.length === words.length) add(short, words);
  }
  for (const { 0: long, 1: one = '', 2: other = '' } of some.matchAll(joined)) add(`${one}&${other}`, long.split(' '));
  return [...found.values()];
}

/** The last words whose initials are all of an abbreviation's letters, but for such as "and" and "of". */
function wholeOf(short: string, words: readonly string[]): string[] | null {
  const letters = lettersOf(short);
  for (let length = letters.length; length <= Math.min(words.length, maxLongWords); length++) {
    const some = words.slice(-length);
    let at = 0;
    const isWhole = some.every((each) => {
      const folded = fold(each);
      if (folded.startsWith(letters[at] ?? ' ')) at++;
      else return folded === '&' || functionWords.has(folded);
      return true;
    });
    if (isWhole && at === letters.length && fold(some[0] ?? '').startsWith(letters[0] ?? ' ')) return some;
  }
  return null;
}

function lettersOf(short: string): string[] {
  return [...fold(short).replaceAll(/[^\p{L}\p{N}]/gu, '')];
}

/** The last words that an abbreviation may stand for: they begin as it does, and give it its letters in their order. */
function longOf(short: string, words: readonly string[]): string[] | null {
  const letters = lettersOf(short);
  for (let length = 2; length <= Math.min(words.length, maxLongWords, letters.length + 3); length++) {
    const some = words.slice(-length);
    const initials = some.filter((each) => each !== '&').map((each) => fold(each).charAt(0));
    if (initials[0] !== letters[0] || /^(?:\p{Ll}{1,3})$/u.test(some[0] ?? '')) continue;
    if (initials.length >= 2 && isWithin(initials, letters)) return some;
  }
  return null;
}

/** At least two of three initials stand in the abbreviation, in their order: "of", "and" have none there. */
function isWithin(initials: readonly string[], letters: readonly string[]): boolean {
  let at = 0;
  let hits = 0;
  for (const initial of initials) {
    const next = letters.indexOf(initial, at);
    if (next === -1) continue;
    hits++;
    at = next + 1;
  }
  return hits >= 2 && hits * 3 >= initials.length * 2;
}

function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss');
}
