import type { Unit } from './unit.ts';
import type { Rated } from './unit-signals.ts';

/** A unit that was chosen as a quote. */
export interface Picked extends Rated {
  /** Its unit, with those next to it that answer, too. */
  quoted: Unit;
  /** It was found beside those that answer. */
  isSupporting: boolean;
}

export const maxShown = 3;
/** With what is only found beside. */
export const maxQuotes = 5;
/** A further quote scores at most this much less than the best. */
export const goodEnough = 6;
/** In UTF-16 code units: what is no longer is a notice, a caption, a part of a list. */
const maxNotice = 40;
/** Two quotes with more words in common than this say the same. */
const sameness = 0.7;

/**
 * Whether it has words of the question itself, an answer of the kind that is asked for, or is a whole statement: "No
 * dogs." below the sentence that answers is none.
 */
export function saysSomething({ unit, signals: { words, date, amount, person, place, reason } }: Rated): boolean {
  return unit.text.length > maxNotice || words + date + amount + person + place + reason > 0;
}

/** Jaccard's measure: sentences of one contract have most of their small words in common. */
export function saysTheSame(one: Set<string>, other: Set<string>): boolean {
  return one.intersection(other).size > sameness * one.union(other).size;
}
