import type { Block } from '../document.ts';
import { joinBrokenWords } from './pdf-letters.ts';
import { beginsInside, endsInside, endsOpen } from './pdf-sentence-ends.ts';
import { isProse } from './pdf-wrapped-rows.ts';

/** Words of a line that may go on below: a label, a title or an entry of a list has fewer. */
const minWords = 5;
/** In UTF-16 code units. In a text without full stops every line would go on. */
const maxLength = 2000;
/**
 * How far lines of one paragraph stand from each other, and how far in or out they may begin, as shares of the page.
 */
const closeBelow = { least: -0.02, most: 0.014 };
/** Slides are low, and their lines tall. */
const closeOnSlide = { least: -0.03, most: 0.03 };
const aside = 0.07;
/** Shares of the page's height and width. */
const halfLine = 0.008;
const sameEdge = 0.02;

type Box = NonNullable<Block['box']>;

/**
 * Puts together what the layout reader takes for several blocks, though it is one sentence: a first line that stands
 * out, lines with a bullet before them, lines of a slide. One half alone may say the opposite, and what is taken for a
 * heading is never quoted.
 *
 * @param blocks of one page, in reading order
 * @param isWide whether the page is one of a set of slides
 * @param brokenWords first halves of words that a line's end may have broken
 */
export function joinBrokenSentences(blocks: readonly Block[], isWide: boolean, brokenWords: Set<string>): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last && goesOn(last, block, isWide ? closeOnSlide : closeBelow))
      joined[joined.length - 1] = together(last, block, brokenWords);
    else if (last && leavesCell(last, block)) joined[joined.length - 1] = withMore(last, block, brokenWords);
    else joined.push(block);
  }
  return joined;
}

function goesOn(before: Block, block: Block, close: typeof closeBelow): boolean {
  if (before.kind === 'row' || block.kind !== 'paragraph' || block.context !== undefined) return false;
  if (before.text.length + block.text.length > maxLength || before.text.trim().split(/\s+/).length < minWords)
    return false;
  if (!endsInside(before.text)) return false;
  if (reachesInto(before, block)) return true;
  return (beginsInside(block.text) || endsOpen(before.text)) && isRightBelow(before, block, close);
}

/**
 * Whether a heading has the place of what comes below it as well: then it is the first line of a clause, which the
 * layout reader took apart.
 */
function reachesInto({ kind, box: above }: Block, { box: below }: Block): boolean {
  if (kind !== 'heading' || !above || !below) return false;
  const beginsAlike = Math.abs(above[0] - below[0]) < sameEdge;
  return beginsAlike && below[1] > above[1] && above[3] - below[1] > halfLine;
}

/** Whether the sentence of a row's last cell goes on below: its further lines are a paragraph to the layout reader. */
function leavesCell(row: Block, block: Block): boolean {
  if (row.kind !== 'row' || block.kind !== 'paragraph' || block.context !== undefined) return false;
  if (row.text.length + block.text.length > maxLength) return false;
  const cell = row.cells?.at(-1) ?? '';
  if (!isProse(cell) || !endsInside(cell) || !beginsInside(block.text)) return false;
  const [above, below] = [row.box, block.box];
  const gap = above && below ? below[1] - above[3] : Number.POSITIVE_INFINITY;
  return gap > closeBelow.least && gap < closeBelow.most && (below?.[0] ?? 0) > (above?.[0] ?? 0) - sameEdge;
}

function withMore(row: Block, { text, box }: Block, brokenWords: Set<string>): Block {
  const cells = row.cells ?? [];
  const more = [...cells.slice(0, -1), joinBrokenWords(`${cells.at(-1) ?? ''} ${text.trimStart()}`, brokenWords)];
  return { ...row, text: more.join(' | '), cells: more, ...(row.box && box && { box: around(row.box, box) }) };
}

function isRightBelow({ box: above }: Block, { box: below }: Block, close: typeof closeBelow): boolean {
  if (!above || !below) return false;
  const gap = below[1] - above[3];
  const isOver = Math.min(above[2], below[2]) > Math.max(above[0], below[0]);
  return gap > close.least && gap < close.most && isOver && Math.abs(below[0] - above[0]) < aside;
}

function together({ level: _level, ...before }: Block, block: Block, brokenWords: Set<string>): Block {
  const kind = before.kind === 'item' ? 'item' : 'paragraph';
  const text = joinBrokenWords(`${before.text.trimEnd()} ${block.text.trimStart()}`, brokenWords);
  const [one, other] = [before.box, block.box];
  return {
    ...before,
    kind,
    text,
    ...(one && other && { box: around(one, other) }),
  };
}

function around(one: Box, other: Box): Box {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}
