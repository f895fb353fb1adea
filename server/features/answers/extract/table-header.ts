/** What of a table's rows names its columns. */

/** A cell that is an amount, or a year. */
const figure = /^[^\p{L}]*\d[^\p{L}]*$/u;
/** A year, with the numbers of its notes: `2018 (5)`. */
const year = /^\W*(?:19|20)\d\d\W*(?:\([\p{L}\d]{1,2}\)\W*)*$/u;
const unit = /^[([]?(?:[A-Z]{3}|R|[A-Z]{0,2}[$€£¥]|%)(?:['’ ]?(?:000|[km]))?[)\]]?$/;
/** Of a table's header: all names together, in UTF-16 code units. */
const maxHeaderLength = 1000;

/** The names of columns as far as anybody would write them: each row below is read together with them. */
export function named(cells: readonly string[]): string[] {
  let left = maxHeaderLength;
  return cells.map((cell) => {
    const name = cell.slice(0, left).toWellFormed();
    left -= name.length;
    return name;
  });
}

/**
 * Years alone, or one unit over and over: names of columns that nothing marks as such, and no answer to anything.
 * @param hasHeader the columns have names already: then a row without a label names them anew
 */
export function namesColumns(cells: readonly string[], hasHeader: boolean): boolean {
  if (hasHeader && cells[0]?.trim() !== '') return false;
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (filled.length < 2) return false;
  return (
    filled.every((cell) => year.test(cell)) || (filled.every((cell) => unit.test(cell)) && new Set(filled).size === 1)
  );
}

/** A header of two or three lines: years, units and the like below the names, and no label, or several years. */
export function goesOnWithHeader([label = '', ...cells]: string[]): boolean {
  const named = cells.filter((cell) => cell.trim() !== '');
  if (named.length === 0 || named.some((cell) => figure.test(cell) && !year.test(cell))) return false;
  const isLabelled = /\p{L}/u.test(label) && !/^\s*\(.*\)\s*$/.test(label);
  return !isLabelled || (named.length > 1 && named.every((cell) => year.test(cell)));
}

/** The names of columns with those of the next line of the header behind them. */
export function joinedHeader(header: string[], more: string[]): string[] {
  return Array.from({ length: Math.max(header.length, more.length) }, (_, i) =>
    `${header[i] ?? ''} ${more[i] ?? ''}`.trim(),
  );
}
