import { analyze } from '#server/lib/analyze.ts';
import { dateTerms, daysWithoutYear, isDateTerm, monthsNamed } from '#server/lib/dates.ts';
import { yearsIn } from '#server/lib/periods.ts';
import type { TermStatistics } from './statistics.ts';

/** How a question's dates stand in documents that write them in other ways. */
export interface OtherDates {
  /** Terms of days that it names without their year, the last that documents have. */
  days: string[];
  /** Terms of documents, each with the question's own. */
  elsewhere: Map<string, string>;
}

/** Years that dates of documents are looked for in where the question names none. */
const years = { first: 1990, last: 2050 };
const anyYear = Array.from({ length: years.last - years.first + 1 }, (_, i) => String(years.first + i));
/** Characters of a question that are looked at. */
const maxLength = 1000;
/** Dates in it that are looked for. */
const maxDates = 8;

/**
 * Of "jan 7" the days that documents have, of whatever year, and for "January" what rows of that month have:
 * `2024-01-07` says no name of a month. Where no document has such a day, the words alone count.
 */
export function otherDates(text: string, terms: readonly string[], { has }: Pick<TermStatistics, 'has'>): OtherDates {
  const own = new Set(terms);
  const looked = text.slice(0, maxLength);
  const asked = yearsIn(looked);
  const possible = asked.size > 0 ? [...asked].sort() : anyYear;
  const days: string[] = [];
  const elsewhere = new Map<string, string>();
  for (const each of daysWithoutYear(looked).slice(0, maxDates)) {
    const known = possible.map((year) => dateTerms(year, each).day).filter(has);
    const newest = known.pop();
    if (newest === undefined || own.has(newest)) continue;
    days.push(newest);
    for (const other of known) elsewhere.set(other, newest);
  }
  for (const { month, name } of monthsNamed(looked).slice(0, maxDates)) {
    const [word] = analyze(name);
    if (word === undefined || !own.has(word)) continue;
    // A month with its year is told from others by both; beside a day of it the day does that.
    const hasDay = terms.some((term) => isDateTerm(term) && term.length > 7 && Number(term.slice(5, 7)) === month);
    for (const year of possible) {
      const term = dateTerms(year, { month }).month;
      if (has(term) && (hasDay || !own.has(term))) elsewhere.set(term, word);
    }
  }
  return { days, elsewhere };
}
