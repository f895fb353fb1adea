import { answersIn, answerType } from '#server/features/retrieval/question/answer-type.ts';
import type { Asked } from '#server/features/retrieval/question/asked.ts';
import { askedColumns, columnsOf, saidColumns } from './asked-columns.ts';
import { askedMonths, isToDate } from './to-date.ts';
import type { Unit } from './unit.ts';

/** A part of a quote: offsets into its text, end exclusive. */
export interface Emphasis {
  start: number;
  end: number;
}

/**
 * The short answer in a quote, where it is clear: of a row the cell in the column that is asked for, of a sentence the
 * only date, amount or name that it adds to the question.
 * @param before the question that this one goes on from ("and in Zürich?")
 */
export function shortAnswer({ text, row }: Unit, question: Asked, before?: Asked): Emphasis | null {
  if (row) return cellAsked(text, row, question) ?? (before ? cellAskedBefore(text, row, question, before) : null);
  const type = answerType(question.text);
  if (type !== 'date' && type !== 'amount' && type !== 'person') return null;
  const dates = type === 'amount' ? answersIn(text, 'date', question) : [];
  const [only, ...others] = answersIn(text, type, question).filter(
    ({ start, end }) => !dates.some((date) => start < date.end && date.start < end),
  );
  return only && others.length === 0 ? only : null;
}

type Row = NonNullable<Unit['row']>;

/** Of a row that a question names by a cell, without saying what of it: what the one before asked for. */
function cellAskedBefore(text: string, row: Row, question: Asked, before: Asked): Emphasis | null {
  if (answerType(question.text) || saidColumns(row, question).length === 0) return null;
  return cellAsked(text, row, before);
}

function cellAsked(text: string, row: Row, question: Asked): Emphasis | null {
  if (isToDate(row, askedMonths(question.text))) return null;
  const { header, cells } = row;
  const filled = cells.flatMap((cell, i) => (i > 0 && cell.trim() !== '' ? [i] : []));
  const numbered = columnsOf(header, question);
  const asked = (numbered.length > 0 ? numbered : askedColumns({ header, cells }, question)).filter((i) =>
    filled.includes(i),
  );
  const [column, ...others] = asked.length > 0 ? asked : filled;
  if (column === undefined || others.length > 0) return null;
  let end = 0;
  for (const cell of cells.slice(0, column + 1)) {
    const start = text.indexOf(cell.trim(), end);
    if (start === -1) return null;
    end = start + cell.trim().length;
  }
  return { start: end - (cells[column]?.trim().length ?? 0), end };
}
