import type { Question } from '#server/features/retrieval/retrieval.ts';
import { createPause } from '#server/lib/pause.ts';
import { type CheckedPair, isSupported } from './checked-part.ts';
import type { SupportingPassage } from './claim-check/passage.ts';
import { keepingLast } from './claim-check/words.ts';
import type { ClaimPart } from './claim-structure.ts';
import { checkClaim } from './support.ts';

/** Of one answer, a claim in one passage each: an answer of thirty sentences needs some two hundred. */
const maxLookUps = 800;
/** Of a claim so much stands in a passage that no other one has more of it. */
const nearlyAll = 0.9;
/** A passage that has less of a claim than this share of what another one has does not say it in its place. */
const leastBesideBest = 0.9;

/** Looks the claims of one answer up in the passages that it was written from, as far as that is within all reason. */
export function createLookUp(passages: readonly SupportingPassage[], weigh: (text: string) => Question) {
  const weighed = keepingLast(weigh);
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

  return {
    /** So much was looked up that nothing more is. */
    isSpent: () => lookUps >= maxLookUps,
    /** Claims may be looked up part by part: what is left serves claims that are to come. */
    hasRoom: () => lookUps < maxLookUps / 2,
    /** In the passages that the model named, each by itself. */
    async inNamed(parts: readonly ClaimPart[], named: readonly number[]): Promise<CheckedPair[]> {
      const pairs: CheckedPair[] = [];
      for (const index of named) {
        const pair = await check(parts, index, 'named');
        if (pair) pairs.push(pair);
      }
      return pairs;
    },

    /**
     * In all others. One alone may say it, and only if no other passage has more of the claim: the one that has most
     * speaks of the same thing, and is believed where it has something else in its place.
     * @param before what came of it in the passages that were named
     */
    async inOthers(parts: readonly ClaimPart[], before: readonly CheckedPair[] = []): Promise<CheckedPair[]> {
      const pairs: CheckedPair[] = [];
      for (const index of passages.keys()) {
        if (before.some(({ passage }) => passage === index)) continue;
        const pair = await check(parts, index, 'unnamed');
        if (!pair) continue;
        pairs.push(pair);
        if (isSupported(pair) && pair.verdict.covered >= nearlyAll) break;
      }
      const most = Math.max(0, ...[...before, ...pairs].map(({ verdict }) => verdict.covered));
      const [says] = pairs
        .filter((pair) => isSupported(pair) && pair.verdict.covered >= leastBesideBest * most)
        .sort((one, other) => other.verdict.covered - one.verdict.covered);
      return pairs.map((pair) => {
        const { unit, covered } = pair.verdict;
        return pair === says || !isSupported(pair)
          ? pair
          : { ...pair, verdict: { outcome: 'not-checked', why: 'words', unit, covered } };
      });
    },
  };
}
