import { askedYears, type Dated, type YearFit, yearFit } from '#server/features/retrieval/question/year-fit.ts';
import { foreseenCheck } from './foreseen.ts';
import { askedDays, isOfOtherDay } from './other-day.ts';
import { datedMonths, isOfOtherYear } from './other-month.ts';
import { isOfOtherQuarter, isOfWholeYears, quartersIn } from './other-quarter.ts';
import { askedMonths, isToDate } from './to-date.ts';
import type { Unit } from './unit.ts';
import { around } from './unit-shape.ts';

/** How a unit fits the time that a question asks about: each 1 or 0. */
export interface TimeFit extends YearFit {
  /** It has a month that is asked for, of other years alone. */
  otherMonth: number;
  /** It is a row of another day than the one that is asked for. */
  otherDay: number;
  /** It is of other quarters than those that are asked for, or a row of whole years. */
  otherQuarter: number;
}

/** Reads units for the years, quarters and months of one question. */
export function askedTime(
  question: string,
): (unit: Unit, passage: Dated & { name: string }, terms?: readonly string[]) => TimeFit {
  const [years, months, dated] = [askedYears(question), askedMonths(question), datedMonths(question)];
  const [quarters, days] = [quartersIn(question), askedDays(question)];
  const isForeseen = foreseenCheck(question);
  return (unit, passage, terms = []) => {
    const text = `${unit.text} ${around(unit)}`;
    const isOfYearSoFar = unit.row !== undefined && isToDate(unit.row, months);
    const fit = yearFit(years, text, passage);
    const isOtherQuarter =
      isOfOtherQuarter(quarters, text, passage.name) ||
      (unit.row !== undefined &&
        isOfWholeYears(quarters, unit.row, text, `${passage.headingPath.join(' ')} ${passage.name}`));
    const isNotOfYear = isOfYearSoFar || (fit.year === 1 && isForeseen?.(passage.editions));
    return {
      ...fit,
      ...(isNotOfYear && { year: 0, otherYear: 1 }),
      otherMonth: isOfOtherYear(dated, text) ? 1 : 0,
      otherDay: unit.row && isOfOtherDay(days, unit.row, terms) ? 1 : 0,
      otherQuarter: isOtherQuarter ? 1 : 0,
    };
  };
}
