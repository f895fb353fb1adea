import { type Asked, answersIn } from '#server/features/retrieval/question/answer-type.ts';
import type { Unit } from './unit.ts';
import { around } from './unit-shape.ts';

const counting = /(?<!\p{L})(?:how many|wie ?viele|combien d|cu[áa]nt[oa]s|quant[ie])/iu;
/** Words between a number and what it counts, at most. */
const maxBetween = 4;

/** Whether a question asks how many there are of something (English, German, French, Spanish, Italian). */
export function asksCount(question: string): boolean {
  return counting.test(question);
}

/**
 * Whether a sentence, item or row has a number of what is counted: close to its words, or in a row that they name.
 * @param says whether a piece of text has one of the words that name what is counted
 */
export function hasCount(unit: Unit, asked: Asked, says: (text: string) => boolean): boolean {
  const { text, row } = unit;
  if (row && /\d/.test(row.cells.slice(1).join(' ')) && says(`${row.cells[0] ?? ''} ${around(unit)}`)) return true;
  return answersIn(text, 'amount', asked).some(({ start, end }) => {
    const before = text.slice(0, start).trimEnd().split(/\s+/).slice(-maxBetween);
    const behind = text.slice(end).trimStart().split(/\s+/, maxBetween);
    return says([...before, text.slice(start, end), ...behind].join(' '));
  });
}
