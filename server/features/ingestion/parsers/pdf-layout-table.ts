import type { LayoutBlock, LayoutCell, ParsedPage } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { boxOf, union } from './pdf-boxes.ts';
import { joinBrokenWords, letters, plainLetters } from './pdf-letters.ts';
import { type Line, linesOf } from './pdf-lines.ts';
import { unstacked } from './pdf-stacked-rows.ts';
import { linesOfRows } from './pdf-wrapped-rows.ts';
import { tableBlocks } from './table.ts';

/** A table as the layout reader has it. */
export function layoutTable(
  from: LayoutBlock,
  sheet: ParsedPage,
  brokenWords: Set<string>,
  onPage: readonly Line[] = linesOf(sheet.textItems),
): Block[] {
  const cellText = ({ text }: LayoutCell) => joinBrokenWords(plainLetters(text).trim(), brokenWords);
  const header = from.header?.some((cell) => cell.text.trim() !== '') ? from.header : undefined;
  const rows = [...(header ? [header] : []), ...(from.rows ?? [])];
  const undivided = new Set(sheet.textItems.map(({ text }) => letters(text)));
  // A line of prose above a table is taken for its first row, in pieces: on the page it is not divided.
  const isDivided = (row: LayoutCell[] | undefined) =>
    row !== undefined &&
    row.filter(({ text }) => text.trim() !== '').length > 1 &&
    undivided.has(letters(row.map(({ text }) => text).join('')));
  const found = rows.findIndex((row) => !isDivided(row));
  const first = found === -1 ? rows.length : found;
  const prose = rows.slice(0, first).map(
    (row): Block => ({
      kind: 'paragraph',
      text: row.map(cellText).filter(Boolean).join(' '),
      page: sheet.pageNum,
      ...rowBox(row, sheet),
    }),
  );
  const bottom = from.bbox ? from.bbox.y + from.bbox.height : Number.POSITIVE_INFINITY;
  const lines = [
    ...(header && first === 0 ? [header] : []),
    ...unstacked(rows.slice(header && first === 0 ? 1 : first), onPage, bottom),
  ];
  const cells = lines.map((row) => row.map(cellText));
  const groups = linesOfRows(cells);
  const isHeader = header !== undefined && first === 0 && groups[0]?.length === 1;
  const table = tableBlocks(
    groups.map((group) => cellsOfLines(picked(cells, group), brokenWords)),
    { page: sheet.pageNum, ...(header && first === 0 && { header: isHeader }) },
  );
  const boxes = groups.map((group) => rowBox(picked(lines, group).flat(), sheet));
  return [...prose, ...table.map((block, index) => ({ ...block, ...boxes[index] }))];
}

function rowBox(row: LayoutCell[], sheet: ParsedPage): Pick<Block, 'box'> {
  const boxes = row.flatMap(({ bbox }) => bbox ?? []);
  const [first, ...rest] = boxes;
  return boxOf(first && rest.reduce(union, first), sheet);
}

function picked<T>(all: readonly T[], numbers: readonly number[]): T[] {
  return numbers.map((number) => all[number]).filter((each) => each !== undefined);
}

/** The lines of one row, each column's put together. */
function cellsOfLines(lines: readonly string[][], brokenWords: Set<string>): string[] {
  const [first = [], ...rest] = lines;
  return first.map((cell, column) =>
    joinBrokenWords([cell, ...rest.map((line) => line[column] ?? '')].filter(Boolean).join(' '), brokenWords),
  );
}
