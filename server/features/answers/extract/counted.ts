import { answersIn } from '#server/features/retrieval/question/answer-type.ts';
import { type Asked, readAsked } from '#server/features/retrieval/question/asked.ts';
import type { Coverage, Measures } from '#server/features/retrieval/question/coverage.ts';
import { focusOf } from '#server/features/retrieval/question/focus.ts';
import { type Question, type RetrievedPassage, termsFor } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import type { Unit } from './unit.ts';
import { around } from './unit-shape.ts';

const counting = /(?<!\p{L})(?:how many|wie ?viele|combien d|cu[áa]nt[oa]s|quant[ie])/iu;
/** Words between a number and what it counts, at most. */
const maxBetween = 4;
/** And characters: a row of figures is not read anew for each of them. */
const maxAround = 100;
/** What is counted stands right behind "how many": a word or two. */
const countedWords = 2;

/**
 * Tells whether what may be quoted has a number of what a question counts; null where it asks for no number of anything
 * that documents here speak of.
 * @returns takes a unit, its passage, and which of the question's words stand in the unit or over it
 */
export function countCheck(
  question: Question,
  questionText: string,
  { of, share }: Measures,
): ((unit: Unit, passage: RetrievedPassage, there: Coverage) => boolean) | null {
  if (!asksCount(questionText)) return null;
  const counted = of(analyze(focusOf(questionText).split(/\s+/, countedWords).join(' ')));
  if (share(counted) === 0) return null;
  const asked = readAsked(questionText);
  const isIn = (there: Coverage) => counted.some((each, i) => each > 0 && (there[i] ?? 0) > 0);
  return (unit, { language }, there) =>
    isIn(there) && hasCount(unit, asked, (text) => isIn(of(termsFor(question, text, language))));
}

/** Whether a question asks how many there are of something (English, German, French, Spanish, Italian). */
function asksCount(question: string): boolean {
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
    const before = text
      .slice(Math.max(0, start - maxAround), start)
      .trimEnd()
      .split(/\s+/)
      .slice(-maxBetween);
    const behind = text
      .slice(end, end + maxAround)
      .trimStart()
      .split(/\s+/, maxBetween);
    return says([...before, text.slice(start, end), ...behind].join(' '));
  });
}
