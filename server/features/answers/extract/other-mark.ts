import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze, isStopTerm } from '#server/lib/analyze.ts';
import type { UnitRow } from './unit.ts';

/** What things of one name are told apart by: `Widget C`, `Zone 3`. */
const mark = '(\\p{L}|\\d{1,3})';
const withMark = new RegExp(
  `(?<![\\p{L}\\p{N}])(\\p{L}{3,})[ \\u00a0]${mark}(?![\\p{L}\\p{N}]|[-–/+&.,'’]\\p{N}|['’]\\p{L})`,
  'giu',
);
const ending = new RegExp(`(?<![\\p{L}\\p{N}])(\\p{L}{3,})[ \\u00a0]${mark}$`, 'iu');
/** So few cells do that the others pass at once. */
const endsInMark = /[ \u00a0][\p{L}\d]{1,3}\s*$/u;
/** Characters of a question that are looked at, and of a cell that is no text. */
const maxLength = { question: 1000, cell: 60 };

/**
 * Of each name in a question the marks that it has there, in small letters; of those that are words of its language
 * none.
 */
export function askedMarks(
  question: string,
  { language }: Pick<Question, 'language'>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const marks = new Map<string, Set<string>>();
  for (const [, name = '', written = ''] of question.slice(0, maxLength.question).matchAll(withMark)) {
    const [term = '', own = ''] = [...analyze(name), ...analyze(written)];
    if (isStopTerm(term, language) || isStopTerm(own, language)) continue;
    marks.set(term, (marks.get(term) ?? new Set()).add(own));
  }
  return marks;
}

/**
 * Whether a row is of another one of the things that a question tells apart by a letter or number: who asks for Widget
 * F is not asking for Widget C.
 */
export function isOfOtherMark(asked: ReadonlyMap<string, ReadonlySet<string>>, { cells }: UnitRow): boolean {
  if (asked.size === 0) return false;
  let isOther = false;
  for (const cell of cells) {
    if (cell.length > maxLength.cell || !endsInMark.test(cell)) continue;
    const [, name = '', written = ''] = ending.exec(cell.trim()) ?? [];
    const marks = asked.get(analyze(name)[0] ?? '');
    if (marks?.has(written.toLowerCase())) return false;
    isOther ||= marks !== undefined;
  }
  return isOther;
}
