import { randomInt } from 'node:crypto';
import type { createPause } from '#server/lib/pause.ts';
import { hashed } from './hashed.ts';

export type Numbers = Uint16Array | Uint32Array;

/** Terms between two looks at the time. */
const termsAtOnce = 2000;
/** Documents that are made to have words of one hash alone would hold up the process. */
const firstHash = randomInt(2 ** 31);

/**
 * Different terms, each with a count, by numbers in the order in which they are given. They stand in one text and in
 * flat lists: a company's sample has some 15,000 of them, and as strings in maps they take ten times as much memory.
 */
export class TermTable {
  /** All terms, each between two ends of line. */
  readonly text: string;
  /** How many there are. */
  readonly size: number;
  readonly #counts: Numbers;
  /** Where each begins in the text, and where one more would. */
  readonly #starts: Uint32Array;
  /** Number and 1 of a term, at its hash or behind it; 0 where there is none (open addressing, Knuth 6.4). */
  readonly #slots: Numbers;

  private constructor(text: string, counts: Numbers, starts: Uint32Array, slots: Numbers) {
    this.text = text;
    this.size = counts.length;
    this.#counts = counts;
    this.#starts = starts;
    this.#slots = slots;
  }

  /**
   * @param terms different ones, without ends of line
   * @param counts of each
   */
  static async of(
    terms: readonly string[],
    counts: readonly number[],
    pause: ReturnType<typeof createPause>,
  ): Promise<TermTable> {
    const starts = new Uint32Array(terms.length + 1);
    const slots = numbersUpTo(terms.length, 2 ** Math.ceil(Math.log2(2 * terms.length + 1)));
    const mask = slots.length - 1;
    let start = 1;
    for (const [i, term] of terms.entries()) {
      starts[i] = start;
      start += term.length + 1;
      let slot = hashOf(term) & mask;
      while (slots[slot]) slot = (slot + 1) & mask;
      slots[slot] = i + 1;
      if (i % termsAtOnce === 0) await pause();
    }
    starts[terms.length] = start;
    const kept = numbersUpTo(
      counts.reduce((one, other) => Math.max(one, other), 0),
      counts.length,
    );
    kept.set(counts);
    return new TermTable(`\n${terms.join('\n')}\n`, kept, starts, slots);
  }

  /** Undefined where it is not among them. */
  numberOf(term: string): number | undefined {
    const mask = this.#slots.length - 1;
    let slot = hashOf(term) & mask;
    for (let known = this.#slots[slot]; known; known = this.#slots[slot]) {
      const number = known - 1;
      if (this.lengthOf(number) === term.length && this.text.startsWith(term, this.#starts[number])) return number;
      slot = (slot + 1) & mask;
    }
    return undefined;
  }

  termOf(number: number): string {
    return this.text.slice(this.startOf(number), this.startOf(number) + this.lengthOf(number));
  }

  countOf(number: number): number {
    return this.#counts[number] ?? 0;
  }

  /** Where it begins in the text; of a number behind the last one, where that would. */
  startOf(number: number): number {
    return this.#starts[number] ?? 0;
  }

  lengthOf(number: number): number {
    return this.startOf(number + 1) - this.startOf(number) - 1;
  }

  /** The number of the term that stands at this place of the text. */
  numberAt(place: number): number {
    let [low, high] = [0, this.size - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** What it takes in memory, about. */
  get bytes(): number {
    // What no Latin letter is among takes one byte a character, any other text two.
    return 2 * this.text.length + this.#counts.byteLength + this.#starts.byteLength + this.#slots.byteLength;
  }
}

/** A list of so many numbers, each up to `most`. */
export function numbersUpTo(most: number, length: number): Numbers {
  return most < 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length);
}

function hashOf(term: string): number {
  let hash = firstHash;
  for (let i = 0; i < term.length; i++) hash = hashed(hash, term.charCodeAt(i));
  // The last characters alone decide on its low bits.
  return hash ^ (hash >>> 15);
}
