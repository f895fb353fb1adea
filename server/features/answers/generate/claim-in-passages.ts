import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { createPause } from '#server/lib/pause.ts';
import type { Unit } from '../extract/unit.ts';
import type { CheckedPair } from './checked-part.ts';
import { type SupportingPassage, shareAbbreviations } from './claim-check/passage.ts';
import { keepingLast } from './claim-check/words.ts';
import type { ClaimPart } from './claim-structure.ts';
import { checkClaim } from './entailment.ts';

/** Of one answer, a claim in one passage each: an answer of thirty sentences needs some two hundred. */
const maxLookUps = 800;
/** Words of a claim that a second sentence must add. */
const minRest = 2;

/** Checks claims in one passage or two, so often and not more. */
export function createClaimInPassages(passages: readonly SupportingPassage[], weigh: (text: string) => Question) {
  shareAbbreviations(passages);
  const weighed = keepingLast(weigh);
  const merged = new Map<string, SupportingPassage>();
  const pause = createPause();
  let lookUps = 0;

  /** @returns null where there is no such passage, or too much was looked up */
  async function check(
    parts: readonly ClaimPart[],
    index: number,
    named: 'named' | 'unnamed',
  ): Promise<CheckedPair | null> {
    const passage = passages[index];
    if (!passage || parts.length === 0 || lookUps++ >= maxLookUps) return null;
    const verdict = checkClaim(parts, passage, weighed, named);
    await pause();
    return { claim: parts.map(({ text }) => text).join('; '), passage: index, isNamed: named === 'named', verdict };
  }

  async function checkTwo(parts: readonly ClaimPart[], one: number, other: number): Promise<CheckedPair[]> {
    const [first, second] = [passages[one], passages[other]];
    if (!first || !second || parts.length === 0 || lookUps++ >= maxLookUps) return [];
    const both = merged.get(`${one} ${other}`) ?? {
      above: `${first.above} ${second.above}`,
      units: [...first.units, ...second.units],
    };
    merged.set(`${one} ${other}`, both);
    const verdict = checkClaim(parts, both, weighed, 'named');
    await pause();
    if (verdict.outcome !== 'supported') return [];
    const claim = parts.map(({ text }) => text).join('; ');
    const said = [verdict.unit, ...verdict.beside];
    const unitIn = ({ units }: SupportingPassage) =>
      said.find((unit) => units.includes(unit)) ?? restIn(units, claim, verdict.unit);
    const [here, there] = [unitIn(first), unitIn(second)];
    if (!here || !there) return [];
    const common = { claim, isNamed: true };
    return [
      { ...common, passage: one, verdict: { ...verdict, unit: here }, together: { passage: other, unit: there } },
      { ...common, passage: other, verdict: { ...verdict, unit: there }, together: { passage: one, unit: here } },
    ];
  }

  return {
    check,
    checkTwo,
    /** So much was looked up that nothing more is. */
    isSpent: () => lookUps >= maxLookUps,
    /** Claims may be looked up part by part: what is left serves claims that are to come. */
    hasRoom: () => lookUps < maxLookUps / 2,
  };
}

/** The sentence that has most of a claim's words that another one lacks; null where none has several. */
function restIn(units: readonly Unit[], claim: string, { text }: Unit): Unit | null {
  const said = new Set(analyze(text));
  const left = new Set(analyze(claim).filter((term) => !said.has(term)));
  let best: { unit: Unit; shared: number } | null = null;
  for (const unit of units) {
    const shared = new Set(analyze(unit.text)).intersection(left).size;
    if (shared >= minRest && shared > (best?.shared ?? 0)) best = { unit, shared };
  }
  return best?.unit ?? null;
}
