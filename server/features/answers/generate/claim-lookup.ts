import type { Question } from '#server/features/retrieval/retrieval.ts';
import { type CheckedPair, isSupported, minMore } from './checked-part.ts';
import type { SupportingPassage } from './claim-check/passage.ts';
import { createClaimInPassages } from './claim-in-passages.ts';
import type { ClaimPart } from './claim-structure.ts';

/** Passages named for one claim of which two may say it together. */
const maxTogether = 3;
/** Of a claim so much stands in a passage that no other one has more of it. */
const nearlyAll = 0.9;
/** A passage that has less of a claim than this share of what another one has does not say it in its place. */
const minBesideBest = 0.9;

/** A passage that the model named and that has so much of a claim is believed without a look at others. */
const minSure = 0.6;

/** Looks the claims of one answer up in the passages that it was written from, as far as that is within all reason. */
export function createLookUp(passages: readonly SupportingPassage[], weigh: (text: string) => Question) {
  const { check, checkTwo, isSpent, hasRoom } = createClaimInPassages(passages, weigh);

  /** In the passages that the model named, each by itself. */
  async function inNamed(parts: readonly ClaimPart[], named: readonly number[]): Promise<CheckedPair[]> {
    const pairs: CheckedPair[] = [];
    for (const index of named) {
      const pair = await check(parts, index, 'named');
      if (pair) pairs.push(pair);
    }
    return pairs;
  }

  /** In two of those that the model named, as one: a pair for each of both, or none where they do not say it. */
  async function inTwo(parts: readonly ClaimPart[], named: readonly number[]): Promise<CheckedPair[]> {
    const some = named.slice(0, maxTogether);
    for (const [i, one] of some.entries()) {
      for (const other of some.slice(i + 1)) {
        const pairs = await checkTwo(parts, one, other);
        if (pairs.length > 0) return pairs;
      }
    }
    return [];
  }

  /**
   * In all others. One alone may say it, and only if no other passage has more of the claim: the one that has most
   * speaks of the same thing, and is believed where it has something else in its place.
   * @param before what came of it in the passages that were named
   */
  async function inOthers(parts: readonly ClaimPart[], before: readonly CheckedPair[]): Promise<CheckedPair[]> {
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
      .filter((pair) => isSupported(pair) && pair.verdict.covered >= minBesideBest * most)
      .sort((one, other) => other.verdict.covered - one.verdict.covered);
    return pairs.map((pair) => (pair === says ? pair : leftOpen(pair)));
  }

  return {
    isSpent,
    hasRoom,
    inNamed,
    /** In the passages that the model named, then in two of them together, then in all others. */
    async find(parts: readonly ClaimPart[], named: readonly number[]): Promise<readonly CheckedPair[]> {
      const pairs = await inNamed(parts, named);
      const most = Math.max(0, ...pairs.map((pair) => (isSupported(pair) ? pair.verdict.covered : 0)));
      if (most >= minSure) return pairs;
      if (most > 0) {
        // Little of it stands there: another one may speak of the same thing, and say otherwise.
        const others = await inOthers(parts, pairs);
        const isDenied = others.some(
          ({ verdict }) => verdict.outcome === 'contradicted' && verdict.covered >= minMore * most,
        );
        return isDenied ? [...pairs.map(leftOpen), ...others.map(leftOpen)] : pairs;
      }
      const both = await inTwo(parts, named);
      return both.length > 0 ? both : [...pairs, ...(await inOthers(parts, pairs))];
    },
  };
}

/** What is not believed, though its words support the claim. */
function leftOpen(pair: CheckedPair): CheckedPair {
  const { unit, covered } = pair.verdict;
  return isSupported(pair) ? { ...pair, verdict: { outcome: 'not-checked', why: 'words', unit, covered } } : pair;
}
