import type { Measures } from '#server/features/retrieval/question/coverage.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import type { Asked } from './asked.ts';
import { areRivals, type Fact, type ReadText } from './facts/facts.ts';
import { measureOf } from './facts/measures.ts';
import { isRounded } from './facts/rounding.ts';
import { fold } from './facts/tokens.ts';
import { hasName, namesIn } from './names.ts';
import { negationsIn } from './negation.ts';
import type { PreparedPassage, PreparedUnit } from './passage.ts';
import { type Difference, isOfAnother, isOfOtherYear } from './period-differences.ts';
import { isPeriod } from './periods.ts';
import { type Binding, type Entity, isTurning, standTogether } from './relation.ts';
import { isScaled, isWorkedOut } from './worked-out.ts';

/** How well another fact must fit a claim's words, as a share of them, to speak against it by itself. */
const minRivalScore = 0.4;
/** So many times as well must another number fit a claim's words to count as the one that is meant. */
const minRival = 1.5;
/** The same of a year, whose words often stand near another one, too. */
const minRivalYear = 1.25;
/** Share of a claim's words that must stand around its number where the language of both is not sure. */
const minAround = 0.12;

/** "config.txt", "/dev/sda", "wiki.example.org". */
const fileName = /^\p{L}[\p{L}\p{N}_-]+(?:\.[a-z]{2,5})+$/u;

const unsure = { isSure: false, isNowhere: false };

/** What else is known of a claim. */
interface Beside {
  /** The sentences that it rests on. */
  near: readonly PreparedUnit[];
  hits: Measures['hits'];
  isForeign: boolean;
  isAsked: boolean;
}

/** What of a claim's numbers, codes and opposites the passage has otherwise. */
export function differs(
  bindings: readonly Binding[],
  known: PreparedPassage,
  denials: number,
  { near, hits, isForeign, isAsked }: Beside,
): Difference | null {
  const { units } = known;
  const hasNumbers = bindings.some(({ fact, there }) => fact.quantity && there);
  for (const { fact, unit, there, score, rival, isCrossed } of bindings) {
    const isOpposite = isTurning(fact);
    if (fact.of === 'year') {
      if (there && unit !== null && isOfOtherYear(fact, unit, bindings, known))
        return { why: 'relation', isSure: false };
      if (!isAsked && there && rival && rival.score > score * minRivalYear) return { why: 'relation', isSure: false };
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
      const isAnyRival = units.some(({ read }) => read.facts.some((other) => areRivals(fact, other)));
      return {
        why: fact.quantity ? 'number' : 'name',
        isSure: isRivalNear || fact.isDigits,
        isNowhere: fact.isDigits && isAnyRival,
        ...((isWorkedOut(fact, near, units) || isScaled(fact, near, known.plain)) && unsure),
      };
    }
    if (!isOpposite && Math.max(score, rival?.score ?? 0) < minAround && (rival || known.language === null))
      return { why: 'words', isSure: false };
    const isWhole = fact.of !== 'date' || (fact.quantity?.values[0] ?? 0) % 100 !== 0;
    if (fact.of.startsWith('code') && hasNumbers) continue;
    if (rival && isOfAnother(rival, bindings, known)) continue;
    const isBeside = rival !== null && !isCrossed && isBesideOwn(fact, bindings, known);
    const ahead = fact.of === 'date' && bindings.length > 1 ? 1.5 : minRival;
    if (rival && isWhole && !isBeside && rival.score > score * ahead + (isOpposite ? 0.15 : 0.02))
      return {
        why: isOpposite ? 'opposite' : 'relation',
        isSure: isRivalNear && rival.score > (rival.unit === unit ? 2 : 1.5) * score,
      };
    if (fact.bound && there.bound !== fact.bound && !isRounded(fact, there))
      return { why: 'opposite', isSure: there.bound !== null && score >= minRivalScore };
    if (!isForeign && isOtherNoun(fact, there, known, unit, hits)) return { why: 'words', isSure: false };
    if (fact.quantity && there.quantity && !isPerSame(fact.quantity.per, there.quantity.per))
      return { why: 'unit', isSure: score >= minRivalScore };
    if (!isForeign && isForOther(fact.quantity?.per ?? [], there.quantity?.per ?? []))
      return { why: 'words', isSure: false };
  }
  return null;
}

/** Right beside it another number of the claim's stands in both, and nothing fits better: "from 36 % to 70 %". */
function isBesideOwn(fact: Fact, bindings: readonly Binding[], { units }: PreparedPassage): boolean {
  const own = bindings.find((each) => each.fact === fact);
  if (!own?.there || own.unit === null || !fact.quantity || isPeriod(fact)) return false;
  const { there, unit } = own;
  return bindings.some((other) => {
    if (other === own || other.unit !== unit || !other.there || other.isCrossed || other.there.of !== there.of)
      return false;
    const isJoint = (one: Fact, another: Fact) =>
      Math.max(one.start, another.start) - Math.min(one.end, another.end) <= 1;
    if (isJoint(fact, other.fact) && isJoint(there, other.there)) return true;
    if (other.fact.of !== fact.of || (other.rival?.score ?? 0) > other.score * minRival + 0.02) return false;
    const [from, to] = [Math.min(there.start, other.there.start), Math.max(there.start, other.there.start)];
    return (
      from < to && !units[unit]?.read.facts.some((each) => each.of === there.of && each.start > from && each.start < to)
    );
  });
}

/** "37 counties", where the sentence counts 37 states. */
function isOtherNoun(
  { quantity: asked }: Fact,
  { quantity: there }: Fact,
  { units }: PreparedPassage,
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
 * Names of a claim that the passage has nowhere. Null: it has them. Where the sentences that it rests on name nobody
 * else, nobody stands in their place: a row does not say whose it is.
 * @param asked what the question names may be unnamed in the passage
 * @param near the sentences that the claim rests on
 */
export function namesLack(
  read: ReadText,
  question: Question,
  known: PreparedPassage,
  asked: Asked | null,
  near: readonly PreparedUnit[],
): Difference | null {
  const isLacking = (name: string) => !measureOf(fold(name)) && !hasName(known, name);
  const lacking = namesIn(read.tokens, question.language).filter(isLacking);
  const short = read.tokens.filter(({ kind, text }) => kind === 'word' && /^\p{Lu}{2,8}$/u.test(text));
  // "config.txt": a file or the like is called by this name alone.
  const files = read.tokens.filter(({ kind, text }) => kind === 'word' && fileName.test(text));
  const letters = (text: string) => fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
  const isThere = (text: string) => letters(known.plain).includes(letters(text));
  // A question may name what the document leaves unnamed.
  const said = new Set(read.tokens.map(({ folded }) => folded));
  const isOther = near.some(({ names }) => [...names].some((name) => !said.has(name)));
  const isSure = isOther && lacking.some((name) => !asked || asked.answer.includes(name));
  // Capitals may be an abbreviation also where a sentence begins, or stress a word.
  return lacking.length === 0 && !short.some(({ text }) => isLacking(text)) && files.every(({ text }) => isThere(text))
    ? null
    : { why: 'name', isSure };
}

/** The facts of a claim stand in the passage, but not beside what the claim says of them. Null: they stand together. */
export function apartFrom(
  read: ReadText,
  bindings: readonly Binding[],
  { units }: PreparedPassage,
  entities: readonly Entity[],
): Difference | null {
  return standTogether(read, bindings, units, entities) ? null : { why: 'relation', isSure: false };
}
