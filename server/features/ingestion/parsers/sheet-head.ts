import type { TableHead } from '../document.ts';
import { isValue, looksLikeHeader } from './cells.ts';
import type { SheetRow } from './sheet-row.ts';
import { unitIn } from './table-unit.ts';

/** Lines that name the columns of a table. */
const maxLines = 4;
/** Characters of a name. */
const maxName = 80;
const period =
  /^(?:\W*(?:19|20)\d\d(?:[/–-]\d{2,4})?\W*|[QH][1-4](?:[ /'-]?\d{2,4})?|FY ?'?\d{2,4}|(?:19|20)\d\d[ -]?[QH][1-4])$/i;
const measure =
  /^[([]?(?:(?:in )?(?:k|m|bn|mn|mio\.?|mrd\.?|tsd\.?|t)? ?(?:[€$£¥]|EUR|USD|GBP|CHF|JPY|euros?|dollars?)(?: ?(?:k|m|bn|mn|mio\.?|mrd\.?|tsd\.?|'?000s?))?(?:\/\p{L}+)?|in \P{N}{1,30}|%|‰|°C|[kmµ]?[glmWV]|[kMGT]?W(?:h|p)?|[ckm]?m[²³23]?|ha|t|h|min|s|d|days?|hours?|months?|years?|tage?|stunden?|monate?|jahre?|pcs\.?|pieces?|units?|stk\.?|stück|number|no\.?|#|x)[)\]]?$/iu;

/** What names the columns of a table that begins with these rows. */
export interface SheetHead {
  /** How many of the rows are its head. */
  lines: number;
  /** Where more is known than one line says. */
  table?: TableHead;
}

/**
 * The head of a table: one line of names, or several, of which an upper one names groups of columns and a lower one may
 * give their units.
 * @param rows the first rows of the table
 * @param caption lines that stand alone above it
 */
export function headOf(rows: readonly SheetRow[], caption: readonly string[]): SheetHead {
  const lines = countLines(rows);
  const named = lines > 0 ? columnsOf(rows.slice(0, lines)) : [];
  const unit = unitIn([...caption, ...named]);
  if (lines < 2 && caption.length === 0 && unit === undefined) return { lines };
  if (lines === 0) return { lines };
  return {
    lines,
    table: {
      columns: named,
      ...(caption.length > 0 && { caption: caption.join(' – ') }),
      ...(unit !== undefined && { unit }),
    },
  };
}

function countLines(rows: readonly SheetRow[]): number {
  const [first, second] = rows;
  if (!first || !second) return 0;
  const hasAnyFigure = rows.some(({ cells }) => cells.some((cell) => isValue(cell)));
  let lines = 0;
  while (lines < Math.min(maxLines, rows.length - 1)) {
    const [upper, line] = [rows[lines - 1], rows[lines]];
    if (!line || !namesOnly(line) || (upper && !goesBelow(upper, line))) break;
    // Among words alone, what has a label is a row.
    if (upper && !hasAnyFigure && (line.cells[0] ?? '') !== '') break;
    lines++;
  }
  // Below the names there are figures: two lines of words alone are a line of names and one of words, unless the first
  // has names over several columns.
  const body = rows.slice(lines);
  const hasFigures = body.some(({ cells }) => cells.some((cell) => isValue(cell)));
  if (lines > 1 && (hasFigures || (first.spans?.size ?? 0) > 0)) return lines;
  const years = filled(first).filter((cell) => period.test(cell));
  const isYears = years.length > 1 && new Set(years).size === years.length && namesOnly(first) && hasFigures;
  return isYears || looksLikeHeader(first.cells, second.cells) ? 1 : 0;
}

/** Whether a line names parts or units of what the line above names. */
function goesBelow(upper: SheetRow, line: SheetRow): boolean {
  const names = filled(line);
  const [label = ''] = line.cells;
  const isLabelled = label !== '' && label !== upper.cells[0];
  if (!isLabelled && names.slice(label === '' ? 0 : 1).every((name) => measure.test(name))) return true;
  const groups = [...upper.cells.keys()].filter((column) => upper.cells[column] !== '');
  const first = groups.find((column) => column > 0);
  if (first === undefined || names.length < 2) return false;
  // Under a group stand several names, and beside the groups none that is a label of a row.
  const under = groups.some((column, i) => {
    const last = upper.spans?.get(column) ?? (groups[i + 1] ?? line.cells.length) - 1;
    return column > 0 && last > column && filledBetween(line, column, last) > 1;
  });
  return under && (!isLabelled || (upper.cells[0] ?? '') === '');
}

function filledBetween({ cells }: SheetRow, from: number, to: number): number {
  return cells.slice(from, to + 1).filter((cell) => cell !== '').length;
}

/** The names of each column from top to bottom; one over several columns is in each. */
function columnsOf(lines: readonly SheetRow[]): string[] {
  const width = Math.max(...lines.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, column) => {
    const names = lines.map((line, i) => nameAt(line, column, i === lines.length - 1));
    return names.filter((name, i) => name !== '' && name !== names[i - 1]).join(' ');
  });
}

function nameAt({ cells, spans }: SheetRow, column: number, isLowest: boolean): string {
  const own = cells[column] ?? '';
  if (own !== '' || isLowest) return own;
  const before = cells.slice(0, column).findLastIndex((cell) => cell !== '');
  if (before < 1) return '';
  // Without merged cells a name goes on to the next one.
  const last = spans?.get(before) ?? (spans && spans.size > 0 ? before : column);
  return column <= last ? (cells[before] ?? '') : '';
}

function namesOnly(row: SheetRow): boolean {
  const names = filled(row);
  return (
    names.length > 0 &&
    names.every((name) => name.length <= maxName && (!isValue(name) || period.test(name) || measure.test(name)))
  );
}

function filled({ cells }: SheetRow): string[] {
  return cells.filter((cell) => cell !== '');
}
