import { rises, turns } from './polarity.ts';
import { type Token, wordSet } from './tokens.ts';

/** What a number is of a rise or a fall: what it began with, what it ended with, or by how much. */
export type PartOfChange = 'from' | 'to' | 'by';

/** Words back from a number in which it is said to be a rise or a fall, and what it began or ended with. */
const maxReach = 6;
const maxReachOfEnds = 12;
const byWords = wordSet('by um de en');
const from = wordSet('from von desde');
const to = wordSet('to auf hasta');
/** "Compared to" is no end, nor is "due to". */
const otherTo = wordSet('compared relative due equal according related attributable similar close next prior up down');
const about = wordSet('about around some nearly only approximately rund etwa environ unos unas');

const isTurn = ({ kind, folded }: Token) => kind === 'word' && turns(folded);

/** Whether the number that begins at a token says by how much something rose or fell, not what it is: "by 119". */
export function isByChange(tokens: readonly Token[], start: number): boolean {
  const at = beforeNumber(tokens, start);
  return byWords.has(tokens[at]?.folded ?? '') && tokens.slice(Math.max(0, at - maxReach), at).some(isTurn);
}

/** Which part of a rise or fall the number that begins at a token is; null: none, or nobody can say. */
export function partOfChange(tokens: readonly Token[], start: number): PartOfChange | null {
  const at = beforeNumber(tokens, start);
  if (isByChange(tokens, start)) return 'by';
  const word = tokens[at]?.folded ?? '';
  const isEnd = from.has(word) || (to.has(word) && !otherTo.has(tokens[at - 1]?.folded ?? ''));
  const before = tokens.slice(Math.max(0, at - maxReachOfEnds), at);
  const sentence = before.slice(before.findLastIndex(({ kind, text }) => kind === 'sign' && /[.;:!?]/.test(text)) + 1);
  return isEnd && sentence.some(isTurn) ? (from.has(word) ? 'from' : 'to') : null;
}

/**
 * Whether a number that is a part of a change is said to come of a rise (`1`) or a fall (`-1`): by the last word before
 * it that says so; null where none does.
 */
export function directionOf(tokens: readonly Token[], start: number): 1 | -1 | null {
  const before = tokens.slice(Math.max(0, start - maxReachOfEnds - 1), start);
  const side = before.findLast(isTurn)?.folded;
  return side === undefined ? null : rises(side) ? 1 : -1;
}

/** The index of the word that leads to a number: "to" in "to about 5". */
function beforeNumber(tokens: readonly Token[], start: number): number {
  return about.has(tokens[start - 1]?.folded ?? '') ? start - 2 : start - 1;
}
