import { markDates } from '#server/lib/dates.ts';

/** A month of a year, as `markDates` writes it. */
const month = /(?<![\p{L}\p{N}])d(\d{4})(\d\d)(?!\d)/gu;

/** The months that a text names with their years: `09` with `2024`. */
export function datedMonths(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const years = new Map<string, Set<string>>();
  for (const [, year = '', ofYear = ''] of markDates(text).matchAll(month))
    years.set(ofYear, (years.get(ofYear) ?? new Set()).add(year));
  return years;
}

/** Whether a text is of a month that is asked for, but in other years: June 30, 2023, where June 2024 is asked for. */
export function isOfOtherYear(asked: ReadonlyMap<string, ReadonlySet<string>>, text: string): boolean {
  if (asked.size === 0) return false;
  const own = datedMonths(text);
  let isOther = false;
  for (const [ofYear, years] of asked) {
    const there = own.get(ofYear);
    if (!there) continue;
    if (!years.isDisjointFrom(there)) return false;
    isOther = true;
  }
  return isOther;
}
