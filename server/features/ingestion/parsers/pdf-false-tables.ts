import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse';
import { letters } from './pdf-letters.ts';
import { type Line, linesOf, type Segment } from './pdf-lines.ts';

/** A line of prose has so many words at least; a cell that stands over several columns may have a few of them. */
const minWords = 6;
/** Points on either side of a column's edge that a line must reach to cross it. */
const across = 5;
const minLines = 3;
/** Of a table's lines, so many cross its columns where it is none; */
const mostly = 0.4;
/** and fewer where each of its rows has so many lines: a page in a frame. */
const linesInRow = 4;

/**
 * Whether the layout reader takes prose for a table: it goes by rules, and those of a frame or of a scanned sheet part
 * a page of text into columns that its lines cross. Its words are in another order then.
 */
export function hasFalseTable(page: Pick<ParsedPage, 'blocks' | 'textItems'>): boolean {
  const tables = (page.blocks ?? []).filter(({ kind }) => kind === 'table');
  if (tables.length === 0) return false;
  const lines = linesOf(page.textItems);
  return tables.some((table) => isFalseTable(table, lines));
}

/** Whether lines of prose cross the columns of a table: many of its lines, or some that stand whole in no row of it. */
export function isFalseTable({ bbox, header, rows = [] }: LayoutBlock, lines: readonly Line[]): boolean {
  if (!bbox) return false;
  const all = [...(header ? [header] : []), ...rows];
  const edges = all.flatMap((row) => row.slice(1).flatMap((cell) => cell.bbox?.x ?? []));
  const inside = lines.filter(({ top, bottom }) => {
    const middle = (top + bottom) / 2;
    return middle > bbox.y && middle < bbox.y + bbox.height;
  });
  const crossing = inside.filter(({ segments }) => segments.length === 1 && segments.every(crosses));
  if (crossing.length < minLines) return false;
  if (crossing.length >= inside.length * mostly || inside.length >= all.length * linesInRow) return true;
  const read = all.map((row) => letters(row.map(({ text }) => text).join('')));
  const isWhole = ({ text }: Segment) => read.some((row) => row.includes(letters(text)));
  return crossing.filter(({ segments }) => !segments.every(isWhole)).length >= minLines;

  function crosses({ text, left, right }: Segment): boolean {
    return text.split(' ').length >= minWords && edges.some((edge) => edge > left + across && edge < right - across);
  }
}
