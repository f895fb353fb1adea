import { lazily } from './lazily.ts';
import { groupsOf, pattern } from './patterns.ts';

/**
 * A date is written in many ways (`10 January 2024`, `Jan 10, 2024`, `10.01.2024`, `2024-01-10`). Before each stands
 * one word that is the same for all of them, and one for its month, so that a row of that day is found by any.
 */

/** Whose months are told by their names, long and short. */
const languages = 'en de fr es it pt nl sv da nb fi pl cs ro hu tr ru uk el ca sk sl et lv lt id'.split(' ');
/** Shorter names are words of other meaning. */
const minName = 3;

/** Whether there may be a date: most texts have none, and pass at once. */
const suspected = /(?:19|20)\d\d|\d[./]\d{1,2}[./]\d\d/;
const year = '((?:19|20)\\d\\d)';
const day = '([0-3]?\\d)';
const begin = '(?<![\\p{L}\\p{N}.,/-])';
const end = '(?![\\p{L}\\p{N}/-]|[.,]\\d)';
type Shape = [RegExp, (groups: string[]) => string[]];

const monthOf = lazily(monthNames);
/** The names of the months as one pattern, the longest first. */
const monthName = lazily(
  () => `(${[...monthOf().keys()].sort((one, other) => other.length - one.length).join('|')})\\.?(?!\\p{L})`,
);

/** Made with the first text that may have a date: the names of the months are asked of the system, one by one. */
const shapes = lazily((): Shape[] => {
  const name = monthName();
  return [
    // 2024-01-10, 2024/1/10, 2024.01.10, also with a time behind it.
    [
      pattern(`${begin}${year}([-/.])(\\d{1,2})\\2(\\d{1,2})(?=${end}|T\\d)`),
      ([inYear, , month, ofMonth]) => dated(inYear, month, ofMonth),
    ],
    [
      pattern(`${year}年\\s?(\\d{1,2})月(?:\\s?(\\d{1,2})[日号])?`),
      ([inYear, month, ofMonth]) => dated(inYear, month, ofMonth),
    ],
    // 10.01.2024 is of the tenth; 01/10/2024 may be of either month.
    [
      pattern(`${begin}${day}\\.\\s?(\\d{1,2})\\.\\s?${year}${end}`),
      ([ofMonth, month, inYear]) => dated(inYear, month, ofMonth),
    ],
    [
      pattern(`${begin}(\\d{1,2})([/-])(\\d{1,2})\\2${year}${end}`),
      ([one, , other, inYear]) => [...new Set([...dated(inYear, one, other), ...dated(inYear, other, one)])],
    ],
    // 10 January 2024, 10. Januar 2024, 10th of January, 2024, 10 de enero de 2024.
    [
      pattern(`${begin}${day}(?:st|nd|rd|th|er|\\.|º)?\\s+(?:of\\s+|de\\s+)?${name},?\\s+(?:de[l]?\\s+)?${year}${end}`),
      ([ofMonth, month, inYear]) => dated(inYear, monthOf().get(lower(month)), ofMonth),
    ],
    // January 10, 2024.
    [
      pattern(`${begin}${name}\\s+${day}(?:st|nd|rd|th)?,?\\s+${year}${end}`),
      ([month, ofMonth, inYear]) => dated(inYear, monthOf().get(lower(month)), ofMonth),
    ],
    // January 2024, without a day before it.
    [
      pattern(
        `(?<![\\p{L}\\p{N}])(?<!\\d(?:st|nd|rd|th|er|\\.|º)?\\s{1,3}(?:(?:of|de)\\s{1,3})?)${name},?\\s+(?:of\\s+|de[l]?\\s+)?${year}${end}`,
      ),
      ([month, inYear]) => dated(inYear, monthOf().get(lower(month))),
    ],
  ];
});

/** The text with a word for each of its dates before it, and one for the month: `d20240110`, `d202401`. */
export function markDates(text: string): string {
  if (!suspected.test(text)) return text;
  let marked = text;
  for (const [shape, read] of shapes())
    marked = marked.replace(shape, (all, ...rest: unknown[]) => [...read(groupsOf(rest)), all].join(' '));
  return marked;
}

/** The dates of a text, and its months with a year, as they are written. */
export function datesIn(text: string): string[] {
  if (!suspected.test(text)) return [];
  return shapes().flatMap(([shape]) => [...text.matchAll(shape)].map(([written]) => written));
}

/** A day of any year, as a question names it: `jan 7`. */
export interface DayOfYear {
  month: number;
  day: number;
  /** The month, as it is written. */
  name: string;
}

/** Short names of months that are words of English as well: "set 3", "gen 5", "2 ago". */
const otherWords = new Set('set gen out ago mag lug dic mart'.split(' '));
const ordinal = '(?:st|nd|rd|th|er|\\.|º)?';
/** A year right behind a month or its day. */
const noYear = '(?!,?\\s{0,3}(?:of\\s|de[l]?\\s)?\\s{0,3}(?:19|20)\\d\\d(?!\\d))';
const daysOfYear = lazily(() => [
  pattern(`${begin}${day}${ordinal}\\s{1,3}(?:of\\s|de\\s)?${monthName()}${noYear}`),
  pattern(`${begin}${monthName()}\\s{1,3}${day}(?:st|nd|rd|th)?(?![\\p{L}\\d]|[.,:/-]\\d)${noYear}`),
]);

/** The days that a text names without a year. */
export function daysWithoutYear(text: string): DayOfYear[] {
  if (!/\d/.test(text)) return [];
  return daysOfYear().flatMap((shape, i) =>
    [...text.matchAll(shape)].flatMap(([, one = '', other = '']): DayOfYear[] => {
      const [name, ofMonth] = i === 0 ? [other, Number(one)] : [one, Number(other)];
      const month = monthOf().get(lower(name)) ?? 0;
      const isDay = ofMonth >= 1 && ofMonth <= 31 && !otherWords.has(lower(name));
      return isDay ? [{ month, day: ofMonth, name }] : [];
    }),
  );
}

/** The months that a text names. */
export function monthsNamed(text: string): Omit<DayOfYear, 'day'>[] {
  return (text.match(/\p{L}+/gu) ?? []).flatMap((name) => {
    const month = monthOf().get(lower(name));
    return month === undefined || otherWords.has(lower(name)) ? [] : [{ month, name }];
  });
}

/** The words that stand for a day and for its month in a year. */
export function dateTerms(
  year: string,
  { month, day = 1 }: { month: number; day?: number },
): { day: string; month: string } {
  const [ofDay = '', ofMonth = ''] = dated(year, month, String(day));
  return { day: ofDay, month: ofMonth };
}

/** Whether a term is one that stands for a date or a month, beside those of its parts. */
export function isDateTerm(term: string): boolean {
  return /^d\d{6}(?:\d\d)?$/.test(term);
}

/** Nothing where there is no such day. */
function dated(inYear = '', month: string | number = '', ofMonth = ''): string[] {
  const [monthNumber, dayNumber] = [Number(month), Number(ofMonth)];
  if (!(monthNumber >= 1 && monthNumber <= 12 && dayNumber <= 31)) return [];
  const ofYear = `d${inYear}${String(monthNumber).padStart(2, '0')}`;
  return dayNumber === 0 ? [ofYear] : [`${ofYear}${String(dayNumber).padStart(2, '0')}`, ofYear];
}

/** The months by their names, as they stand alone and beside a day. */
function monthNames(): Map<string, number> {
  const names = new Map<string, number>();
  for (const language of languages) {
    for (const length of ['long', 'short'] as const) {
      for (const options of [{ month: length }, { month: length, day: 'numeric' as const }]) {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
        for (let month = 1; month <= 12; month++) {
          const parts = format.formatToParts(Date.UTC(2024, month - 1, 15));
          const found = parts.find(({ type }) => type === 'month')?.value ?? '';
          const plain = lower(found).replace(/\.$/, '');
          // In Finnish and Czech a short name is a number.
          if (plain.length >= minName && /^[\p{L}\p{M}]+$/u.test(plain) && !names.has(plain)) names.set(plain, month);
        }
      }
    }
  }
  return names;
}

function lower(text = ''): string {
  return text.toLowerCase();
}
