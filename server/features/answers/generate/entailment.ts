import { createCoverage } from '#server/features/retrieval/coverage.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import type { Verdict, Why } from './checked-part.ts';
import { addsToo } from './claim-check/additions.ts';
import { type Asked, askedIn, lists } from './claim-check/asked.ts';
import { type Fact, isSame, type ReadText, rangesIn, readText } from './claim-check/facts.ts';
import { saysInOtherWords } from './claim-check/foreign.ts';
import { languageOf } from './claim-check/language.ts';
import { measureOf } from './claim-check/measures.ts';
import { entitiesOf, hasName, namesIn } from './claim-check/names.ts';
import { deniesTheSame, negationsIn } from './claim-check/negation.ts';
import {
  numbersIn,
  type Prepared,
  type PreparedUnit,
  plain,
  prepare,
  type SupportingPassage,
} from './claim-check/passage.ts';
import { isPeriod, periodsOf } from './claim-check/periods.ts';
import { type Binding, bind, type Entity, isTurning, standTogether } from './claim-check/relation.ts';
import { fold } from './claim-check/tokens.ts';
import { claimFor, coveredBy, wordsOf } from './claim-check/words.ts';
import type { ClaimPart } from './claim-structure.ts';

/** Share of the claim's weight that the best sentence and what stands around it must have. */
const minCoverage = { named: 0.2, unnamed: 0.3 };

/** A sentence that has this share of the best one's words may support the claim in its place. */
const nearlyBest = 0.95;

/** Less of a claim than this in the whole passage, and the passage is about something else. */
const absent = 0.05;
/** Where so much of a claim stands in a passage, something else in one place speaks against it. */
const minToContradict = 0.6;
const minToDeny = 0.75;
const minToDenyName = 0.3;
const minRivalScore = 0.4;
/** So many times as well must another number fit a claim's words to count as the one that is meant. */
const minRival = 1.5;
/** Share of a claim's words that must stand around its number where the language of both is not sure. */
const minAround = 0.12;
/** Sentences whose words support a claim nearly equally well, and whose negations are compared with it. */
const maxAlike = 40;

/**
 * Checks a claim against a passage. It is supported where its numbers, dates, codes and opposites stand with the same
 * words around them as in the claim, enough of its words and all of its names stand there, too, and nothing is denied
 * in one of both alone.
 * @param weigh the claim's words by their rarity in the company's documents
 * @param named whether the claim names the passage; where it names none, more of it must stand there
 */
export function checkClaim(
  written: string | readonly Pick<ClaimPart, 'text' | 'context'>[],
  passage: SupportingPassage,
  weigh: (text: string) => Question,
  named: 'named' | 'unnamed' = 'named',
): Verdict {
  const known = prepare(passage);
  const { claim, lacks } = claimFor(
    typeof written === 'string' ? [{ text: written, context: [] }] : written,
    known,
    weigh,
  );
  const question = weigh(claim);
  if (question.total === 0) return { outcome: 'contradicted', why: 'absent', unit: null, covered: 0 };
  const language = languageOf(claim) ?? known.language ?? 'en';
  const read = readText(claim, language);
  const coverage = createCoverage(question);
  const isForeign = known.language !== null && language !== known.language;
  const bindings = bind(read, known.units, wordsOf(read, question, coverage));
  const cover = coveredBy(known, passage, coverage);
  const found = bindings.filter(({ fact, unit }) => unit !== null && !isTurning(fact));
  const isCode = ({ fact }: Binding) => fact.of.startsWith('code');
  // A code alone may stand in many sentences, of which none is the one that is meant.
  const bound = new Set(found.every(isCode) ? [] : found.flatMap(({ unit }) => unit ?? []));
  const isIn = (i: number) =>
    bound.size > 0
      ? bound.has(i)
      : found.every(({ fact }) => known.units[i]?.read.facts.some((there) => isSame(fact, there)));
  const covers = known.units.map((_, i) => ({ i, own: cover([i]), covered: cover([i, ...bound]) }));
  const most = Math.max(0, ...covers.map(({ covered }) => covered));
  const ownMost = Math.max(0, ...covers.map(({ own, i }) => (isIn(i) ? own : 0)));
  const best = covers
    .filter(({ own, i }) => isIn(i) && own >= nearlyBest * ownMost)
    .sort((one, other) => other.own - one.own);
  const nearest = known.units[best[0]?.i ?? -1]?.unit ?? null;
  const other = (outcome: 'contradicted' | 'not-checked', why: Why, unit = nearest): Verdict => ({
    outcome,
    why,
    unit,
    covered: most,
  });
  const isCopied = known.plain.includes(plain(claim));
  if (isCopied && nearest && !lacks) return { outcome: 'supported', unit: nearest, covered: most, beside: [] };

  if (!isForeign && bound.size === 0 && most < absent) return other('contradicted', 'absent');
  const asked = askedIn(claim);
  const isListed = ({ quantity, isDigits }: Fact) =>
    asked !== null && quantity?.of === 'count' && !isDigits && lists(asked.answer, quantity.values[0] ?? 0);
  const told =
    differs(
      bindings.filter(({ fact, there }) => there || !isListed(fact)),
      known,
      negationsIn(read.plain).length,
    ) ??
    rangesDiffer(read, bindings, known) ??
    yearsLack(claim, known) ??
    namesLack(read, question, known, asked) ??
    apartFrom(read, bindings, known, entitiesOf(read, question.language, known.names));
  if (told) {
    const isAgainst =
      told.isNowhere || (told.isSure && most >= (told.why === 'name' ? minToDenyName : minToContradict));
    return other(!isForeign && isAgainst ? 'contradicted' : 'not-checked', told.why);
  }
  if (isForeign) {
    const same = known.units[saysInOtherWords(read, bindings, known, language) ?? -1]?.unit;
    return same ? { outcome: 'supported', unit: same, covered: most, beside: [] } : other('not-checked', 'language');
  }
  if (most < minCoverage[named]) return other('not-checked', 'words');
  const says = best
    .slice(0, maxAlike)
    .filter(({ i }) => !isQuestion(known.units[i]?.unit.text ?? ''))
    .find(({ i }) =>
      deniesTheSame(
        read.plain,
        [...new Set([i, ...bound])].map((each) => saidBy(known.units[each], bindings)).join('. '),
        question,
      ),
    );
  const unit = says && known.units[says.i]?.unit;
  if (unit && lacks) return other('not-checked', 'words', unit);
  // How an answer was asked for is nobody's claim.
  const said = asked ? readText(asked.answer, language) : read;
  if (unit && addsToo(said, [...bound, says.i], known, question, coverage)) return other('not-checked', 'words', unit);
  const beside = [...bound].flatMap((i) => known.units[i]?.unit ?? []);
  if (unit) return { outcome: 'supported', unit, covered: most, beside };
  return other(most >= minToDeny ? 'contradicted' : 'not-checked', 'negation');
}

/**
 * What a sentence says; of a row its cells, with the names of those columns alone that the claim's numbers stand in.
 */
function saidBy(of: PreparedUnit | undefined, bindings: readonly Binding[]): string {
  const { row } = of?.unit ?? {};
  if (!of || !row?.header) return of?.whole ?? '';
  const numbers = bindings.flatMap(({ there }) => {
    const at = there && of.read.facts.includes(there) ? there.start : null;
    return at === null ? [] : [of.read.tokens[at]?.text ?? ''];
  });
  const names = row.header.filter((_, i) => numbers.some((number) => row.cells[i]?.includes(number)));
  return [...names, ...row.cells].join(' ; ');
}

/** What a document asks it does not say. */
function isQuestion(text: string): boolean {
  return /[?？؟]["'»”’)\]\s]*$/u.test(text);
}

/** What speaks against a claim, and whether something else stands in its place, so that it is no matter of words. */
interface Difference {
  why: Why;
  isSure: boolean;
  /** A number that is written in digits, and stands nowhere in the passage in any form. */
  isNowhere?: boolean;
}

/** What of a claim's numbers, codes and opposites the passage has otherwise. */
function differs(bindings: readonly Binding[], known: Prepared, denials: number): Difference | null {
  const { units } = known;
  const hasNumbers = bindings.some(({ fact, there }) => fact.quantity && there);
  for (const { fact, there, score, rival } of bindings) {
    const isOpposite = isTurning(fact);
    if (fact.of === 'year') continue;
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
    if (fact.quantity && there.quantity && !isPerSame(fact.quantity.per, there.quantity.per))
      return { why: 'unit', isSure: score >= minRivalScore };
  }
  return null;
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

function isPerSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return true;
  const isMeasure = (each: string) => each.includes(' ');
  if (!one.some(isMeasure) && !other.some(isMeasure)) return true;
  return (
    one.every((each) => !isMeasure(each) || other.includes(each)) &&
    other.some((each) => !isMeasure(each) || one.includes(each))
  );
}

/**
 * "5 to 30", where the document has "5 to 40", or "from 420 to 340" for the other way round: each number stands there.
 */
function rangesDiffer(read: ReadText, bindings: readonly Binding[], known: Prepared): Difference | null {
  const isAt = (fact: Fact) => bindings.filter((each) => each.fact === fact).flatMap(({ unit }) => unit ?? []);
  const differ = rangesIn(read).some(([from, to]) => {
    const there = [...new Set([...isAt(from), ...isAt(to)])].flatMap((unit) => rangesIn(known.units[unit]?.read));
    const touched = there.filter((range) => range.some((end) => isSame(from, end) || isSame(to, end)));
    return touched.length > 0 && !touched.some(([one, other]) => isSame(from, one) && isSame(to, other));
  });
  return differ ? { why: 'relation', isSure: true } : null;
}

function yearsLack(claim: string, known: Prepared): Difference | null {
  const years = [...numbersIn(claim)].filter((number) => /^(19|20)\d\d$/.test(number));
  return years.every((year) => known.years.has(year)) ? null : { why: 'number', isSure: true };
}

function namesLack(read: ReadText, question: Question, known: Prepared, asked: Asked | null): Difference | null {
  const isLacking = (name: string) => !measureOf(fold(name)) && !hasName(known, name);
  const lacking = namesIn(read.tokens, question.language).filter(isLacking);
  const short = read.tokens.filter(({ kind, text }) => kind === 'word' && /^\p{Lu}{3,8}$/u.test(text));
  // A question may name what the document leaves unnamed.
  const isSure = lacking.some((name) => !asked || asked.answer.includes(name));
  // A word in capitals may be an abbreviation also where a sentence begins, or one that is stressed.
  return lacking.length === 0 && !short.some(({ text }) => isLacking(text)) ? null : { why: 'name', isSure };
}

function apartFrom(
  read: ReadText,
  bindings: readonly Binding[],
  { units }: Prepared,
  entities: readonly Entity[],
): Difference | null {
  return standTogether(read, bindings, units, entities) ? null : { why: 'relation', isSure: false };
}
