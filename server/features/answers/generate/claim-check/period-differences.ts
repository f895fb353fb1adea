import type { Why } from '../checked-part.ts';
import { type Fact, isSame, type ReadText } from './facts/facts.ts';
import { measureOf } from './facts/measures.ts';
import { numbersIn, type PreparedPassage, type PreparedUnit } from './passage.ts';
import { isPeriod, isSamePeriod, periodsOf, periodsOfClaim } from './periods.ts';
import type { Binding } from './relation.ts';

/** What speaks against a claim, and whether something else stands in its place, so that it is no matter of words. */
export interface Difference {
  why: Why;
  isSure: boolean;
  /** A number in digits that the passage has nowhere in any form, while it has others of its kind. */
  isNowhere?: boolean;
}

/** A year that another sentence speaks of, where the one of the claim's other facts has only its other years. */
export function isOfOtherYear(
  fact: Fact,
  unit: number,
  bindings: readonly Binding[],
  { units }: PreparedPassage,
): boolean {
  const there = (at: number) => units[at]?.read.facts.filter(isPeriod) ?? [];
  const others = [
    ...new Set(bindings.flatMap((each) => (each.fact === fact || each.unit === null ? [] : [each.unit]))),
  ];
  const years = others.flatMap(there);
  const hasOwn = (asked: Fact) => years.some((year) => isSame(asked, year));
  return (
    !others.includes(unit) &&
    !others.some((at) => units[at]?.isRow) &&
    !hasOwn(fact) &&
    bindings.some((each) => each.fact.of === 'year' && hasOwn(each.fact))
  );
}

/** A date that stands with another figure of the sentence in which the claim's own one stands. */
export function isOfAnother(
  { unit, there: date }: { unit: number; there: Fact },
  bindings: readonly Binding[],
  known: PreparedPassage,
) {
  const read = known.units[unit]?.read;
  if (!isPeriod(date) || !read || !bindings.some((each) => each.unit === unit && !isPeriod(each.fact))) return false;
  const figures = [...periodsOf(read)].filter(([, of]) => of === date).map(([figure]) => figure);
  return figures.length > 0 && !bindings.some(({ there }) => there && figures.includes(there));
}

/** A figure of another year in its own sentence or column, or a part of a year that is spoken of elsewhere. */
export function periodsDiffer(read: ReadText, bindings: readonly Binding[], known: PreparedPassage): Difference | null {
  const own = periodsOfClaim(read);
  const placed = bindings.filter(({ fact, there }) => there && fact.quantity && fact.of !== 'order' && !isPeriod(fact));
  const isOther = placed.some(({ fact, unit, there }) => {
    const [asked, units] = [own.get(fact), known.units[unit ?? -1]];
    const date = there && units && periodsOf(units.read).get(there);
    return asked && date && !isSamePeriod(asked, date);
  });
  const isPart = bindings.some(
    ({ fact, unit }) =>
      fact.of === 'order' &&
      measureOf(read.tokens[fact.end]?.folded ?? '')?.of === 'months' &&
      placed.length > 0 &&
      placed.every((each) => each.unit !== unit),
  );
  return isOther || isPart ? { why: 'relation', isSure: false } : null;
}

/**
 * What a claim has and the passage has nowhere: years. Null: it has them. Where the sentences that it rests on name no
 * other year, nothing stands in its place: what a report says of its year it often leaves to the title page.
 */
export function yearsLack(claim: string, known: PreparedPassage, near: readonly PreparedUnit[]): Difference | null {
  const years = [...numbersIn(claim)].filter((number) => /^(19|20)\d\d$/.test(number));
  const lacking = years.filter((year) => !known.years.has(year));
  // The mark of a footnote stands right behind it: "1947⁶".
  const isMarked = lacking.some((year) => new RegExp(`(?<!\\p{N})${year}\\p{N}{1,2}(?!\\p{N})`, 'u').test(known.plain));
  const isOther = near.some(({ read, unit }) => read.facts.some(namesYear) || /\b(?:19|20)\d\d\b/.test(unit.heading));
  return lacking.length === 0 ? null : { why: 'number', isSure: isOther && !isMarked };
}

function namesYear({ quantity }: Fact): boolean {
  return quantity?.of === 'year' || (quantity?.of === 'date' && (quantity.values[0] ?? 0) >= 10_000);
}
