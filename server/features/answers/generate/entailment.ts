import { createCoverage } from '#server/features/retrieval/question/coverage.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import type { Unit } from '../extract/unit.ts';
import type { Verdict, Why } from './checked-part.ts';
import { addsToo } from './claim-check/additions.ts';
import { askedIn, lists } from './claim-check/asked.ts';
import { changesDiffer, rangesDiffer } from './claim-check/change-differences.ts';
import { apartFrom, differs, namesLack } from './claim-check/differences.ts';
import { type Fact, isSame, readText } from './claim-check/facts/facts.ts';
import { languageOf } from './claim-check/facts/language.ts';
import { tokensIn } from './claim-check/facts/tokens.ts';
import { saysInOtherWords } from './claim-check/foreign.ts';
import { entitiesOf } from './claim-check/names.ts';
import { deniesAlone, deniesLike, deniesOnCondition, deniesTheSame, negationsIn } from './claim-check/negation.ts';
import {
  type PreparedPassage,
  type PreparedUnit,
  plain,
  prepare,
  type SupportingPassage,
} from './claim-check/passage.ts';
import { periodsDiffer, yearsLack } from './claim-check/period-differences.ts';
import { type Binding, bind, isTurning } from './claim-check/relation.ts';
import { isDenial, isQuestion, leadsUp } from './claim-check/statements.ts';
import { asWritten } from './claim-check/wording.ts';
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
/** Another sentence that has so much of what the best one has may be the one that a claim denies something with. */
const minOfOther = 0.6;
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
  const parts = typeof written === 'string' ? [{ text: written, context: [] }] : written;
  const { claim: said, lacks } = claimFor(parts, known, weigh);
  const claim = asWritten(said, known, passage.above);
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
  const mayState = (i: number) => isIn(i) && !leadsUp(known.units[i], coverage);
  const ownMost = Math.max(0, ...covers.map(({ own, i }) => (mayState(i) ? own : 0)));
  const best = covers
    .filter(({ own, i }) => mayState(i) && own >= nearlyBest * ownMost)
    .sort((one, other) => other.own - one.own);
  const nearest = known.units[best[0]?.i ?? -1]?.unit ?? null;
  const other = (outcome: 'contradicted' | 'not-checked', why: Why, unit = nearest): Verdict => ({
    outcome,
    why,
    unit,
    covered: most,
  });
  const isCopied = known.plain.includes(plain(claim));
  const copied = isCopied ? nearest : wholeCell(parts, known);
  if (copied && !lacks) return { outcome: 'supported', unit: copied, covered: most, beside: [] };

  if (!isForeign && bound.size === 0 && most < absent) return other('contradicted', 'absent');
  const asked = askedIn(claim);
  const near = [best[0]?.i ?? -1, ...bound].flatMap((i) => known.units[i] ?? []);
  const isListed = ({ quantity, isDigits }: Fact) =>
    asked !== null && quantity?.of === 'count' && !isDigits && lists(asked.answer, quantity.values[0] ?? 0);
  const told =
    differs(
      bindings.filter(({ fact, there }) => there || !isListed(fact)),
      known,
      negationsIn(read.plain).length,
      { near, hits: coverage.hits, isForeign, isAsked: asked !== null },
    ) ??
    rangesDiffer(read, bindings, known) ??
    changesDiffer(read, bindings, known) ??
    // Years of a question are not claimed of anything.
    (asked === null ? periodsDiffer(read, bindings, known) : null) ??
    yearsLack(claim, known, near) ??
    namesLack(read, question, known, asked, near) ??
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
  const stated = best.slice(0, maxAlike).filter(({ i }) => !isQuestion(known.units[i]?.unit.text ?? ''));
  const says = stated.find(({ i }) =>
    deniesTheSame(
      asked && isDenial(asked.answer) ? `${asked.answer} ${asked.question}` : read.plain,
      [...new Set([i, ...bound])].map((each) => saidBy(known.units[each], bindings)).join('. '),
      question,
      [...new Set([i, ...bound])].map((each) => known.units[each]?.unit.text ?? '').join('. '),
    ),
  );
  const unit = says && known.units[says.i]?.unit;
  if (unit && lacks) return other('not-checked', 'words', unit);
  // How an answer was asked for is nobody's claim.
  const answered = asked ? readText(asked.answer, language) : read;
  const isAnswerCopied = asked !== null && known.plain.includes(plain(asked.answer));
  if (unit && !isAnswerCopied && addsToo(answered, [...bound, says.i], known, question, coverage))
    return other('not-checked', 'words', unit);
  const beside = [...bound].flatMap((i) => known.units[i]?.unit ?? []);
  if (unit) return { outcome: 'supported', unit, covered: most, beside };
  // What is only asked, or holds on a condition, denies nothing; and another sentence may say the same.
  const isDenied = stated
    .map(({ i }) => known.units[i]?.unit.text ?? '')
    .some((text) => !deniesOnCondition(text) && deniesAlone(claim, text));
  const isDeniedToo = covers
    .slice(0, maxAlike)
    .some(
      ({ i, own }) => own >= minOfOther * ownMost && deniesLike(read.plain, known.units[i]?.unit.text ?? '', question),
    );
  return other(isDenied && !isDeniedToo && most >= minToDeny ? 'contradicted' : 'not-checked', 'negation');
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

/**
 * The sentence that a cell copies as a whole: it says of what it speaks itself, unless the label names somebody or
 * something else. Where all nouns have a capital that cannot be told.
 */
function wholeCell(parts: readonly Pick<ClaimPart, 'text' | 'context'>[], known: PreparedPassage): Unit | null {
  const [part, ...others] = parts;
  if (!part || others.length > 0 || known.language === null || known.language === 'de') return null;
  const isNamed = part.context.some((label) =>
    tokensIn(label).some(({ kind, folded }) => kind !== 'word' || known.names.has(folded)),
  );
  const found = isNamed
    ? undefined
    : known.units.find(({ unit }) => !unit.row && plain(unit.text) === plain(part.text));
  return found?.unit ?? null;
}
