import type { LayoutCell } from '@llamaindex/liteparse';
import { union } from './pdf-boxes.ts';
import { letters } from './pdf-letters.ts';
import { columnOf, isFigure, isFiller, type Line, type Segment, type Span } from './pdf-lines.ts';

/** A label that says what stands behind it: "Weight:". */
const isNamed = /\p{L}.*:$/u;

/** A cell's words on one line of the page, which has a number. */
interface CellLine {
  line: number;
  segments: Segment[];
}

/**
 * Parts rows that the layout reader put into one where they stand close below each other: two labels are never one row.
 * A row is parted where the figures of all its cells stand at the same heights, or where each line of its label ends
 * with a colon; and only where the words of its lines are those of its cells.
 * @param lines of the page
 * @param bottom of the table on the page, in points
 */
export function unstacked(rows: LayoutCell[][], lines: readonly Line[], bottom: number): LayoutCell[][] {
  if (!rows.some(mayBeStacked)) return rows;
  const columns = columnsOf(rows);
  const tops = rows.map((row) => Math.min(...row.flatMap(({ bbox }) => bbox?.y ?? [])));
  return rows.flatMap((row, i) => {
    const [from, to] = [tops[i] ?? 0, tops.slice(i + 1).find(Number.isFinite) ?? bottom];
    if (!mayBeStacked(row)) return [row];
    const cells = cellsBetween(from, to, lines, columns);
    const starts = startsOf(cells);
    const isWhole = row.every(({ text }, column) => letters(text) === letters(textOfAll(cells[column] ?? [])));
    if (starts.length < 2 || !isWhole) return [row];
    return starts.map((start, k) => {
      const end = starts[k + 1] ?? Number.POSITIVE_INFINITY;
      return cells.map((cell) => cellOf(cell.filter(({ line }) => line >= start && line < end)));
    });
  });
}

/** In a row of several lines each cell that has something has several words. */
function mayBeStacked(row: readonly LayoutCell[]): boolean {
  const filled = row.filter(({ text }) => text.trim() !== '');
  return filled.length > 1 && filled.every(({ text }) => /\s/.test(text.trim()));
}

/** Where each column stands; one without any words is nowhere. */
function columnsOf(rows: readonly LayoutCell[][]): Span[] {
  const count = Math.max(...rows.map(({ length }) => length));
  return Array.from({ length: count }, (_, column) => {
    const boxes = rows.flatMap((row) => row[column]?.bbox ?? []);
    return {
      left: Math.min(...boxes.map(({ x }) => x)),
      right: Math.max(...boxes.map(({ x, width }) => x + width)),
    };
  });
}

function cellsBetween(top: number, bottom: number, lines: readonly Line[], columns: readonly Span[]): CellLine[][] {
  const cells: CellLine[][] = columns.map(() => []);
  for (const [number, line] of lines.entries()) {
    for (const segment of line.segments) {
      const middle = (segment.top + segment.bottom) / 2;
      if (middle < top || middle >= bottom) continue;
      const cell = cells[columnOf(segment, columns)];
      const last = cell?.at(-1);
      if (last?.line === number) last.segments.push(segment);
      else cell?.push({ line: number, segments: [segment] });
    }
  }
  return cells;
}

/** The lines of the page on which a row begins; fewer than two where it is one row. */
function startsOf([label = [], ...cells]: CellLine[][]): number[] {
  const values = cells.filter((cell) => cell.length > 0);
  const at = values[0]?.map(({ line }) => line) ?? [];
  const isOfFigures = values.every(
    (cell) => isAt(cell, at) && cell.every((each) => isFigure(textOf(each)) || isFiller(textOf(each))),
  );
  if (isOfFigures && (label.length === 0 || isAt(label, at))) return at;
  return values.length > 0 && label.every((each) => isNamed.test(textOf(each))) ? label.map(({ line }) => line) : [];
}

function isAt(cell: readonly CellLine[], lines: readonly number[]): boolean {
  return cell.length === lines.length && cell.every(({ line }, i) => line === lines[i]);
}

function cellOf(lines: readonly CellLine[]): LayoutCell {
  const boxes = lines.flatMap(({ segments }) =>
    segments.map(({ left, right, top, bottom }) => ({ x: left, y: top, width: right - left, height: bottom - top })),
  );
  const [first, ...rest] = boxes;
  return { text: textOfAll(lines), ...(first && { bbox: rest.reduce(union, first) }) };
}

function textOfAll(lines: readonly CellLine[]): string {
  return lines.map(textOf).join(' ');
}

function textOf({ segments }: CellLine): string {
  return segments.map(({ text }) => text).join(' ');
}
