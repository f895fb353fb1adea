import { follows, joined } from './joined.ts';
import { maxQuoteLength, type Unit } from './unit.ts';
import type { Rated } from './unit-signals.ts';

/** Sentences of one block that follow each other, and may be one quote. */
export interface Run {
  /** In their order. */
  rated: readonly Rated[];
  /** How likely the answer stands in it, beside other runs: scores are log odds, so that their exponentials add up. */
  odds: number;
}

/**
 * Finds what is best quoted together: two sentences may be likelier to have the answer between them than a third that
 * is likelier than either.
 * @param rated all that may be quoted, in the order of the passages and of what stands in them
 * @returns of a unit the likeliest run around it that fits into one quote
 */
export function createRuns(rated: readonly Rated[]): (each: Rated, mayJoin: (other: Rated) => boolean) => Run {
  const places = new Map(rated.map((each, i) => [each, i]));
  const most = rated.reduce((highest, { score }) => Math.max(highest, score), Number.NEGATIVE_INFINITY);
  const odds = rated.map(({ score }) => Math.exp(score - most));

  return (each, mayJoin) => {
    const place = places.get(each) ?? 0;
    const [first, last] = [reach(-1), reach(1)];
    let best = { from: place, to: place, odds: odds[place] ?? 0 };
    // Of those that begin with one sentence the longest has the largest sum, and none that begins later ends sooner:
    // each sentence comes in once and goes out once, however many there are.
    let to = first - 1;
    let sum = 0;
    for (let from = first; from <= place; from++) {
      while (to < last && fitTogether(rated[from], rated[to + 1])) sum += odds[++to] ?? 0;
      if (to >= place && sum > best.odds) best = { from, to, odds: sum };
      sum -= odds[from] ?? 0;
    }
    return { rated: rated.slice(best.from, best.to + 1), odds: best.odds };

    /** The last one on this side that may stand in a quote with it. */
    function reach(step: 1 | -1): number {
      let at = place;
      while (isNext(rated[at], rated[at + step]) && fitTogether(each, rated[at + step])) at += step;
      return at;
    }

    function isNext(one: Rated | undefined, other: Rated | undefined): boolean {
      if (!one || !other || one.passage !== other.passage || !mayJoin(other)) return false;
      return one.unit.start < other.unit.start ? follows(one.unit, other.unit) : follows(other.unit, one.unit);
    }
  };
}

/** Whether both and all between them may be one quote. */
function fitTogether(one: Rated | undefined, other: Rated | undefined): boolean {
  if (!one || !other) return false;
  return Math.max(one.unit.end, other.unit.end) - Math.min(one.unit.start, other.unit.start) <= maxQuoteLength;
}

/** A run as one quote. @throws if it has no sentence */
export function quotedOf({ rated: [first, ...others] }: Run): Unit {
  if (!first) throw new Error('a run without a sentence');
  return others.reduce((quoted, { unit }) => joined(quoted, unit) ?? quoted, first.unit);
}
