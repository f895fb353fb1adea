import { areRivals, type Fact, isSame, type ReadText } from './facts/facts.ts';
import { turns } from './facts/polarity.ts';
import { wordSet } from './facts/tokens.ts';
import { isPeriod, isSamePeriod, periodsOf, periodsOfClaim } from './periods.ts';

/** A sentence, item or row of a passage as claims are compared with it. */
export interface ReadUnit {
  read: ReadText;
  /** Terms that hold for all of it: its row's label, headings, the sentence before it, with what they count. */
  around: ReadonlyMap<string, number>;
  /** Whom or what it names itself, folded. */
  names: ReadonlySet<string>;
  isRow: boolean;
}

/** Where a claim's fact stands in a passage, and how well the words around it do, too: shares of their weight. */
export interface Binding {
  fact: Fact;
  /** Index of the unit; null where the fact stands nowhere. */
  unit: number | null;
  there: Fact | null;
  score: number;
  /** The same of what could be taken for it, and stands with these words. */
  rival: { unit: number; there: Fact; score: number } | null;
  /** The rival is another fact of the claim: each fits in the other's place. */
  isCrossed?: true;
}

/** The words of a claim by their weight, and which words of a passage are forms of them. */
export interface Words {
  weightOf(term: string): number;
  /** The claim's terms that a term of the passage stands for, with the share that it counts. */
  hits(term: string): readonly (readonly [term: string, share: number])[];
}

/** What a word counts that belongs to another part of the sentence, or rather to another fact of the same kind. */
const shares = { adjacent: 0.6, apart: 0.35, others: 0.3 };
/** So much better, as a share, two values must fit in each other's place to count as swapped. */
const minAhead = 0.05;
/** How much better or worse a figure fits that is of the same or another date than in the claim. */
const periodShares = { same: 1.5, other: 0.25 };
/** The same of one that says by how much something changed, and not what it is. */
const changeShare = 0.4;
/** Before what something has risen or fallen to, or from. */
const levelWords = wordSet('to from auf von a de desde hasta');
/** Facts of a passage that are looked at for one claim. */
const maxCandidates = 1500;

/**
 * Finds for each fact of a claim the place in a passage where it stands with the same words around it. Dates and words
 * with an opposite are looked for in the sentences in which the claim's numbers and codes were found, where it has any.
 */
export function bind(claim: ReadText, units: readonly ReadUnit[], words: Words): Binding[] {
  const budget = { left: maxCandidates };
  const everywhere = units.keys().toArray();
  const [turning, other] = [claim.facts.filter(isTurning), claim.facts.filter((fact) => !isTurning(fact))];
  const [dates, numbers] = [other.filter(isPeriod), other.filter((fact) => !isPeriod(fact))];
  const first = bindAll(claim, numbers, everywhere, units, words, budget);
  const near = unitsOf(first);
  const dated = bindAll(claim, dates, near.length > 0 ? near : everywhere, units, words, budget);
  // A date may stand above them, too.
  const elsewhere = near.length > 0 ? dated.flatMap(({ fact, there }) => (there ? [] : [fact])) : [];
  const found = bindAll(claim, elsewhere, everywhere, units, words, budget);
  const all = [...first, ...dated.filter(({ fact }) => !elsewhere.includes(fact)), ...found];
  const bound = unitsOf(all);
  return [...all, ...bindAll(claim, turning, bound.length > 0 ? bound : everywhere, units, words, budget)];
}

function unitsOf(bindings: readonly Binding[]): number[] {
  return [...new Set(bindings.flatMap(({ unit }) => (unit === null ? [] : [unit])))];
}

/** Whether a fact is a word with an opposite, as "more" or "rose". */
export function isTurning({ of }: Fact): boolean {
  return of.startsWith('opposite');
}

function bindAll(
  claim: ReadText,
  facts: readonly Fact[],
  among: readonly number[],
  units: readonly ReadUnit[],
  words: Words,
  budget: { left: number },
): Binding[] {
  const owns = facts.map((fact) => wordsAround(claim, fact, words));
  const periods = periodsOfClaim(claim);
  const isOfChange = claim.tokens.some(({ folded }) => turns(folded));
  // A year beside which nothing is counted is what is said itself.
  const isYearAlone = claim.facts.filter(({ quantity }) => quantity !== null).length === 1;
  const areRivalling = (one: Fact, other: Fact) =>
    areRivals(one, other) || (isYearAlone && one.of === 'year' && other.of === 'year');
  const isLevel = ({ start }: Fact) => levelWords.has(claim.tokens[start - 1]?.folded ?? '');
  const scoreAt = (i: number, unit: number, there: Fact) => {
    const [own, at, fact] = [owns[i], units[unit], facts[i]];
    if (!own || !at || !fact) return 0;
    const [asked, date] = [periods.get(fact), periodsOf(at.read).get(there)];
    const share = !asked || !date ? 1 : isSamePeriod(asked, date) ? periodShares.same : periodShares.other;
    const isOther = fact.isChange ? !there.isChange && !there.isCell : there.isChange && (!isOfChange || isLevel(fact));
    const change = isOther ? changeShare : 1;
    return share * change * scoreOf(own, at.read, at.around, there, words);
  };
  const bindings = facts.map((fact, i) => {
    const found: Binding = { fact, unit: null, there: null, score: -1, rival: null };
    // The best of each kind: a percentage in a row is not meant where an amount in the same row is.
    const rivals = new Map<string, NonNullable<Binding['rival']>>();
    for (const unit of among) {
      for (const there of units[unit]?.read.facts ?? []) {
        const same = isSame(fact, there);
        // What the claim says of something else is no rival: both are looked at together below.
        if (!same && (!areRivalling(fact, there) || facts.some((other) => other !== fact && isSame(other, there))))
          continue;
        if (budget.left-- <= 0) continue;
        const score = scoreAt(i, unit, there);
        if (same && score > found.score) Object.assign(found, { unit, there, score });
        else if (!same && score > (rivals.get(there.of)?.score ?? -1)) rivals.set(there.of, { unit, there, score });
      }
    }
    const all = [...rivals.values()].sort((one, other) => other.score - one.score);
    found.rival = (found.there ? rivals.get(found.there.of) : all[0]) ?? null;
    return found;
  });
  const has = (unit: number, fact: Fact) => units[unit]?.read.facts.some((there) => isSame(fact, there)) ?? false;
  for (const [i, one] of bindings.entries()) {
    for (const [j, other] of bindings.entries()) {
      if (j <= i || one.unit === null || other.unit === null || !one.there || !other.there) continue;
      if (
        isJoined(one.fact, other.fact) ||
        !(areRivals(one.fact, other.fact) || areRivals(one.there, other.there)) ||
        isSame(one.fact, other.fact) ||
        budget.left-- <= 0
      )
        continue;
      if (one.unit !== other.unit && (has(one.unit, other.fact) || has(other.unit, one.fact))) continue;
      const crossed = scoreAt(i, other.unit, other.there) + scoreAt(j, one.unit, one.there);
      if (crossed <= (one.score + other.score) * (1 + minAhead)) continue;
      one.isCrossed = other.isCrossed = true;
      one.rival = other.rival = { unit: other.unit, there: other.there, score: 2 * (one.score + other.score) };
    }
  }
  return bindings.map((binding, i) => {
    const total = [...(owns[i]?.values() ?? [])].reduce((sum, weight) => sum + weight, 0) || 1;
    const { rival, score } = binding;
    return { ...binding, score: score / total, rival: rival && { ...rival, score: rival.score / total } };
  });
}

/** "50 to 60 percent" and "Monday to Friday" are one statement. */
function isJoined(one: Fact, other: Fact): boolean {
  return Math.max(one.start, other.start) - Math.min(one.end, other.end) <= 1;
}

/** The claim's words beside a fact, by how much they belong to it. */
function wordsAround({ places, facts }: ReadText, fact: Fact, { weightOf }: Words): Map<string, number> {
  const own = new Map<string, number>();
  for (const { term, at, segment } of places) {
    if (at >= fact.start && at < fact.end) continue;
    const weight = weightOf(term) * belonging(facts, fact, at, segment);
    if (weight > (own.get(term) ?? 0)) own.set(term, weight);
  }
  return own;
}

function scoreOf(
  own: ReadonlyMap<string, number>,
  read: ReadText,
  around: ReadonlyMap<string, number>,
  there: Fact,
  words: Words,
): number {
  const best = new Map<string, number>();
  const take = (term: string, share: number) => {
    for (const [each, form] of words.hits(term)) {
      const weight = own.get(each);
      if (weight === undefined) continue;
      const score = weight * share * form;
      if (score > (best.get(each) ?? 0)) best.set(each, score);
    }
  };
  for (const { term, at, segment } of read.places) {
    if (at < there.start || at >= there.end) take(term, belonging(read.facts, there, at, segment));
    else take(term, 1);
  }
  for (const [term, share] of around) take(term, share);
  let sum = 0;
  for (const score of best.values()) sum += score;
  return sum;
}

/** How much a word belongs to a fact: less in another part of the sentence, and where a rival is nearer. */
function belonging(facts: readonly Fact[], fact: Fact, at: number, segment: number): number {
  const apart = Math.abs(segment - fact.segment);
  const share = apart === 0 ? 1 : apart === 1 ? shares.adjacent : shares.apart;
  const distance = distanceOf(fact, at, segment);
  const isOthers = facts.some(
    (other) =>
      other !== fact &&
      other.start !== fact.start &&
      areRivals(fact, other) &&
      distanceOf(other, at, segment) < distance,
  );
  return isOthers ? share * shares.others : share;
}

function distanceOf({ start, end, segment }: Fact, at: number, ofSegment: number): number {
  const steps = at < start ? start - at : at >= end ? at - end + 1 : 0;
  return steps + 8 * Math.abs(segment - ofSegment);
}

/** What must stand where the numbers beside it do: a name or a code. */
export interface Entity {
  fact: Fact;
  /** Whether a unit speaks of it, in itself or in what holds for all of it. */
  isIn(unit: ReadUnit): boolean;
  /** Whether its own words do. */
  isOwn(unit: ReadUnit): boolean;
}

/**
 * Whether a claim's codes and names stand in the very sentences or rows in which the numbers beside them do, and
 * belong to those there, too.
 */
export function standTogether(
  claim: ReadText,
  bindings: readonly Binding[],
  units: readonly ReadUnit[],
  entities: readonly Entity[],
): boolean {
  const named = claim.tokens.map(({ folded }) => folded);
  const isSaid = (name: string) =>
    named.some((each) => each === name || (name.length > 3 && each.startsWith(name.slice(0, 4))));
  return entities.every(({ fact: entity, isIn, isOwn }) => {
    const beside = bindings
      .filter(
        ({ fact, unit }) =>
          unit !== null && fact.start !== entity.start && !fact.of.startsWith('code') && !isTurning(fact),
      )
      .sort(
        (one, other) =>
          distanceOf(one.fact, entity.start, entity.segment) - distanceOf(other.fact, entity.start, entity.segment),
      );
    const [nearest] = beside;
    const unit = nearest && nearest.unit !== null ? units[nearest.unit] : undefined;
    if (!nearest?.there || !unit) return true;
    // A sentence without names goes on with what was spoken of before.
    const isCode = entity.of.startsWith('code');
    const hasOthers = [...unit.names].some((name) => !isSaid(name));
    if (!isIn(unit)) return !isCode && !unit.isRow && !hasOthers;
    // "Nordwind pays", where the contract's Client does: the heading names both.
    if (!isCode && !unit.isRow && !isOwn(unit) && hasOthers) return false;
    const { there } = nearest;
    const own = unit.read.facts
      .filter((each) => isSame(entity, each))
      .map((each) => distanceOf(there, each.start, each.segment));
    if (own.length === 0) return true;
    const rivals = unit.read.facts.filter(
      (each) =>
        entity.of.startsWith('code') &&
        areRivals(entity, each) &&
        !isSame(entity, each) &&
        !claim.facts.some((fact) => isSame(fact, each)),
    );
    return rivals.every((each) => distanceOf(there, each.start, each.segment) >= Math.min(...own));
  });
}
