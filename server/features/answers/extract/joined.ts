import { maxQuoteLength, type Unit } from './unit.ts';

/**
 * Two sentences that follow each other in one block, as one quote; null where they do not, or are too long for one.
 * Rows stand for themselves.
 */
export function joined(one: Unit, other: Unit): Unit | null {
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  if (!follows(first, second)) return null;
  const text = `${first.text}${second.gap}${second.text}`;
  return text.length > maxQuoteLength ? null : { ...first, text, end: second.end };
}

/** Whether the second stands right behind the first in the same block, with nothing but blanks between them. */
export function follows(first: Unit, second: Unit): boolean {
  if (first.row || first.block !== second.block || second.gap === undefined) return false;
  return first.end + second.gap.length === second.start;
}
