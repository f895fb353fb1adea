import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse';
import { union } from './pdf-boxes.ts';
import { isFalseTable } from './pdf-false-tables.ts';
import { cellsOf, itemsOf } from './pdf-kept-tables.ts';
import { letters } from './pdf-letters.ts';
import { linesOf } from './pdf-lines.ts';

/** Of the height of letters: words stand no further apart, also where a line is spread to fill its column. */
const maxGapInLine = 1.2;
/** How far a blank parts words at least, and how far letters may overlap. */
const minBlank = 0.075;
const maxOverlap = 0.3;
/** So many words begin at one place where a column does, give or take a point. */
const minInColumn = 6;
/** How much of the lower of two items must stand beside the other one. */
const sameLine = 0.55;
/** So many times a line is torn where it is no accident. */
const minTorn = 3;

/** A page whose lines are whole again, for the layout reader. */
export interface Joined {
  textItems: TextItem[];
  /** Tables that it has read well, whose words are not among these. */
  tables: LayoutBlock[];
}

interface Pair {
  left: TextItem;
  right: TextItem;
  isSpaced: boolean;
}

/**
 * Puts the lines together that the layout reader has torn: where words of narrow columns are spread to the edges, it
 * takes a few wide blanks above each other for the gap between two columns, and reads what is left of them first.
 * @returns null where it has torn none
 */
export function joinedLines(page: Pick<ParsedPage, 'textItems' | 'blocks'>): Joined | null {
  const items = page.textItems.filter(({ rotation, text }) => !rotation && text.trim() !== '');
  const pairs = neighbours(items);
  const blocks = page.blocks ?? [];
  const tables = blocks.filter(({ kind }) => kind === 'table');
  const texts = blocks.flatMap((block) => {
    const { marker = '', text = '', lines = [] } = block;
    return [marker + text + lines.join(''), ...cellsOf(block).map((cell) => cell.text)].map(letters);
  });
  const inTables = new Set(tables.flatMap((table) => itemsOf(table, items)));
  const torn = pairs.filter((pair) => isTorn(pair, texts) && !inTables.has(pair.left));
  if (torn.length < minTorn) return null;
  const onPage = linesOf(page.textItems);
  const kept = tables.filter((table) => !isFalseTable(table, onPage));
  const inKept = new Set(kept.flatMap((table) => itemsOf(table, items)));
  const outside = pairs.filter(({ left, right }) => !inKept.has(left) && !inKept.has(right));
  const following = new Map(outside.map((pair) => [pair.left, pair]));
  const others = new Set<TextItem>([...following.values()].map(({ right }) => right));
  const textItems = page.textItems.flatMap((item) => {
    if (others.has(item) || inKept.has(item)) return [];
    return [lineFrom(item, following)];
  });
  return { textItems, tables: kept };
}

/** Items with the next one on their line, where neither a wider gap nor the edge of a column is between them. */
function neighbours(items: readonly TextItem[]): Pair[] {
  const begins = new Map<number, number>();
  for (const { x } of items) begins.set(Math.round(x), (begins.get(Math.round(x)) ?? 0) + 1);
  const byHeight = items.toSorted((a, b) => a.y - b.y || a.x - b.x);
  const lines: TextItem[][] = [];
  for (const item of byHeight) {
    // Items come by height, so that only the last few lines can be the one.
    const line = lines.slice(-5).findLast(([first]) => first && isBeside(first, item));
    if (line) line.push(item);
    else lines.push([item]);
  }
  return lines.flatMap((line) => {
    const ordered = line.toSorted((a, b) => a.x - b.x);
    return ordered.flatMap((right, i) => {
      const left = ordered[i - 1];
      if (!left) return [];
      if (beginsAColumn(right.x, begins)) return [];
      const gap = (right.x - left.x - left.width) / Math.min(left.height, right.height);
      return gap > -maxOverlap && gap < maxGapInLine ? [{ left, right, isSpaced: gap > minBlank }] : [];
    });
  });
}

/** @param begins how many items begin at each place, in whole points */
function beginsAColumn(x: number, begins: ReadonlyMap<number, number>): boolean {
  const there = [-1, 0, 1].map((beside) => begins.get(Math.round(x) + beside) ?? 0);
  return there.reduce((sum, count) => sum + count) >= minInColumn;
}

function isBeside(a: TextItem, b: TextItem): boolean {
  const common = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return common > Math.min(a.height, b.height) * sameLine;
}

/** Whether words that are beside each other on the page are nowhere so in its blocks. */
function isTorn({ left, right }: Pair, texts: readonly string[]): boolean {
  if (!/\p{L}/u.test(left.text) || !/\p{L}/u.test(right.text)) return false;
  const both = letters(left.text) + letters(right.text);
  return !texts.some((text) => text.includes(both));
}

function lineFrom(first: TextItem, following: ReadonlyMap<TextItem, Pair>): TextItem {
  let line = first;
  for (let next = following.get(first); next; next = following.get(next.right)) {
    const { right, isSpaced } = next;
    const words = [...(line.words ?? []), ...(right.words ?? [])];
    line = { ...line, ...union(line, right), text: line.text.trimEnd() + (isSpaced ? ' ' : '') + right.text, words };
  }
  return line;
}
