import { analyze, hasUnspaced, type QuestionTerms } from '#server/lib/analyze.ts';
import { isEnglish } from './english-words.ts';

/** Of a question its terms, and its language. */
interface Asked {
  weights: ReadonlyMap<string, number>;
  language: QuestionTerms['language'];
}

const token = /[\p{L}\p{N}][\p{L}\p{N}\p{M}./_'’@&+#-]*/gu;
const withCapital = /^\p{Lu}|\p{Ll}\p{Lu}/u;
/** How no word begins a sentence but a name. */
const onlyNames = /^\p{Lu}{2}|\p{Ll}\p{Lu}|['’]s$/u;
const abbreviation = /^\p{Lu}{2}/u;
/** Of more capitals than this share the case says nothing: a title, or a question in capitals. */
const maxCapitals = 0.6;
/** Of shorter words any may be an abbreviation, and one with other letters ("café") is in no list of English words. */
const judged = /^[a-z]{3,}$/;
/** A text with a larger share of unknown words than this is not English. */
const maxUnknown = 0.5;

/**
 * The terms of a question that name one thing and no other: numbers, codes, in languages that write only names so words
 * with a capital, and where the case says nothing words that English does not have. A passage without them speaks of
 * something else, however much of the rest it has.
 */
export function namesIn(text: string, { weights, language }: Asked): Set<string> {
  const tokens = text.normalize('NFKC').match(token) ?? [];
  const caseTells = tellsByCase(tokens, language);
  const unknown = unknownWords(tokens, language);
  const names = new Set<string>();
  for (const [i, each] of tokens.entries()) {
    if (!/\d/.test(each) && !unknown.has(each) && !(caseTells && i > 0 && /^\p{Lu}/u.test(each))) continue;
    // Without spaces a token is half a sentence: only its numbers and codes are names.
    const isWhole = !hasUnspaced(each);
    for (const term of analyze(each)) if (weights.has(term) && (isWhole || /\d/.test(term))) names.add(term);
  }
  return names;
}

/**
 * Whether a capital says that a word is a name: not in a title, or where all is in capitals. The first word, numbers
 * and abbreviations have theirs in any text: without them a short question may have as many other words.
 */
function tellsByCase(words: readonly string[], language: Asked['language']): boolean {
  if (language === 'de') return false;
  const telling = words.filter((each, i) => i > 0 && !/\d/.test(each) && !/^\p{Lu}[\p{Lu}&-]/u.test(each));
  const capitals = (some: readonly string[]) => some.filter((each) => /^\p{Lu}/u.test(each)).length;
  return (
    capitals(words) <= maxCapitals * words.length || (telling.length > 0 && 2 * capitals(telling) <= telling.length)
  );
}

/**
 * The words of an English question that are no English words, where nothing else tells that they are names: its first
 * one, and where it is all in small or in capital letters any ("lockheed martin employees in poland"). Abbreviations
 * are told by their capitals.
 */
function unknownWords(tokens: readonly string[], language: Asked['language']): Set<string> {
  if (language !== null && language !== 'en') return new Set();
  const words = tokens.filter((each) => partsOf(each).some((part) => judged.test(part)));
  const unknown = words.filter((each) => partsOf(each).some((part) => judged.test(part) && !isEnglish(part)));
  if (unknown.length > maxUnknown * words.length) return new Set();
  if (!tellsByCase(tokens, language)) return new Set(unknown);
  const names = unknown.filter((each) => !abbreviation.test(each));
  return new Set(caseTellsNames(tokens, language) ? names.filter((each) => each === tokens[0]) : names);
}

/** The parts of a word, in small letters: "Acme's" is "acme", "first-time" two words. */
export function partsOf(word: string): string[] {
  return (
    word
      .toLowerCase()
      .replace(/['’]s$/u, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Whether a text writes some words with capitals, and not most of them. */
function caseTellsNames(tokens: readonly string[], language: Asked['language']): boolean {
  return tellsByCase(tokens, language) && tokens.slice(1).some((written) => withCapital.test(written));
}

/** A word as it is written, with its terms. */
interface Name {
  text: string;
  terms: string[];
}

/**
 * The words of a question that are names by how they are written, each with its terms: of German, where all nouns have
 * a capital, none. The first word always has one, and counts where nothing but a name is written as it is: "BYD",
 * "eBay", "Acme: fee". Where the case says nothing, those that English does not have.
 */
export function properNames(text: string, asked: Asked): Name[] {
  const whole = text.normalize('NFKC');
  const found = [...whole.matchAll(token)];
  const tokens = found.map(([written]) => written);
  const caseTells = tellsByCase(tokens, asked.language);
  const unknown = unknownWords(tokens, asked.language);
  const isName = (written: string, i: number, next: string | undefined) => {
    if (unknown.has(written)) return true;
    if (!caseTells || !withCapital.test(written) || /\d/.test(written)) return false;
    return i > 0 || onlyNames.test(written) || next === ':';
  };
  return found
    .filter(({ index, 0: written }, i) => isName(written, i, whole[index + written.length]))
    .map(([written]) => ({ text: written, terms: termsOf(written, asked) }))
    .filter(({ terms }) => terms.length > 0);
}

/**
 * The words of a question that may be names, for all that its writing says: the first, and where it is all in small or
 * in capital letters each of them. None that is a number, and of German none.
 */
export function possibleNames(text: string, asked: Asked): (Name & { isFirst: boolean })[] {
  if (asked.language === 'de') return [];
  const tokens = text.normalize('NFKC').match(token) ?? [];
  const caseTells = caseTellsNames(tokens, asked.language);
  return tokens
    .map((written, i) => ({ text: written, terms: termsOf(written, asked), isFirst: i === 0 }))
    .filter((word) => (word.isFirst || !caseTells) && word.terms.length > 0 && !/\d/.test(word.text));
}

function termsOf(written: string, { weights }: Asked): string[] {
  return analyze(written).filter((term) => weights.has(term));
}
