import { type Asked, answersIn, answerType } from '#server/features/retrieval/question/answer-type.ts';
import { askedColumns } from './asked-columns.ts';

import type { Unit } from './unit.ts';
import { columnsOf } from './unit-signals.ts';

/** A part of a quote: offsets into its text, end exclusive. */
export interface Emphasis {
  start: number;
  end: number;
}

/**
 * The short answer in a quote, where it is clear: of a row the cell in the column that is asked for, of a sentence the
 * only date, amount or name that it adds to the question.
 */
export function shortAnswer({ text, row }: Unit, question: Asked): Emphasis | null {
  if (row) return cellAsked(text, row, question);
  const type = answerType(question.text);
  if (type !== 'date' && type !== 'amount' && type !== 'person') return null;
  const dates = type === 'amount' ? answersIn(text, 'date', question) : [];
  const [only, ...others] = answersIn(text, type, question).filter(
    ({ start, end }) => !dates.some((date) => start < date.end && date.start < end),
  );
  return only && others.length === 0 ? only : null;
}

function cellAsked(text: string, { header, cells }: NonNullable<Unit['row']>, question: Asked): Emphasis | null {
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
