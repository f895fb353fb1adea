import type { Measures } from '#server/features/retrieval/question/coverage.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import type { Why } from '../checked-part.ts';
import type { Asked } from './asked.ts';
import { type Fact, isSame, type ReadText, rangesIn } from './facts/facts.ts';
import { measureOf } from './facts/measures.ts';
import { fold } from './facts/tokens.ts';
import { hasName, namesIn } from './names.ts';
import { negationsIn } from './negation.ts';
import { numbersIn, type Prepared } from './passage.ts';
import { isPeriod, periodsOf } from './periods.ts';
import { type Binding, type Entity, isTurning, standTogether } from './relation.ts';

/** How well another fact must fit a claim's words, as a share of them, to speak against it by itself. */
const minRivalScore = 0.4;
/** So many times as well must another number fit a claim's words to count as the one that is meant. */
const minRival = 1.5;
/** Share of a claim's words that must stand around its number where the language of both is not sure. */
const minAround = 0.12;

/** What speaks against a claim, and whether something else stands in its place, so that it is no matter of words. */
interface Difference {
  why: Why;
  isSure: boolean;
  /** A number that is written in digits, and stands nowhere in the passage in any form. */
  isNowhere?: boolean;
}

/** What of a claim's numbers, codes and opposites the passage has otherwise. */
export function differs(
  bindings: readonly Binding[],
  known: Prepared,
  denials: number,
  { hits, isForeign }: { hits: Measures['hits']; isForeign: boolean },
): Difference | null {
  const { units } = known;
  const hasNumbers = bindings.some(({ fact, there }) => fact.quantity && there);
  for (const { fact, unit, there, score, rival } of bindings) {
    const isOpposite = isTurning(fact);
    if (fact.of === 'year') {
      if (there && unit !== null && isOfOtherYear(fact, unit, bindings, known))
        return { why: 'relation', isSure: false };
      continue;
    }
    const isRivalNear = (rival?.score ?? 0) >= minRivalScore;
    if (!there) {
      if (isOpposite || fact.of === 'order') {
        if (isRivalNear)
          return {
            why: isOpposite ? 'opposite' : 'relation',
            isSure: isOpposite && rival !== null && denials === negationsIn(units[rival.unit]?.read.plain ?? '').length,
          };
        continue;
      }
      // Of a date a table often has no more than the year.
      if (fact.of === 'date' && !rival) continue;
      return { why: fact.quantity ? 'number' : 'name', isSure: isRivalNear, isNowhere: fact.isDigits };
    }
    if (!isOpposite && Math.max(score, rival?.score ?? 0) < minAround && (rival || known.language === null))
      return { why: 'words', isSure: false };
    const isWhole = fact.of !== 'date' || (fact.quantity?.values[0] ?? 0) % 100 !== 0;
    if (fact.of.startsWith('code') && hasNumbers) continue;
    if (rival && isOfAnother(rival, bindings, known)) continue;
    const ahead = fact.of === 'date' && bindings.length > 1 ? 1.5 : minRival;
    if (rival && isWhole && rival.score > score * ahead + (isOpposite ? 0.15 : 0.02))
      return { why: isOpposite ? 'opposite' : 'relation', isSure: isRivalNear && rival.score > 1.5 * score };
    if (fact.bound && there.bound !== fact.bound)
      return { why: 'opposite', isSure: there.bound !== null && score >= minRivalScore };
    if (!isForeign && isOtherNoun(fact, there, known, unit, hits)) return { why: 'words', isSure: false };
    if (fact.quantity && there.quantity && !isPerSame(fact.quantity.per, there.quantity.per))
      return { why: 'unit', isSure: score >= minRivalScore };
    if (!isForeign && isForOther(fact.quantity?.per ?? [], there.quantity?.per ?? []))
      return { why: 'words', isSure: false };
  }
  return null;
}

/** A year that another sentence speaks of, where the one of the claim's other facts has only its other years. */
function isOfOtherYear(fact: Fact, unit: number, bindings: readonly Binding[], { units }: Prepared): boolean {
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
function isOfAnother(
  { unit, there: date }: { unit: number; there: Fact },
  bindings: readonly Binding[],
  known: Prepared,
) {
  const read = known.units[unit]?.read;
  if (!isPeriod(date) || !read || !bindings.some((each) => each.unit === unit && !isPeriod(each.fact))) return false;
  const figures = [...periodsOf(read)].filter(([, of]) => of === date).map(([figure]) => figure);
  return figures.length > 0 && !bindings.some(({ there }) => there && figures.includes(there));
}

/** "37 counties", where the sentence counts 37 states. */
function isOtherNoun(
  { quantity: asked }: Fact,
  { quantity: there }: Fact,
  { units }: Prepared,
  unit: number | null,
  hits: Measures['hits'],
): boolean {
  if (asked?.of !== 'count' || there?.of !== 'count' || asked.noun.length === 0 || there.noun.length === 0)
    return false;
  const own = new Set(asked.noun.flatMap((word) => analyze(word)));
  const { terms = [], head = [], around } = units[unit ?? -1] ?? {};
  const said = [...terms, ...head, ...(around?.keys() ?? [])].flatMap((term) => hits(term).map(([each]) => each));
  return own.size > 0 && !said.some((term) => own.has(term));
}

/** "20 euros per guest", where the sentence has them per crate: words that may still mean the same. */
function isForOther(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0 || [...one, ...other].some(isMeasureName)) return false;
  const others = new Set(other.flatMap((word) => analyze(word)));
  return !one.some((word) => analyze(word).some((term) => others.has(term)));
}

/** As `counted.ts` writes a measure, apart from a word. */
function isMeasureName(per: string): boolean {
  return per.includes(' ');
}

function isPerSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return true;
  if (!one.some(isMeasureName) && !other.some(isMeasureName)) return true;
  return (
    one.every((each) => !isMeasureName(each) || other.includes(each)) &&
    other.some((each) => !isMeasureName(each) || one.includes(each))
  );
}

/**
 * "5 to 30", where the document has "5 to 40", or "from 420 to 340" for the other way round: each number stands there.
 */
export function rangesDiffer(read: ReadText, bindings: readonly Binding[], known: Prepared): Difference | null {
  const isAt = (fact: Fact) => bindings.filter((each) => each.fact === fact).flatMap(({ unit }) => unit ?? []);
  const differ = rangesIn(read).some(([from, to]) => {
    const there = [...new Set([...isAt(from), ...isAt(to)])].flatMap((unit) => rangesIn(known.units[unit]?.read));
    const touched = there.filter((range) => range.some((end) => isSame(from, end) || isSame(to, end)));
    return touched.length > 0 && !touched.some(([one, other]) => isSame(from, one) && isSame(to, other));
  });
  return differ ? { why: 'relation', isSure: true } : null;
}

/** What a claim has and the passage has nowhere: years. Null: it has them. */
export function yearsLack(claim: string, known: Prepared): Difference | null {
  const years = [...numbersIn(claim)].filter((number) => /^(19|20)\d\d$/.test(number));
  return years.every((year) => known.years.has(year)) ? null : { why: 'number', isSure: true };
}

/** The same of names. @param asked what the question names may be unnamed in the passage */
export function namesLack(read: ReadText, question: Question, known: Prepared, asked: Asked | null): Difference | null {
  const isLacking = (name: string) => !measureOf(fold(name)) && !hasName(known, name);
  const lacking = namesIn(read.tokens, question.language).filter(isLacking);
  const short = read.tokens.filter(({ kind, text }) => kind === 'word' && /^\p{Lu}{3,8}$/u.test(text));
  // A question may name what the document leaves unnamed.
  const isSure = lacking.some((name) => !asked || asked.answer.includes(name));
  // A word in capitals may be an abbreviation also where a sentence begins, or one that is stressed.
  return lacking.length === 0 && !short.some(({ text }) => isLacking(text)) ? null : { why: 'name', isSure };
}

/** The facts of a claim stand in the passage, but not beside what the claim says of them. Null: they stand together. */
export function apartFrom(
  read: ReadText,
  bindings: readonly Binding[],
  { units }: Prepared,
  entities: readonly Entity[],
): Difference | null {
  return standTogether(read, bindings, units, entities) ? null : { why: 'relation', isSure: false };
}
