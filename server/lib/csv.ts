/** A cell: texts are made harmless, numbers are left as they are. */
export type Cell = string | number | null;

/** With these a spreadsheet takes a text for a formula, some also behind blanks. */
const beginsFormula = /^[\s\u00a0\ufeff]*[=+\-@＝＋－＠\t\r]/u;
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

/**
 * A table as CSV that every spreadsheet opens as it is meant: UTF-8 with its mark, commas, lines ended as RFC 4180 has
 * it. A text that would be run as a formula gets an apostrophe before it.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return byteOrderMark + [header, ...rows].map(csvLine).join('');
}

/** What a file of `csvLine`s begins with. */
export const byteOrderMark = '\ufeff';

/** One row of it, for files that are too long to be held as a whole. */
export function csvLine(row: readonly Cell[]): string {
  return `${row.map(cellOf).join(',')}\r\n`;
}

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const harmless = beginsFormula.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
