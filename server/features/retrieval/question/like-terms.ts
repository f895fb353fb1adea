import type { createPause } from '#server/lib/pause.ts';
import { isFormOf, isSlipOf, maxWordLength } from '#server/lib/word-forms.ts';
import { type Numbers, numbersUpTo, type TermTable } from './term-table.ts';

/** Two forms of a word have so many letters in common at their start, or the one stands in the other. */
const start = 4;
/** What may stand in another word: in Arabic a root is written in three letters. */
const minPartLength = { arabic: 3, other: 5 };
/** Shorter terms are like no other. */
const minLength = 3;
/** A slip changes the length by so much at most. */
const maxLonger = 2;
/** Two slips exchange so many kinds of letters at most. */
const maxExchanged = 4;
/**
 * Characters of all terms that are known. A company's have a tenth of it; more is text that nobody wrote for readers.
 */
const maxCharacters = 600_000;
/**
 * Terms that are looked at for one term, and compared with it. In documents that people write it is like some dozens.
 */
const maxLookedAt = 5000;
const maxCompared = 1000;
/** Terms between two looks at the time. */
const batch = 1000;
/** Above the largest number that a term can have: the two make one number that is sorted. */
const numbers = 2 ** 21;

/**
 * Finds the known terms that are forms of another or slips of it, in the order in which they are known. Comparing with
 * all of them would take milliseconds a word: only those are compared that have its beginning, hold it, stand in it, or
 * begin with its first letter and have nearly its letters. What no text for readers needs is left out, so that a term
 * takes a millisecond at most whatever the documents say.
 */
export class LikeTerms {
  readonly #terms: TermTable;
  /** Terms from this number on are left out. */
  readonly #end: number;
  /** The numbers of those that are compared, in the order of what they begin with, and of their shape. */
  readonly #byStart: Numbers;
  readonly #byShape: Numbers;

  private constructor(terms: TermTable, end: number, byStart: Numbers, byShape: Numbers) {
    this.#terms = terms;
    this.#end = end;
    this.#byStart = byStart;
    this.#byShape = byShape;
  }

  /** @param pause between the steps of making ready */
  static async of(terms: TermTable, pause: ReturnType<typeof createPause>): Promise<LikeTerms> {
    const starts: number[] = [];
    const shapes: number[] = [];
    let characters = 1;
    let end = 0;
    for (; end < Math.min(terms.size, numbers); end++) {
      const length = terms.lengthOf(end);
      if (!isCompared(length)) continue;
      if (characters + length >= maxCharacters) break;
      characters += length + 1;
      const at = terms.startOf(end);
      starts.push(startOf(terms.text, at, length) * numbers + end);
      shapes.push(shapeOf(terms.text.charCodeAt(at), length) * numbers + end);
      if (starts.length % batch === 0) await pause();
    }
    const byStart = await sorted(starts, end, pause);
    return new LikeTerms(terms, end, byStart, await sorted(shapes, end, pause));
  }

  get bytes(): number {
    return this.#byStart.byteLength + this.#byShape.byteLength;
  }

  find(term: string): string[] {
    if (term.length > maxWordLength) return [];
    const alike = new Set<number>();
    let compared = 0;
    for (const i of this.#candidates(term)) {
      if (compared++ === maxCompared) break;
      if (alike.has(i)) continue;
      const other = this.#terms.termOf(i);
      if ((other[0] === term[0] && isSlipOf(term, other)) || isFormOf(term, other)) alike.add(i);
    }
    return [...alike].sort((one, other) => one - other).map((i) => this.#terms.termOf(i));
  }

  *#candidates(term: string): Generator<number> {
    const terms = this.#terms;
    const { text } = terms;
    let lookedAt = 0;
    const beginning = term.slice(0, start);
    for (const i of this.#alike(this.#byStart, startOf(term, 0, term.length), (i) =>
      startOf(text, terms.startOf(i), terms.lengthOf(i)),
    )) {
      if (Math.min(terms.lengthOf(i), start) !== beginning.length || !text.startsWith(beginning, terms.startOf(i)))
        continue;
      if (lookedAt++ === maxLookedAt) return;
      yield i;
    }
    if (term.length >= (isArabic(term) ? minPartLength.arabic : minPartLength.other)) {
      const end = terms.startOf(this.#end);
      for (let found = text.indexOf(term); found !== -1 && found < end; found = text.indexOf(term, found + 1)) {
        const i = terms.numberAt(found);
        if (!isCompared(terms.lengthOf(i))) continue;
        if (lookedAt++ === maxLookedAt) return;
        yield i;
      }
    }
    for (let from = 0; from < term.length; from++) {
      for (let to = from + minLength; to <= term.length; to++) {
        const i = terms.numberOf(term.slice(from, to));
        if (i !== undefined && i < this.#end) yield i;
      }
    }
    const own = lettersOf(term, 0, term.length);
    for (let length = Math.max(minLength, term.length - maxLonger); length <= term.length + maxLonger; length++) {
      const shapeAt = (i: number) => shapeOf(text.charCodeAt(terms.startOf(i)), terms.lengthOf(i));
      for (const i of this.#alike(this.#byShape, shapeOf(term.charCodeAt(0), length), shapeAt)) {
        if (lookedAt++ === maxLookedAt) return;
        if (ones(own ^ lettersOf(text, terms.startOf(i), terms.lengthOf(i))) <= maxExchanged) yield i;
      }
    }
  }

  /** Those of a sorted list whose key is this, in the order in which they are known. */
  *#alike(list: Numbers, key: number, keyOf: (number: number) => number): Generator<number> {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keyOf(list[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    for (; low < list.length; low++) {
      const number = list[low] ?? 0;
      if (keyOf(number) !== key) return;
      yield number;
    }
  }
}

/** The numbers of terms, each of which stands below its key. */
async function sorted(keyed: number[], most: number, pause: ReturnType<typeof createPause>): Promise<Numbers> {
  const inOrder = Float64Array.from(keyed).sort();
  const found = numbersUpTo(most, inOrder.length);
  for (const [i, each] of inOrder.entries()) found[i] = each % numbers;
  await pause();
  return found;
}

function isCompared(length: number): boolean {
  return length >= minLength && length <= maxWordLength;
}

/** A number for what a term begins with; some beginnings share one. */
function startOf(text: string, at: number, length: number): number {
  let key = 0;
  for (let i = at; i < at + Math.min(length, start); i++) key = (Math.imul(key, 8191) + text.charCodeAt(i)) >>> 0;
  return key;
}

function isArabic(term: string): boolean {
  const first = term.charCodeAt(0);
  return first >= 0x621 && first <= 0x64a;
}

/** A number for the first letter and the length. */
function shapeOf(first: number, length: number): number {
  return first * (maxWordLength + maxLonger + 1) + length;
}

/** A bit for each kind of letter; some kinds share one. */
function lettersOf(text: string, at: number, length: number): number {
  let bits = 0;
  for (let i = at; i < at + length; i++) bits |= 1 << (text.charCodeAt(i) & 31);
  return bits;
}

function ones(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
