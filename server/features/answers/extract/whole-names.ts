import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze, isStopTerm } from '#server/lib/analyze.ts';
import { weakWords } from '#server/lib/stop-words.ts';
import { isFormOf } from '#server/lib/word-forms.ts';

/** Where a name stands in a question, in words: from its first to behind its last. */
export interface NamePlace {
  start: number;
  end: number;
}

interface AskedWord {
  terms: readonly string[];
  /** Every question has it: it may stand inside a name. */
  isStop: boolean;
  /** So, or a number, or it only says what is to be done with what is named: a name may begin and end beside it. */
  isBetween: boolean;
  /** A sign parts it from the word before. */
  isParted: boolean;
}

interface Shared {
  /** Terms of the name. */
  own: readonly string[];
  mayStandInside: boolean;
}

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[-./_&+][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
/** A comma, a bracket, a quotation mark. */
const parting = /[^\s\p{L}\p{N}\p{M}-]/u;
const genitive = /['’]s(?!\p{L})/giu;
const weak = new Set(analyze(weakWords));
/** Of a longer text the first words are looked at. */
const maxWords = 200;
/** What has more terms is a sentence. */
const maxTerms = 30;

/** Whether a term only says what is to be done with what is named: "change", "average". */
export function isWeakTerm(term: string): boolean {
  return weak.has(term);
}

/**
 * Tells where a question has a name as a whole, whatever the order of its words: of "the deferred income tax assets in
 * 2019" "deferred income tax assets" is a name and "income tax" is none; "impairment of goodwill" is one of "the
 * goodwill impairment".
 * @returns of the terms of a name, its first place; null where there is none
 */
export function createNamePlaces(
  { weights, language }: Pick<Question, 'weights' | 'language'>,
  text: string,
): (name: readonly string[]) => NamePlace | null {
  const words = wordsOf(text.replace(genitive, ' , '), weights);
  return (name) => {
    const terms = new Set(name.filter((term) => !isStopTerm(term, language)));
    if (terms.size === 0 || terms.size > maxTerms) return null;
    // Once for each word: a name may begin at any of them, and everything behind it would be looked at again.
    const shared = words.map((each) => sharedBy(each, terms));
    for (const [start, { own }] of shared.entries()) {
      if (own.length === 0 || !isFree(start)) continue;
      const end = endOf(start, terms.size, shared);
      if (end !== null) return { start, end };
    }
    return null;
  };

  /** What a word of the question has of a name, and whether it may stand in it. */
  function sharedBy({ terms, isStop }: AskedWord, name: ReadonlySet<string>): Shared {
    const own: string[] = [];
    let isOfName = true;
    for (const asked of terms) {
      const before = own.length;
      for (const term of name) if (term === asked || isFormOf(term, asked)) own.push(term);
      if (own.length === before && weights.has(asked)) isOfName = false;
    }
    return { own, mayStandInside: isStop || isOfName };
  }

  /** Whether a name may begin here, or have ended. */
  function isFree(at: number): boolean {
    const [before, behind] = [words[at - 1], words[at]];
    return !before || !behind || behind.isParted || before.isBetween || behind.isBetween;
  }

  /** Where a name of so many terms ends that begins here; null where none does. */
  function endOf(start: number, size: number, shared: readonly Shared[]): number | null {
    const found = new Set<string>();
    for (let i = start; i < shared.length; i++) {
      const { own = [], mayStandInside = false } = shared[i] ?? {};
      if (!mayStandInside) return null;
      for (const term of own) found.add(term);
      if (found.size === size && isFree(i + 1)) return i + 1;
    }
    return null;
  }
}

function wordsOf(text: string, weights: Question['weights']): AskedWord[] {
  const words: AskedWord[] = [];
  let end = 0;
  for (const { index, 0: written } of text.matchAll(word)) {
    if (words.length === maxWords) break;
    const terms = analyze(written);
    words.push({
      terms,
      isStop: terms.every((term) => !weights.has(term)),
      isBetween: terms.every((term) => !weights.has(term) || weak.has(term) || /^\d+$/.test(term)),
      isParted: parting.test(text.slice(end, index)),
    });
    end = index + written.length;
  }
  return words;
}
