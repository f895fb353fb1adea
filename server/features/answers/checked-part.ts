import type { Unit } from './unit.ts';

/** A quote that supports a claim, with its number in the answer. */
export interface Citation {
  n: number;
  /** Index of the passage among those supplied. */
  passage: number;
  unit: Unit;
}

/** A piece of an answer that may be shown. */
export type CheckedPart =
  | { kind: 'text'; text: string }
  /** `isFound`: the claim named no source, and was looked up. */
  | { kind: 'citation'; citation: Citation; isFound?: true }
  /** The claim from `start` to `end` of the text so far, which no source that it names, or none at all, says. */
  | { kind: 'unsupported'; start: number; end: number };
