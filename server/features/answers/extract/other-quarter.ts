import { monthsNamed } from '#server/lib/dates.ts';
import { foldPeriods, yearsIn } from '#server/lib/periods.ts';
import { datedMonths } from './other-month.ts';
import type { UnitRow } from './unit.ts';

/** A quarter, with the years in which it is told of: none where only the quarter is said. */
export interface Quarter {
  number: number;
  years: readonly string[];
}

const year = '(?:19|20)\\d\\d';
/** As `foldPeriods` writes it: "q3 2024", "q3  of fiscal 2024", "q1 , 2023 vs. 2022". */
const quarter = new RegExp(
  `(?<![\\p{L}\\p{N}])q([1-4])(?![\\p{L}\\p{N}])(?:[\\s,]+(?:(?:of|the|fiscal|calendar|years?|de|del|des|du|von)\\s+){0,4}(${year}(?:\\s*(?:vs\\.?|versus|and|or|to|&|/|,|und|et|y|e)\\s*${year}){0,8})(?!\\d))?`,
  'giu',
);
/** "Third-quarter results". */
const hyphen = /(?<=(?:first|second|third|fourth|1st|2nd|3rd|4th))-(?=quarter)/giu;

/** "Last quarter" is the one before, whichever that is; the last one of 2023 is the fourth. */
const relative = new RegExp(
  `(?<!\\p{L})(?:last|letzte[sn]?|dernier|último|ultimo)\\s+(?=(?:(?:fiscal|calendar)\\s+)?(?:quarter|quartal|trimestre)(?!\\p{L})(?![\\s,]+(?:\\p{L}+\\s+){0,3}${year}))`,
  'giu',
);

/** The quarters that a text names by their numbers. */
export function quartersIn(text: string): Quarter[] {
  return [...foldPeriods(text.replace(hyphen, ' ').replace(relative, '')).matchAll(quarter)].map(
    ([, number, years]) => ({
      number: Number(number),
      years: years?.match(/\d{4}/g) ?? [],
    }),
  );
}

/**
 * Whether a text is of another quarter than those that are asked for: by what it says itself, or else by its document's
 * name, where it does not have the last month of one that is asked for.
 * @param asked of none, nothing is known
 * @param name of the document; its year may be another one, as a report has that of the year before as well
 */
export function isOfOtherQuarter(asked: readonly Quarter[], text: string, name: string): boolean {
  if (asked.length === 0) return false;
  const own = quartersIn(text);
  if (own.length > 0) return !own.some((each) => asked.some((one) => isSame(one, each)));
  const ofName = quartersIn(name);
  if (ofName.length === 0 || ofName.some(({ number }) => asked.some((one) => one.number === number))) return false;
  return !endsIn(asked, text);
}

/** What is shorter than a year: "three months ended", "13 weeks", "3M", a day in figures. */
const ofPartOfYear =
  /(?<!\p{L})(?:quarter(?:s|ly|en)?|qtrs?|quartal\p{L}*|trimestr\p{L}+|[qt][1-4]|months?|\p{L}*monat\p{L}*|mois|mes(?:es|i|e)?|weeks?|wochen?|\d{1,2}m)(?!\p{L})|\d{1,2}[./]\d{1,2}[./]\d{2,4}/iu;
/** The month in which a year ends says that it is a whole one. */
const yearEnd =
  /(?<!\p{L})(?:years?|twelve months|12 months|5[23] weeks)[ -]end(?:ed|ing|s)\s+(?:\p{L}+\.? \d{1,2})?/giu;

/**
 * Whether a row's columns are whole years, where a quarter is asked for.
 * @param text the row's own, with all that stands over it
 * @param above the headings of its page and its document's name: a report on a quarter need not say so again
 */
export function isOfWholeYears(asked: readonly Quarter[], { header }: UnitRow, text: string, above: string): boolean {
  if (asked.length === 0 || !header || yearsIn(header.join(' ')).size === 0) return false;
  const said = foldPeriods(`${text} ${above}`).replace(yearEnd, ' ');
  return !ofPartOfYear.test(said) && monthsNamed(said).length === 0 && datedMonths(said).size === 0;
}

function isSame(one: Quarter, other: Quarter): boolean {
  if (one.number !== other.number) return false;
  return one.years.length === 0 || other.years.length === 0 || one.years.some((each) => other.years.includes(each));
}

/**
 * Whether a text has the month in which a quarter ends that is asked for: a balance of December is of the fourth one.
 */
function endsIn(asked: readonly Quarter[], text: string): boolean {
  const months = datedMonths(text);
  return asked.some(({ number, years }) => {
    const there = months.get(String(3 * number).padStart(2, '0'));
    return there !== undefined && (years.length === 0 || years.some((each) => there.has(each)));
  });
}
