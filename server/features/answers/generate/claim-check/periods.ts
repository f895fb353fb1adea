import type { Fact, ReadText } from './facts/facts.ts';

/**
 * Which of several figures of one sentence is of which date: "299 in 2019 compared to 148 in 2018", "5 and 4 in 2019
 * and 2018, respectively". Words cannot tell, since they are the same for both.
 */

const inTurn = /^(?:respectively|beziehungsweise|bzw|jeweils|respectivement|respectivamente)$/;
/** Tokens between a figure and its date, behind it and before it. */
const maxBehind = 8;
const maxBefore = 12;
/** Tokens before a date that a sentence begins with: "For fiscal year 2016,". */
const maxLead = 3;
const otherTime =
  /^(?:from|previous|prior|last|earlier|before|compared|versus|vs|vorjahr\w*|vorig\w*|zuvor|gegenuber|precedent\w*|contre|anterior\w*|frente)$/;
/** Tokens between two members of a list. */
const maxJoint = 3;
const known = new WeakMap<ReadText, ReadonlyMap<Fact, Fact>>();

/** The date or year of each figure of a text, as far as its place tells it. */
export function periodsOf(read: ReadText): ReadonlyMap<Fact, Fact> {
  const before = known.get(read);
  if (before) return before;
  const dates = read.facts.filter(isPeriod);
  const figures = read.facts.filter(isFigure);
  const found =
    dates.length === 0 || figures.length === 0
      ? new Map<Fact, Fact>()
      : figures.some(({ isCell }) => isCell)
        ? inCells(dates, figures)
        : (ofAll(read, dates, figures) ?? inLists(read, dates, figures) ?? besideEachOther(read, dates, figures));
  known.set(read, found);
  return found;
}

/** The same of a claim, whose only date is that of all of its figures. */
export function periodsOfClaim(read: ReadText): ReadonlyMap<Fact, Fact> {
  const dates = read.facts.filter(isPeriod);
  const [first] = dates;
  if (!first || !dates.every((date) => isSamePeriod(date, first))) return periodsOf(read);
  return new Map(read.facts.filter(isFigure).map((figure) => [figure, first]));
}

/** What one of both leaves out may be anything. */
export function isSamePeriod(one: Fact, other: Fact): boolean {
  return partsOf(one).some((parts) =>
    partsOf(other).some((there) => parts.every((part, i) => part === 0 || there[i] === 0 || part === there[i])),
  );
}

function partsOf({ quantity }: Fact): number[][] {
  return (quantity?.values ?? []).map((value) =>
    quantity?.of === 'year' ? [value, 0, 0] : [Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100],
  );
}

/** Whether a fact says when. */
export function isPeriod({ of }: Fact): boolean {
  return of === 'year' || of === 'date';
}

function isFigure({ of, quantity }: Fact): boolean {
  return quantity !== null && of !== 'year' && of !== 'date' && of !== 'order' && of !== 'weekday' && of !== 'clock';
}

/** The name of the column stands in the same part. */
function inCells(dates: readonly Fact[], figures: readonly Fact[]): Map<Fact, Fact> {
  const found = new Map<Fact, Fact>();
  for (const figure of figures) {
    const [date, ...others] = dates.filter(({ segment }) => segment === figure.segment);
    if (date && others.every((other) => isSamePeriod(date, other))) found.set(figure, date);
  }
  return found;
}

/** What the only date of a sentence begins holds for all of it, unless another time is spoken of: "up from 51 %". */
function ofAll({ tokens }: ReadText, dates: readonly Fact[], figures: readonly Fact[]): Map<Fact, Fact> | null {
  const [date, ...others] = dates;
  if (!date || others.length > 0 || date.start > maxLead) return null;
  return tokens.some(({ folded }) => otherTime.test(folded)) ? null : new Map(figures.map((each) => [each, date]));
}

/** The first of the one list belongs to the first of the other; null where nothing says so. */
function inLists({ tokens }: ReadText, dates: readonly Fact[], figures: readonly Fact[]): Map<Fact, Fact> | null {
  if (!tokens.some(({ folded }) => inTurn.test(folded))) return null;
  const found = new Map<Fact, Fact>();
  const inOrder = runsOf(dates, () => true).filter((run) => run.length > 1);
  for (const run of runsOf(figures, (one, other) => one.of === other.of)) {
    const [first] = run;
    const among = inOrder.filter(({ length }) => length === run.length);
    const near = among.sort((one, other) => gap(first, one[0]) - gap(first, other[0]))[0];
    for (const [i, figure] of run.entries()) {
      const date = near?.[i];
      if (date) found.set(figure, date);
    }
  }
  return found;
}

function gap(one: Fact | undefined, other: Fact | undefined): number {
  return Math.abs((one?.start ?? 0) - (other?.start ?? 0));
}

function runsOf(facts: readonly Fact[], isAlike: (one: Fact, other: Fact) => boolean): Fact[][] {
  const runs: Fact[][] = [];
  for (const fact of facts) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && fact.start - last.end <= maxJoint && isAlike(last, fact)) run.push(fact);
    else runs.push([fact]);
  }
  return runs;
}

/** A date belongs to the figure before it, or at the beginning and before a colon to the one behind it. */
function besideEachOther(
  { tokens }: ReadText,
  dates: readonly Fact[],
  figures: readonly Fact[],
): ReadonlyMap<Fact, Fact> {
  const found = new Map<Fact, Fact>();
  const isApart = (from: number, to: number) => tokens.slice(from, to).some(({ folded }) => /^[.;|\n]$/.test(folded));
  for (const [i, date] of dates.entries()) {
    const before = figures.findLast(({ end }) => end <= date.start);
    const behind = figures.find(({ start }) => start >= date.end);
    const isTaken = (figure: Fact) => found.has(figure) || dates.some((other) => isBetween(other, figure, date));
    if (
      before &&
      tokens[date.end]?.folded !== ':' &&
      date.start - before.end <= maxBehind &&
      !isTaken(before) &&
      !isApart(before.end, date.start)
    )
      found.set(before, date);
    else if (
      behind &&
      behind.start - date.end <= maxBefore &&
      !isTaken(behind) &&
      !isApart(date.end, behind.start) &&
      (dates[i + 1]?.start ?? behind.end) >= behind.start
    )
      found.set(behind, date);
  }
  return found;
}

function isBetween(other: Fact, one: Fact, another: Fact): boolean {
  const [from, to] = one.start < another.start ? [one.end, another.start] : [another.end, one.start];
  return other.start >= from && other.end <= to;
}
