/**
 * Whether a table's first row names its columns: at least two short texts, none of them a number or a date, and a
 * second row to name. A table that says so itself needs no guess.
 */
export function looksLikeHeader(first: readonly string[], second: readonly string[] | undefined): boolean {
  const names = first.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return (
    second?.some((cell) => cell.trim() !== '') === true &&
    names.length >= 2 &&
    names.every((name) => name.length <= 80 && !isValue(name)) &&
    new Set(names).size === names.length
  );
}

/** A number, an amount, a date in figures. */
export function isValue(cell: string): boolean {
  return /^[^\p{L}]*\d[^\p{L}]*(\p{L}{1,3})?$/u.test(cell);
}
