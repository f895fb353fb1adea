import { answerType } from '#server/features/retrieval/question/answer-type.ts';
import type { Asked } from '#server/features/retrieval/question/asked.ts';
import { analyze } from '#server/lib/analyze.ts';
import { isDateTerm, markDates } from '#server/lib/dates.ts';
import { isFormOf } from '#server/lib/word-forms.ts';
import type { UnitRow } from './unit.ts';

/**
 * A row with more cells than this is shown by its key and what is asked for: named one by one it is longer than the
 * table.
 */
const maxNamedCells = 8;
/** One or two figures may be any count, or the day of a date. */
const shortNumber = /^\W*\d{1,2}\W*$/;
/** Share of a column's name that a question has to have. */
const minNamed = 0.5;

/**
 * The cells of a wide row that are shown, in their order: its key and what is asked for, or its first ones where the
 * question does not say. Undefined where all are.
 */
export function shownColumns(row: UnitRow, question: Asked): number[] | undefined {
  const filled = row.cells.flatMap((cell, column) => (cell.trim() === '' ? [] : [column]));
  if (!row.header || filled.length <= maxNamedCells) return undefined;
  const asked = askedColumns(row, question);
  if (asked.length === 0) return filled.slice(0, maxNamedCells);
  const both = new Set([...keyColumns(row, question), ...asked]);
  return filled.filter((column) => both.has(column)).slice(0, maxNamedCells);
}

/**
 * The columns of a row that a question asks for by their names, or by the kind of what stands in them; none where it
 * does not say.
 */
export function askedColumns({ header, cells }: UnitRow, { text }: Asked): number[] {
  if (!header) return [];
  const question = [...new Set(analyze(text))];
  const named = header.map((name, column) =>
    (cells[column] ?? '').trim() === '' ? 0 : shareNamed(analyze(name), question, analyze(cells[column] ?? '')),
  );
  const most = Math.max(0, ...named);
  if (most >= minNamed) return named.flatMap((share, column) => (share === most ? [column] : []));
  if (answerType(text) !== 'date') return [];
  return cells.flatMap((cell, column) => (column > 0 && markDates(cell) !== cell ? [column] : []));
}

/** The columns in which a row says what the question says. */
export function saidColumns({ cells }: UnitRow, { text }: Asked): number[] {
  const question = new Set(analyze(text));
  return cells.flatMap((cell, column) => {
    const terms = analyze(cell);
    const isSaid = terms.some(isDateTerm)
      ? terms.some((term) => isDateTerm(term) && question.has(term))
      : terms.length > 0 && !shortNumber.test(cell) && terms.every((term) => question.has(term));
    return isSaid ? [column] : [];
  });
}

/** Of a row, the cells by which it is told from others: those that the question says, else the first that is filled. */
function keyColumns(row: UnitRow, asked: Asked): number[] {
  const { cells } = row;
  const question = new Set(analyze(asked.text));
  const said = saidColumns(row, asked);
  if (said.length > 0) return said;
  const partly = cells.findIndex((cell) => analyze(cell).some((term) => question.has(term)));
  const first = partly === -1 ? cells.findIndex((cell) => cell.trim() !== '') : partly;
  return first === -1 ? [] : [first];
}

/** How much of a column's name a question has; nothing where what it has stands in the cell itself. */
function shareNamed(name: string[], question: string[], cell: string[]): number {
  const terms = [...new Set(name)];
  if (terms.length === 0) return 0;
  const said = terms.filter((term) => question.some((each) => each === term || isFormOf(each, term)));
  return said.every((term) => cell.includes(term)) ? 0 : said.length / terms.length;
}

/** Whether a year or another number of the question names a column in which the row has a figure. */
export function namesColumn({ header, cells }: UnitRow, question: Asked): boolean {
  return columnsOf(header, question).some((i) => /\d/.test(cells[i] ?? ''));
}

/**
 * The columns, but for that of the labels, that have a date of the question in their name (`Jun 2024`, of which
 * `2024 (YTD)` is none); where none has, those with a number of it.
 */
export function columnsOf(header: string[] | null, asked: Asked): readonly number[] {
  if (!header || asked.numbers.size === 0) return [];
  const columns = columnsAsked.get(asked) ?? new WeakMap<string[], readonly number[]>();
  columnsAsked.set(asked, columns);
  const known = columns.get(header) ?? findColumns(header, asked);
  columns.set(header, known);
  return known;
}

/** All rows of a table have the same header, and are read one by one. */
const columnsAsked = new WeakMap<Asked, WeakMap<string[], readonly number[]>>();

function findColumns(header: string[], { text, numbers }: Asked): number[] {
  const dates = new Set(analyze(text).filter(isDateTerm));
  const dated = header.flatMap((name, i) => (i > 0 && analyze(name).some((term) => dates.has(term)) ? [i] : []));
  if (dated.length > 0) return dated;
  // "FY19" is 2019.
  const isAsked = (number: string) =>
    [...numbers].some((each) => each === number || (each.length === 2 && number.length === 4 && number.endsWith(each)));
  return header.flatMap((name, i) => (i > 0 && name.match(/\d+/g)?.some(isAsked) ? [i] : []));
}
