import { analyze } from '#server/lib/analyze.ts';
import { isDateTerm, markDates } from '#server/lib/dates.ts';
import type { UnitRow } from './unit.ts';

/** Of the year up to a month, not of the month. */
const toDate =
  /(?<!\p{L})(?:ytd|year[- ]to[- ]date|kumuliert\p{L}*|seit jahresbeginn|cumulée?s?|acumulad[oa]s?|cumulat[oi])(?!\p{L})/iu;
/** "in", "for the month of" and the like, before the word that stands for a month and its year (`markDates`). */
const ofMonth =
  /(?<!\p{L})(?:in|for|during|(?<!as\s)of|im|für|en|durante|nel)\s+(?:the\s+)?(?:month\s+(?:of|ending|ended)\s+|monat\s+|mois\s+de\s+|mes\s+de\s+)?(d\d{6})(?!\d)/giu;

/** The months that a question asks about by themselves, as terms: of "January to June 2024" there is none. */
export function askedMonths(question: string): ReadonlySet<string> {
  return new Set(saysToDate(question) ? [] : [...markDates(question).matchAll(ofMonth)].map(([, month = '']) => month));
}

function saysToDate(text: string): boolean {
  return toDate.test(text);
}

/** Whether a row has figures of the year up to some month, and none of a month that is asked for. */
export function isToDate({ header, caption }: UnitRow, months: ReadonlySet<string>): boolean {
  if (months.size === 0) return false;
  const names = [...(header ?? []), caption ?? ''];
  return (
    names.some(saysToDate) && !names.some((name) => analyze(name).some((term) => isDateTerm(term) && months.has(term)))
  );
}
