import type { Measures } from '#server/features/retrieval/question/coverage.ts';
import { analyze } from '#server/lib/analyze.ts';
import type { ReadText } from './facts/facts.ts';
import { isFunctionWord, isTelling } from './facts/language.ts';
import type { Token } from './facts/tokens.ts';
import { type PreparedPassage, type PreparedUnit, refersBack } from './passage.ts';

/** Words that both have, from which on one may be said to be written after the other. */
const minShared = 3;
/** Tokens of a claim and of a sentence that are laid beside each other. */
const maxLaid = 120;

/**
 * Whether words that the passage has of something else stand in the place of others: "the summary has the graphs" for
 * "the online report has the graphs".
 */
export function replaces(claim: ReadText, unit: PreparedUnit, known: PreparedPassage, hits: Measures['hits']): boolean {
  const [own, there] = [claim.tokens.slice(0, maxLaid), unit.read.tokens.slice(0, maxLaid)];
  const pairs = alike(own, there, hits);
  const telling = own.filter(isTelling).length;
  if (pairs.filter(([i]) => isTelling(own[i] as Token)).length < Math.max(minShared, telling / 2)) return false;
  const inUnit = new Set(unit.terms.flatMap((term) => hits(term).map(([each]) => each)));
  const inClaim = new Set(own.flatMap(({ text }) => analyze(text)));
  const elsewhere = new Set([...known.terms].flatMap((term) => hits(term).map(([each]) => each)));
  const isSaid = ({ text }: Token) =>
    analyze(text).some((term) => hits(term).some(([each]) => inClaim.has(each)) || inClaim.has(term));
  return [...pairs, [own.length, there.length] as const].some(([i, j], at) => {
    const [lastI, lastJ] = pairs[at - 1] ?? [-1, -1];
    const [run, other] = [own.slice(lastI + 1, i).filter(isTelling), there.slice(lastJ + 1, j).filter(isTelling)];
    const isBounded = at > 0 ? at < pairs.length && isPlaced(own, [lastI, i], there, [lastJ, j]) : startsAnew(unit);
    return (
      isBounded &&
      run.length > 0 &&
      other.length > 0 &&
      run.every(({ text }) => analyze(text).every((term) => !inUnit.has(term) && elsewhere.has(term))) &&
      other.every((token) => !isSaid(token))
    );
  });
}

/**
 * A name or a thing stands behind a small word, or right before a word that is said of it in both; elsewhere rather a
 * verb does.
 */
function isPlaced(
  own: readonly Token[],
  [from, to]: readonly [number, number],
  there: readonly Token[],
  [, end]: readonly [number, number],
): boolean {
  const first = own.findIndex((token, at) => at > from && isTelling(token));
  if (isFunctionWord(own[first - 1]?.folded ?? '')) return true;
  const [last, before, next] = [own[to - 1], there[end - 1], own[to]];
  return [last, before, next].every((token) => token !== undefined && isTelling(token));
}

/** Neither the rest of a broken line nor what goes on with something: "It is checked". */
function startsAnew({ unit }: PreparedUnit): boolean {
  return /^\p{Lu}/u.test(unit.text) && !refersBack.test(unit.text);
}

/** The longest row of words that both have in the same order, as their places in each. */
function alike(own: readonly Token[], there: readonly Token[], hits: Measures['hits']): [number, number][] {
  const termsOf = ({ text, folded }: Token) => {
    const terms = analyze(text);
    return new Set(terms.length > 0 ? terms : [folded]);
  };
  const asked = own.map(termsOf);
  const said = there.map((token) => {
    const terms = analyze(token.text);
    return new Set(
      terms.length > 0 ? terms.flatMap((term) => [term, ...hits(term).map(([each]) => each)]) : [token.folded],
    );
  });
  const lengths = Array.from({ length: own.length + 1 }, () => new Array<number>(there.length + 1).fill(0));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  const isAlike = (i: number, j: number) => !(asked[i] as Set<string>).isDisjointFrom(said[j] as Set<string>);
  for (let i = 1; i <= own.length; i++) {
    for (let j = 1; j <= there.length; j++)
      (lengths[i] as number[])[j] = isAlike(i - 1, j - 1) ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  }
  const pairs: [number, number][] = [];
  // From the end: of several small words the one right before the next word counts.
  for (let i = own.length, j = there.length; i > 0 && j > 0; ) {
    if (isAlike(i - 1, j - 1)) pairs.unshift([--i, --j]);
    else if (at(i - 1, j) >= at(i, j - 1)) i--;
    else j--;
  }
  return pairs;
}
