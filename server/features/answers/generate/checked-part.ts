import type { Unit } from '../extract/unit.ts';
import { solidIn } from './solid.ts';

/** A quote that supports a claim, with its number in the answer. */
export interface Citation {
  n: number;
  /** Index of the passage among those supplied. */
  passage: number;
  unit: Unit;
}

/**
 * What comes of a claim beside a passage: its words stand there in the same relation (`supported`), something else
 * stands there in their place, or nothing of it does (`contradicted`), or words alone cannot tell (`not-checked`).
 */
type Outcome = 'supported' | 'contradicted' | 'not-checked';

/** Why a claim is not supported: what of it the passage has otherwise or lacks. */
export type Why =
  /** A number, date or amount. */
  | 'number'
  /** The number stands there in another unit or scale. */
  | 'unit'
  /** A name or a code. */
  | 'name'
  /** One of both denies it. */
  | 'negation'
  /** The opposite word: at least and at most, before and after. */
  | 'opposite'
  /** Values or roles that belong to something else there. */
  | 'relation'
  /** Too few of its words, or some that say more than the passage. */
  | 'words'
  /** It is in another language, and has too little that reads the same in both. */
  | 'language'
  /** Next to nothing of it. */
  | 'absent';

/**
 * What comes of a claim beside one passage.
 * @property covered the share of the claim's words, by their rarity, that the passage has: 0 to 1
 * @property beside the other sentences in which its numbers and names were found
 */
export type Verdict =
  | { outcome: Extract<Outcome, 'supported'>; unit: Unit; covered: number; beside: readonly Unit[] }
  /** @property unit the sentence that comes nearest to it; null where none does */
  | { outcome: Exclude<Outcome, 'supported'>; why: Why; unit: Unit | null; covered: number };

/** A claim beside a passage that the model named or that was looked up, as whoever reads it a second time needs it. */
export interface CheckedPair {
  /** The claim's words, without the number of an item, marks of emphasis and the like. */
  claim: string;
  /** Index of the passage among those supplied. */
  passage: number;
  /** The model named the passage; else the claim was looked up in it. */
  isNamed: boolean;
  verdict: Verdict;
  /** A sentence of another passage that the model named, without which this one does not say it. */
  together?: { passage: number; unit: Unit };
}

/** A piece of an answer that may be shown. Offsets are those into the text so far, markers left out; end exclusive. */
export type CheckedPart =
  /** `solid`: characters that are no blanks of what the model wrote, where addresses in it were taken apart. */
  | { kind: 'text'; text: string; solid?: number }
  /** `isFound`: the claim named no source, or one that does not say so, and was looked up. */
  | { kind: 'citation'; citation: Citation; isFound?: true; pair: CheckedPair; start: number; end: number }
  /** A claim that no source says, or one says otherwise. `why` is that of the passage that comes nearest. */
  | { kind: 'unsupported'; start: number; end: number; why: Why; pairs: readonly CheckedPair[] }
  /** A claim that words cannot decide on: it has no number, and is not said to lack a source. */
  | { kind: 'unchecked'; start: number; end: number; pairs: readonly CheckedPair[] };

export function isOpen({ verdict }: CheckedPair): boolean {
  return verdict.outcome === 'not-checked';
}

/** A passage that the model named says otherwise. */
function isAgainst({ verdict, isNamed }: CheckedPair): boolean {
  return isNamed && verdict.outcome === 'contradicted' && verdict.why !== 'absent';
}

/** So many times as much of a claim stands in a passage that speaks of the same thing rather than another one. */
export const minMore = 1.5;

/**
 * Words cannot decide: no passage that the model named says otherwise, unless another one has far more of the claim.
 */
export function isLeftOpen(pairs: readonly CheckedPair[]): boolean {
  const open = pairs.filter(isOpen);
  return (
    open.length > 0 &&
    pairs.every(
      (pair) =>
        !isAgainst(pair) ||
        open.some(({ verdict }) => verdict.covered >= minMore * Math.max(pair.verdict.covered, minOfOther)),
    )
  );
}
/** Of a passage that has next to nothing of a claim, others easily have far more. */
const minOfOther = 0.2;

export function isSupported({ verdict }: CheckedPair): boolean {
  return verdict.outcome === 'supported';
}

/** Where passages have something else in a claim's place, that says more than that others have nothing of it. */
export function whyOf(pairs: readonly CheckedPair[]): Why {
  const all = pairs.flatMap(({ verdict }) => (verdict.outcome === 'supported' ? [] : [verdict.why]));
  return all.find((why) => why !== 'absent') ?? 'absent';
}

/** The parts with texts that follow each other as one. */
export function joined(parts: CheckedPart[]): CheckedPart[] {
  const all: CheckedPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.kind === 'text' && last?.kind === 'text')
      all[all.length - 1] = {
        kind: 'text',
        text: last.text + part.text,
        solid: (last.solid ?? solidIn(last.text)) + (part.solid ?? solidIn(part.text)),
      };
    else all.push(part);
  }
  return all;
}
