import { daysWithoutYear, isDateTerm, markDates } from '#server/lib/dates.ts';
import type { UnitRow } from './unit.ts';

/** A day, in one year or, where a question does not say, in any. */
interface Day {
  year: string | null;
  /** Month and day: `0107`. */
  ofYear: string;
}

/** As `markDates` writes it. */
const marked = /(?<![\p{L}\p{N}])d(\d{4})(\d{4})(?!\d)/gu;
/** From here on, or up to here: then rows of other days are asked for. */
const bound =
  '(?<!\\p{L})(?:since|before|after|until|till|between|from|to|by|as of|through|seit|vor|nach|bis|ab|von|zwischen|depuis|avant|après|entre|jusqu\\p{L}*|desde|antes de|después de|hasta|dal?|prima|dopo|fino)';
const bounded = new RegExp(`${bound}\\s{1,3}(?:\\p{L}{1,12}\\.?\\s{1,3}){0,2}(?:d\\d{8}|\\d)`, 'iu');
/** A column of days from or up to which something holds: its rows are of a time, not of the day. */
const boundColumn =
  /(?<!\p{L})(?:valid|from|since|until|till|to|starts?|begins?|ends?|effective|due|expir\p{L}*|gültig\p{L}*|ab|bis|von|seit|beginn|ende|fällig\p{L}*|depuis|jusqu\p{L}*|début|fin|échéance|desde|hasta|inicio|vence|dal|fino|inizio|scadenza)(?!\p{L})/iu;
/** A cell that may have a date. */
const withYear = /(?:19|20)\d\d/;
/** In UTF-16 code units: a longer cell is a text with a date in it. */
const maxDate = 40;
/** Characters of a question that are looked at. */
const maxLength = 1000;
/** `03/04/2024` may be of either month. */
const maxReadings = 2;

/** The day that a question asks about, in each way to read it; none where it names several, or says from when on. */
export function askedDays(question: string): readonly Day[] {
  const text = markDates(question.slice(0, maxLength));
  if (bounded.test(text)) return [];
  const days = [
    ...daysIn(text),
    ...daysWithoutYear(text).map(({ month, day }) => ({ year: null, ofYear: `${two(month)}${two(day)}` })),
  ];
  return days.length > maxReadings ? [] : days;
}

/**
 * Whether a row is of one day, and of none that is asked for: who asks for January 25 is not asking for another day.
 * @param terms of the row
 */
export function isOfOtherDay(asked: readonly Day[], { cells, header }: UnitRow, terms: readonly string[]): boolean {
  if (asked.length === 0) return false;
  const days = daysIn([...new Set(terms.filter(isDateTerm))].join(' '));
  if (!isOneDay(days) || days.some((day) => asked.some((each) => isSame(each, day)))) return false;
  const dated = cells.flatMap((cell, column) =>
    cell.length <= maxDate && withYear.test(cell) ? [header?.[column] ?? ''] : [],
  );
  return dated.length > 0 && !dated.some((name) => boundColumn.test(name));
}

/** One, or both ways to read it. */
function isOneDay([one, other, ...more]: readonly Day[]): boolean {
  if (one === undefined || more.length > 0) return false;
  const swapped = one.ofYear.slice(2) + one.ofYear.slice(0, 2);
  return other === undefined || (other.year === one.year && other.ofYear === swapped);
}

function daysIn(text: string): Day[] {
  return [...text.matchAll(marked)].map(([, year = '', ofYear = '']) => ({ year, ofYear }));
}

function isSame(one: Day, other: Day): boolean {
  return one.ofYear === other.ofYear && (one.year === null || one.year === other.year);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
