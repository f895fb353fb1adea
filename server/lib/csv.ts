/** A cell: texts are made harmless, numbers are left as they are. */
export type Cell = string | number | null;

/** With these a spreadsheet takes a text for a formula, some also behind blanks. */
const beginsFormula = /^[\s\u00a0\ufeff]*[=+\-@＝＋－＠\t\r]/u;
/** What looks like a number, a fraction, a time, a share or a truth: of most a spreadsheet makes another text. */
const likeNumber = /^(?:true|false|\d[\d.,:/\s-]*(?:e[+-]?\d+)?%?)$/iu;
/** What it leaves as it is: a number without zeros before it that it can hold, a day, an IP address. */
const staysAsItIs = /^(?:0|[1-9]\d{0,14}|\d{4}-\d\d-\d\d|\d+(?:\.\d+){3})$/;
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

/**
 * A table as CSV that every spreadsheet opens as it is meant: UTF-8 with its mark, commas, lines ended as RFC 4180 has
 * it. A text that would be run as a formula, or lose letters as a number, gets an apostrophe before it.
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
  const wouldChange = beginsFormula.test(cell) || (likeNumber.test(cell) && !staysAsItIs.test(cell));
  const harmless = wouldChange ? `'${cell}` : cell;
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
