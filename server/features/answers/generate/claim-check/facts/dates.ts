import { type Measure, monthOf } from './measures.ts';
import type { Token } from './tokens.ts';

/** A number, amount, date, time or place in an order, with where it stands. */
export interface Quantity {
  /**
   * What is counted or measured: `time`, a currency's code, `date`, `clock`, `year`, `weekday`, `order`; `count`
   * where it is a thing that has no unit.
   */
  of: string;
  /** How many base units its unit is. */
  base: number;
  /** In the base unit; several where the writing leaves it open. A date as year, month and day, 0 where not given. */
  values: readonly number[];
  /** Of a count: the words behind the number, folded. */
  noun: readonly string[];
  /** What it is counted for ("a night", "per kilometre"): measures, or folded words. */
  per: readonly string[];
  /** Index of its first and behind its last token. */
  start: number;
  end: number;
}

/** Values in the unit that a number was written in. */
export function quantityOf({ of, base }: Measure, values: readonly number[], start: number, end: number): Quantity {
  return { of, base, values: values.map((value) => value * base), noun: [], per: [], start, end };
}

/** "2026-07-01", "28.04.2026", "28 April 2026", "April 28, 2026", "1er juillet", "28 de abril de 2026", "in March". */
export function dateAt(tokens: readonly Token[], i: number): Quantity | null {
  const token = tokens[i];
  if (!token) return null;
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(token.folded);
  if (iso) return dated(i, i + 1, Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const written = /^(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})$/.exec(token.folded);
  if (written) {
    const year = Number(written[3]) + (written[3]?.length === 2 ? 2000 : 0);
    const [one, other] = [Number(written[1]), Number(written[2])];
    // "03/04/2026" is the third of April or the fourth of March.
    const orders = token.folded.includes('/')
      ? [
          [one, other],
          [other, one],
        ]
      : [[one, other]];
    const values = orders.flatMap(([day = 0, month = 0]) => (month <= 12 ? [dateOf(year, month, day)] : []));
    return { of: 'date', base: 1, values, noun: [], per: [], start: i, end: i + 1 };
  }
  const day = dayIn(token);
  if (day !== null) {
    let at = i + 1;
    while (tokens[at]?.folded === '.' || tokens[at]?.folded === 'of' || tokens[at]?.folded === 'de') at++;
    const word = tokens[at];
    const month = word ? monthOf(word.text, word.folded, true) : null;
    if (month === null) return null;
    const [year, end] = yearAt(tokens, at + 1);
    return dated(i, end, year, month, day);
  }
  const next = tokens[i + 1];
  const nextDay = next ? dayIn(next) : null;
  const [nextYear, behindYear] = yearAt(tokens, i + 1);
  const month = token.kind === 'word' ? monthOf(token.text, token.folded, nextDay !== null || nextYear !== 0) : null;
  if (month === null) return null;
  if (nextYear !== 0) return dated(i, behindYear, nextYear, month, 0);
  if (nextDay === null || !/^\p{Lu}/u.test(token.text)) return dated(i, i + 1, 0, month, 0);
  const [year, end] = yearAt(tokens, i + 2);
  return dated(i, end, year, month, nextDay);
}

/** Whether a word is the name of a month. */
export function monthAt(token: Token | undefined): boolean {
  return token !== undefined && monthOf(token.text, token.folded, true) !== null;
}

function dayIn({ kind, values, folded }: Token): number | null {
  const day = kind === 'number' ? values[0] : Number(/^(\d{1,2})(?:st|nd|rd|th|er|o)$/.exec(folded)?.[1] ?? 0);
  return day !== undefined && Number.isInteger(day) && day >= 1 && day <= 31 ? day : null;
}

/** The year behind a month, and where it ends; 0 where there is none. */
function yearAt(tokens: readonly Token[], i: number): [year: number, end: number] {
  let at = i;
  while (tokens[at] && /^(?:,|\.|de|del|of|en)$/.test(tokens[at]?.folded ?? '')) at++;
  const year = at - i <= 2 ? tokens[at]?.values[0] : undefined;
  return year !== undefined && isYear(tokens[at]) ? [year, at + 1] : [0, i];
}

/** Whether a number may be a year, from 1900 to 2099. */
export function isYear(token: Token | undefined): boolean {
  return token?.kind === 'number' && /^(?:19|20)\d\d$/.test(token.folded);
}

function dated(start: number, end: number, year: number, month: number, day: number): Quantity | null {
  if (month < 1 || month > 12) return null;
  return { of: 'date', base: 1, values: [dateOf(year, month, day)], noun: [], per: [], start, end };
}

function dateOf(year: number, month: number, day: number): number {
  return year * 10_000 + month * 100 + day;
}

/** "9:00", "9 a.m.", "17 Uhr", "17h30", "noon": minutes since midnight. */
export function clockAt(tokens: readonly Token[], i: number): Quantity | null {
  const token = tokens[i];
  if (!token) return null;
  const at = (values: number[], end: number): Quantity => ({
    of: 'clock',
    base: 1,
    values,
    noun: [],
    per: [],
    start: i,
    end,
  });
  if (/^(?:noon|midday|mittags|midi|mediodia)$/.test(token.folded)) return at([720], i + 1);
  if (/^(?:midnight|mitternacht|minuit|medianoche)$/.test(token.folded)) return at([0, 1440], i + 1);
  const glued = /^(\d{1,2})h(\d{2})$/.exec(token.folded);
  if (glued) return at([Number(glued[1]) * 60 + Number(glued[2])], i + 1);
  const hour = token.kind === 'number' ? token.values.at(-1) : undefined;
  if (hour === undefined || hour < 0 || hour > 24) return null;
  let end = i + 1;
  let minutes = Math.floor(hour) * 60 + Math.round((hour % 1) * 100);
  let isClock = false;
  const next = tokens[end];
  if (
    next?.folded === ':' &&
    next.glued &&
    tokens[end + 1]?.glued &&
    /^[0-5]\d$/.test(tokens[end + 1]?.folded ?? '') &&
    Number.isInteger(hour)
  ) {
    minutes += Number(tokens[end + 1]?.folded);
    end += 2;
    isClock = true;
  }
  const behind = tokens[end]?.folded ?? '';
  if (/^(?:a\.?m|p\.?m|uhr)$/.test(behind)) {
    if (/^p/.test(behind) && hour < 12) minutes += 720;
    if (/^a/.test(behind) && Math.floor(hour) === 12) minutes -= 720;
    end++;
    if (behind.includes('.') && tokens[end]?.folded === '.') end++;
    isClock = true;
  } else if (isClock && behind === 'h') end++;
  return isClock ? at([minutes], end) : null;
}
