import type { LayoutBlock, Rect } from '@llamaindex/liteparse';
import { letters } from './pdf-letters.ts';
import type { Line, Segment } from './pdf-lines.ts';
import { isProse } from './pdf-prose.ts';
import type { PageRunning } from './pdf-running.ts';
import type { PdfTable } from './pdf-table-rows.ts';
import { findTables, rowsWithFigures } from './pdf-tables.ts';
import { findWordTables } from './pdf-word-tables.ts';

/** Of a block, so much in a table and not most of it: the block is cut in two, unless it is a line. In points. */
const partly = 0.2;
const oneLine = 18;

/**
 * The tables of a page that are found by where its words stand, but for those that the layout reader has better.
 * @param blocks as the layout reader has them
 */
export function tablesOfPage(lines: readonly Line[], blocks: readonly LayoutBlock[], head: PageRunning): PdfTable[] {
  const prose = blocks.filter((block) => isProse(block, lines));
  const ofFigures = findTables(outside(lines, prose)).filter((table) => !isBetterRead(table, blocks));
  return [...ofFigures, ...tablesOfWords(lines, blocks, ofFigures, head)];
}

/** Lines without the segments that stand in one of the blocks. */
function outside(lines: readonly Line[], blocks: readonly LayoutBlock[]): Line[] {
  if (blocks.length === 0) return [...lines];
  return lines.flatMap((line) => {
    const segments = line.segments.filter((each) => {
      const x = (each.left + each.right) / 2;
      const y = (each.top + each.bottom) / 2;
      return !blocks.some(({ bbox }) => bbox && holds(bbox, x, y));
    });
    return segments.length > 0 ? [{ ...line, segments }] : [];
  });
}

/** Those that are in no other table, and that hold whole blocks: what cuts one in two is no table. */
function tablesOfWords(
  lines: readonly Line[],
  blocks: readonly LayoutBlock[],
  others: readonly PdfTable[],
  head: PageRunning,
): PdfTable[] {
  const known = blocks.filter(({ kind }) => kind === 'table');
  const isTaken = ({ left, right, top, bottom }: Segment) =>
    others.some((table) => left < table.right && right > table.left && top < table.bottom && bottom > table.top) ||
    known.some(({ bbox }) => bbox && holds(bbox, (left + right) / 2, (top + bottom) / 2));
  const free = lines.flatMap((line) => {
    const segments = line.segments.filter((each) => !isTaken(each) && !head.texts.has(letters(each.text)));
    return segments.length > 0 ? [{ ...line, segments }] : [];
  });
  return findWordTables(free).filter((table) =>
    blocks.every(({ bbox }) => {
      const part = shared(bbox, table);
      return part < partly || part > 0.5 || (bbox?.height ?? 0) < oneLine;
    }),
  );
}

function holds({ x, y, width, height }: Rect, atX: number, atY: number): boolean {
  return atX >= x && atX <= x + width && atY >= y && atY <= y + height;
}

/** How much of a block stands where the table does. */
export function shared(bbox: Rect | undefined, { left, top, right, bottom }: PdfTable): number {
  if (!bbox) return 0;
  const height = Math.min(bottom, bbox.y + bbox.height) - Math.max(top, bbox.y);
  const width = Math.min(right, bbox.x + bbox.width) - Math.max(left, bbox.x);
  if (height <= 0 || width <= 0) return 0;
  return (height / Math.max(bbox.height, 1)) * (width / Math.max(bbox.width, 1));
}

/** Whether the layout reader, which knows the rules, has the same rows with more in each: cells of several lines. */
function isBetterRead(table: PdfTable, blocks: readonly LayoutBlock[]): boolean {
  const same = blocks.filter(({ kind, bbox }) => kind === 'table' && shared(bbox, table) > 0.5);
  const rows = same.flatMap(({ header, rows: found = [] }) => [...(header ? [header] : []), ...found]);
  const theirs = rowsWithFigures(rows.map((row) => row.map(({ text }) => text)));
  const ours = rowsWithFigures(table.rows.map(({ cells }) => cells));
  return theirs >= ours && rows.length * 1.2 < table.rows.filter((_, i) => !standsAbove(table, i)).length;
}

/** Whether a row is a head or a label that others stand below: the layout reader has those outside of its tables. */
function standsAbove({ rows }: PdfTable, i: number): boolean {
  const [row, next] = [rows[i], rows[i + 1]];
  if (!row || row.header) return true;
  const [label = '', ...cells] = row.cells;
  return cells.every((cell) => cell === '') && next?.parents.includes(label) === true;
}
