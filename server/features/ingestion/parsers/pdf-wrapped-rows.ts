import { isFigure } from './pdf-lines.ts';
import { beginsInside, endsInside, endsOpen } from './pdf-sentence-ends.ts';

/** A line of prose in a cell has so many words at least, none of them a figure, a code or an address. */
const minWords = 4;
const word = /(?<![\p{L}\p{N}./@_-])\p{L}{2,}(?![\p{L}\p{N}/@_]|[.-]\p{L}|:\/)/gu;
/** Of the usual length of such lines in its column: a shorter one is the last of its cell. */
const full = 0.45;

/**
 * Which rows of a table are the lines of one row: where nothing but the places of words tells rows apart, each line of
 * a cell is taken for one. A sentence that goes on in the next row, in the same column, says that it is the same row.
 * @returns the numbers of the rows, those of one row together
 */
export function linesOfRows(rows: readonly string[][]): number[][] {
  const usual = usualLengths(rows);
  const groups: number[][] = [];
  for (const [i, row] of rows.entries()) {
    const above = rows[i - 1];
    if (above && goesOn(above, row, usual)) groups.at(-1)?.push(i);
    else groups.push([i]);
  }
  return groups;
}

function goesOn(above: readonly string[], row: readonly string[], usual: readonly number[]): boolean {
  // A list of remarks in small letters, and a label of its own that begins with one.
  if (row.length < 2 || row.some(isFigure) || (row[0] !== '' && row[0] === above[0])) return false;
  return row.some((cell, column) => {
    const before = above[column] ?? '';
    return (
      isProse(before) &&
      before.length >= (usual[column] ?? 0) * full &&
      endsInside(before) &&
      (beginsInside(cell) || (cell !== '' && endsOpen(before)))
    );
  });
}

/** Whether a cell, or a line of one, is of words that make a sentence. */
export function isProse(cell: string): boolean {
  return (cell.match(word)?.length ?? 0) >= minWords;
}

/** The median length of each column's lines of prose; 0 where it has none. */
function usualLengths(rows: readonly string[][]): number[] {
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: columns }, (_, column) => {
    const lengths = rows
      .map((row) => row[column] ?? '')
      .filter(isProse)
      .map(({ length }) => length)
      .sort((a, b) => a - b);
    return lengths[Math.floor(lengths.length / 2)] ?? 0;
  });
}
