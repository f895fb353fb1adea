import { bareYear } from '#server/lib/periods.ts';
import { isFormOf } from '#server/lib/word-forms.ts';
import { hashed } from './hashed.ts';
import type { Question } from './question.ts';
import type { TermStatistics } from './statistics.ts';

const noForms: readonly number[] = [];
/** Always a power of two, and more than twice the terms. */
const minSlots = 1 << 14;

/**
 * The terms of one search as numbers: those of the question come first, in its order. A question is compared with ten
 * thousand words of candidates, and by numbers each comparison is a look into a list.
 */
export class Lexicon {
  readonly question: Question;
  readonly statistics: TermStatistics;
  /** What each of the question's terms counts; a number beyond these is no term of the question. */
  readonly weights: readonly number[];
  /** Whether each of them is written as a name is. */
  readonly areNames: readonly boolean[];
  /** Terms that follow each other in the question. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Those that a line begins with which answers, in their order. */
  readonly opening: readonly number[];
  /** What each of the question's terms counts where it names something: less where it was said before alone. */
  readonly shares: readonly number[];
  /** Where each term stood first, by number. A word is only cut out where it is asked for. */
  readonly #texts: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #hashes: number[] = [];
  /** Number and 1 of a term, at its hash or behind it; 0 where there is none (open addressing, Knuth 6.4). */
  #slots = new Int32Array(minSlots);
  /** Of the first terms: the question's own one that each stands for. */
  #own: readonly number[] = [];
  readonly #idf: (number | undefined)[] = [];
  readonly #forms: (readonly number[] | undefined)[] = [];

  constructor(question: Question, statistics: TermStatistics) {
    this.question = question;
    this.statistics = statistics;
    const asked = [...question.weights.keys()];
    for (const term of asked) this.#numberOf(term);
    const elsewhere = [...question.elsewhere].filter(([, own]) => question.weights.has(own));
    for (const [term] of elsewhere) this.#numberOf(term);
    this.#own = [...asked.keys(), ...elsewhere.map(([, own]) => asked.indexOf(own))];
    this.weights = [...question.weights.values()];
    this.areNames = asked.map((term) => question.names.has(term));
    this.pairs = question.pairs.map(([one, other]) => [this.#numberOf(one), this.#numberOf(other)]);
    this.opening = question.opening.map((term) => this.#numberOf(term));
    this.shares = asked.map((term) => question.saidBefore.get(term) ?? 1);
  }

  /** Terms that are known so far. */
  get size(): number {
    return this.#texts.length;
  }

  /**
   * The number of the term that stands in a text.
   * @param hash of its characters, as `hashed` makes it
   */
  numberAt(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let known = this.#slots[slot]; known; known = this.#slots[slot]) {
      if (this.#hashes[known - 1] === hash && this.#stands(known - 1, text, start, end))
        return known > this.#own.length ? known - 1 : (this.#own[known - 1] ?? known - 1);
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = this.#texts.push(text);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#hashes.push(hash);
    const number = this.#texts.length - 1;
    if (2 * this.#texts.length > this.#slots.length) this.#grow();
    return number;
  }

  idf(number: number): number {
    this.#idf[number] ??= this.statistics.idf(this.#termOf(number));
    return this.#idf[number];
  }

  /** The years among terms, in full. */
  yearsOf(terms: readonly number[]): string[] {
    return [...new Set(terms.map((number) => this.#termOf(number)).filter((term) => bareYear.test(term)))];
  }

  /** Those of the question's own terms that are among some. */
  askedAmong(terms: readonly number[]): string[] {
    return [...new Set(terms.filter((number) => number < this.weights.length))].map((number) => this.#termOf(number));
  }

  hasDigit(number: number): boolean {
    return /\d/.test(this.#termOf(number));
  }

  /** Which of the question's terms another is a form of, or stands in for. */
  formsOf(number: number): readonly number[] {
    this.#forms[number] ??= this.#findForms(this.#termOf(number));
    return this.#forms[number];
  }

  #findForms(term: string): readonly number[] {
    const misspelt = this.question.standIns.get(term);
    if (misspelt !== undefined) return [this.#numberOf(misspelt)];
    // Of most words there is none, and thousands are asked about: nothing is made for those.
    let forms = noForms;
    const same = this.question.similar.get(term);
    if (same !== undefined) return [this.#numberOf(same)];
    for (let asked = 0; asked < this.weights.length; asked++)
      if (isFormOf(this.#termOf(asked), term)) forms = [...forms, asked];
    return forms;
  }

  #numberOf(term: string): number {
    let hash = 0;
    for (let i = 0; i < term.length; i++) hash = hashed(hash, term.charCodeAt(i));
    return this.numberAt(term, 0, term.length, hash);
  }

  #termOf(number: number): string {
    return this.#texts[number]?.slice(this.#starts[number], this.#ends[number]) ?? '';
  }

  #stands(number: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[number] ?? 0;
    const length = (this.#ends[number] ?? 0) - from;
    if (length !== end - start) return false;
    const known = this.#texts[number] ?? '';
    for (let i = 0; i < length; i++) if (known.charCodeAt(from + i) !== text.charCodeAt(start + i)) return false;
    return true;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (const [number, hash] of this.#hashes.entries()) {
      let slot = hash & mask;
      while (this.#slots[slot]) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}
