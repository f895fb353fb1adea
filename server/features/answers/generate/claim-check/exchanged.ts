import type { Measures } from '#server/features/retrieval/question/coverage.ts';
import { analyze } from '#server/lib/analyze.ts';
import { type Item, isLight, itemsOf } from './added-run.ts';
import { isSame, type ReadText } from './facts/facts.ts';
import { isFunctionWord } from './facts/language.ts';
import { type Token, wordSet } from './facts/tokens.ts';
import type { PreparedPassage, PreparedUnit } from './passage.ts';
import { replaces } from './replaced.ts';

/** "A instead of B": what stands behind it is what is not so. */
const instead =
  /(?<!\p{L})(?:instead of|rather than|in place of|as opposed to|anstelle von|anstatt|statt|au lieu d[eu']|plutôt que|en lugar de|en vez de)(?!\p{L})/iu;
/** "Replaced A with B", "A was replaced by B". */
const replacing =
  /(?:(?<left>[^.;:!?]{1,120}?)\s(?:was|were|is|are|been|be)\s+(?:replaced|substituted)|(?:replaced|substituted|replaces?)\s(?<left>[^.;:!?]{1,120}?))\s(?:with|by)\s(?<preferred>[^,.;:!?]{1,60})/iu;
/** In the passive voice the doer and what is done change places. */
const passive =
  /(?<!\p{L})(?:by|is|are|was|were|be|been|being|von|durch|wird|werden|wurden?|worden|ist|sind|par|est|sont|était|étaient|été|por|es|son|fue|fueron|sido|se)(?!\p{L})/iu;
/** Between two things that may not change places; each set has the words of one meaning. */
const joints = [
  wordSet('but while whereas aber wahrend mais tandis pero mientras sino'),
  wordSet('into to zu zum zur'),
  wordSet('than als'),
  wordSet('before vor avant antes'),
  wordSet('after nach apres despues'),
];
/** What a small word is called among the words of a text. */
const joint = 'joint ';
/** Words and numbers of a sentence that are put in another order; of more nobody can say what changed places. */
const maxItems = 24;
/** Words that both have, from which on one may be said to be written after the other. */
const minShared = 3;
/** Share of a claim's words that may be others than the sentence's: its subject may have another name. */
const maxMissing = 0.2;
/** So many words behind "instead of" are what is meant. */
const maxReach = 5;

/**
 * Whether a claim has the words of a sentence in another order, or another thing's name in the place of one of its
 * words. Words and numbers alone cannot tell: all of them stand there.
 * @param units those that have the claim's facts, and the one that is nearest to it
 */
export function isExchanged(
  claim: ReadText,
  units: readonly PreparedUnit[],
  known: PreparedPassage,
  weights: ReadonlyMap<string, number>,
  hits: Measures['hits'],
): boolean {
  const prefers = turnsPreference(claim, units, hits);
  if (prefers !== null) return prefers;
  return units.some(
    (unit) => !unit.unit.row && (changesPlaces(claim, unit, weights, hits) || replaces(claim, unit, known, hits)),
  );
}

/** Whether a claim prefers what a sentence puts aside; null where one of both prefers nothing. */
function turnsPreference(claim: ReadText, units: readonly PreparedUnit[], hits: Measures['hits']): boolean | null {
  const own = sidesOf(claim.plain);
  if (!own) return null;
  const others = units.flatMap(({ unit }) => {
    const sides = sidesOf(unit.text);
    return sides ? [{ preferred: forms(sides.preferred, hits), left: forms(sides.left, hits) }] : [];
  });
  if (others.length === 0) return null;
  const has = (terms: ReadonlySet<string>, side: string) => analyze(side).some((term) => terms.has(term));
  return others.every(({ preferred, left }) => {
    const differing = (one: Set<string>, other: Set<string>) => new Set([...one].filter((term) => !other.has(term)));
    return has(differing(preferred, left), own.left) || has(differing(left, preferred), own.preferred);
  });
}

function sidesOf(text: string): { preferred: string; left: string } | null {
  const { left, preferred } = replacing.exec(text)?.groups ?? {};
  if (left !== undefined && preferred !== undefined) return { left, preferred };
  const found = instead.exec(text);
  if (!found) return null;
  const behind = text.slice(found.index + found[0].length).split(/[,;:.!?()]\s/)[0] ?? '';
  const before = text.slice(0, found.index).split(/[;:.!?]\s/);
  return { preferred: before.at(-1) ?? '', left: behind.trim().split(/\s+/, maxReach).join(' ') };
}

function forms(text: string, hits: Measures['hits']): Set<string> {
  return new Set(analyze(text).flatMap((term) => hits(term).map(([each]) => each)));
}

/**
 * Whether a claim has nearly all of its words from a sentence, and two parts of them stand in each other's place around
 * a third.
 */
function changesPlaces(
  claim: ReadText,
  { read, unit }: PreparedUnit,
  weights: ReadonlyMap<string, number>,
  hits: Measures['hits'],
): boolean {
  if (passive.test(claim.plain) !== passive.test(unit.text)) return false;
  const numbers = claim.facts.filter(({ quantity }) => quantity !== null);
  const own = withJoints(
    claim,
    itemsOf(
      claim,
      (word) => new Set(analyze(word).filter((term) => weights.has(term))),
      (fact) => new Set([fact]),
    ).filter(({ same }) => same.size > 0),
  );
  const there = withJoints(
    read,
    itemsOf(
      read,
      (word) => new Set(analyze(word).flatMap((term) => hits(term).map(([each]) => each))),
      (fact) => new Set(numbers.filter((each) => isSame(each, fact))),
    ),
  );
  const isInBrackets = bracketed(read.tokens);
  const places = own.map(({ same }) => {
    const all = there.flatMap((item, j) => (item.same.isDisjointFrom(same) ? [] : [j]));
    // "Deny it by default (that is, deny all)": what is in brackets says again what stands before them.
    const outside = all.filter((j) => !isInBrackets.has(there[j]?.at ?? -1));
    return outside.length > 0 ? outside : all;
  });
  const missing = places.filter((at, i) => at.length === 0 && !isLight(claim.tokens, own[i] as Item, own[i - 1]));
  if (missing.length > maxMissing * own.length) return false;
  // A word that stands there twice may be either.
  const certain = own.flatMap((item, i) => {
    const [at, ...others] = places[i] ?? [];
    const isAgain = own.some((other, j) => j !== i && !other.same.isDisjointFrom(item.same));
    return at === undefined || others.length > 0 || isAgain ? [] : [{ item, at }];
  });
  if (certain.length < minShared || certain.length > maxItems) return false;
  // "Transport damage" is damage in transport: what changes places has another word before it.
  const isApart = (i: number) =>
    (certain[i]?.item.at ?? 0) > (certain[i - 1]?.item.end ?? 0) || isJoint(certain[i - 1]?.item);
  const found = exchangeIn(
    certain.map(({ at }) => at),
    isApart,
  );
  if (!found) return false;
  const [one, another] = [certain[found[0]]?.item, certain[found[1]]?.item];
  // Statements may stand in any order.
  if (one?.statement !== another?.statement) return false;
  const ends = ([from, to]: readonly [number, number], of: (at: number) => Item | undefined) =>
    [of(from)?.at ?? 0, of(to)?.end ?? 0] as const;
  const [start, end] = ends(found, (at) => certain[at]?.item);
  const span = certain.slice(found[0], found[1] + 1).map(({ at }) => at);
  const [from, to] = ends([Math.min(...span), Math.max(...span)], (at) => there[at]);
  return !isList(claim.tokens.slice(start, end)) && !isList(read.tokens.slice(from, to));
}

function isJoint(item: Item | undefined): boolean {
  return item !== undefined && [...item.same].some((each) => typeof each === 'string' && each.startsWith(joint));
}

/** A text's words with the small ones that set two things against each other in this order, and no other. */
function withJoints({ tokens }: ReadText, items: readonly Item[]): Item[] {
  const taken = new Set(items.map(({ at }) => at));
  const found = tokens.flatMap(({ folded }, at): Item[] => {
    const group = joints.findIndex((words) => words.has(folded));
    if (group === -1 || taken.has(at)) return [];
    const statement = items.findLast((item) => item.at < at)?.statement ?? 0;
    return [{ at, end: at + 1, same: new Set([`${joint}${group}`]), isSayable: false, statement }];
  });
  return [...items, ...found].sort((one, other) => one.at - other.at);
}

/** The tokens that stand in brackets. */
function bracketed(tokens: readonly Token[]): ReadonlySet<number> {
  let isInside = false;
  return new Set(
    tokens.flatMap(({ text }, at) => {
      if (text === '(' || text === ')') isInside = text === '(';
      return isInside ? [at] : [];
    }),
  );
}

/** Members of a list may stand in any order. */
function isList(tokens: readonly Token[]): boolean {
  return tokens.every(({ kind, folded, text }) =>
    kind === 'sign'
      ? /^[,;/]$/.test(text)
      : !isFunctionWord(folded) || /^(?:and|or|und|oder|et|ou|y|e|o|u)$/.test(folded),
  );
}

/**
 * Where two runs of a row of numbers around a third one would have to change places, and nothing else, for all to rise;
 * null where that is not so.
 */
function exchangeIn(row: readonly number[], isApart: (i: number) => boolean): readonly [number, number] | null {
  const isRising = (some: readonly number[]) => some.every((each, i) => i === 0 || each > (some[i - 1] ?? 0));
  if (isRising(row)) return null;
  const inOrder = row.toSorted((one, other) => one - other);
  const first = row.findIndex((each, i) => each !== inOrder[i]);
  const last = row.findLastIndex((each, i) => each !== inOrder[i]);
  for (let i = first + 1; i <= last; i++) {
    for (let j = i + 1; j <= last; j++) {
      const [before, between, behind] = [row.slice(first, i), row.slice(i, j), row.slice(j, last + 1)];
      if (isApart(j) && isRising([...row.slice(0, first), ...behind, ...between, ...before, ...row.slice(last + 1)]))
        return [first, last];
    }
  }
  return null;
}
