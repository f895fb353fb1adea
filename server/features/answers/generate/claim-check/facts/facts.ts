import { analyze } from '#server/lib/analyze.ts';
import { isByChange } from './change.ts';
import type { Quantity } from './dates.ts';
import type { Language } from './language.ts';
import { type Bound, boundOf, sidesOf } from './polarity.ts';
import { quantitiesIn } from './quantities.ts';
import { isRounded, stepOf } from './rounding.ts';
import { type Token, tokensIn, wordSet } from './tokens.ts';

/**
 * What of a text must stand in another one in the same relation: a number, date or the like, a code, or a word that has
 * an opposite.
 */
export interface Fact {
  /** Facts are compared with those of the same kind alone: `EUR`, `date`, `code A-9`, `opposite 12`. */
  of: string;
  quantity: Quantity | null;
  /** Of a code its folded text; of a word with an opposite `+` or `-`. */
  value: string;
  bound: Bound | null;
  start: number;
  end: number;
  segment: number;
  isCell: boolean;
  /** A number that is written in digits. */
  isDigits: boolean;
  /** By how much something rose or fell, not what it is: "by 119". */
  isChange: boolean;
  /** Of a rounded number, how much its last digit counts: 1000 for "about 367,000". */
  step: number | null;
}

/** A word as it is looked up in others. */
export interface Place {
  term: string;
  /** Index of its token. */
  at: number;
  segment: number;
}

/** A text as it is compared with others. */
export interface ReadText {
  tokens: readonly Token[];
  facts: readonly Fact[];
  places: readonly Place[];
  /** The text without words that set a number's bound ("no more than"): what they seem to deny they do not. */
  plain: string;
}

/** What these say is as good as a name; other numbers are compared as facts alone. */
const namedByNumber = new Set(['year', 'date', 'order', 'weekday']);
/** Of one text; more than that is a list of numbers, and nobody's sentence. */
const maxFacts = 60;

/** What stands between the ends of a range, or the members of a pair: "between 5 and 30". */
const ranges = wordSet("to bis auf until à au jusqu'à jusqu'au hasta – - — and und et y");

/** @param isRow its numbers may have their unit elsewhere in the table */
export function readText(text: string, language: Language, isRow = false): ReadText {
  const tokens = tokensIn(text);
  const facts: Fact[] = [];
  const used = new Set<number>();
  const taken = new Set<number>();
  const measured = new Set<number>();
  for (const quantity of quantitiesIn(tokens, language)) {
    const { bound, used: words } = boundOf(quantity, tokens);
    for (const at of words) used.add(at);
    for (let at = quantity.start; at < quantity.end; at++) {
      taken.add(at);
      if (!namedByNumber.has(quantity.of)) measured.add(at);
    }
    facts.push({
      ...placed(tokens, quantity.start, quantity.end),
      of: quantity.of,
      quantity,
      value: '',
      bound,
      isCell: isRow,
      isDigits: /\p{Nd}/u.test(tokens[quantity.start]?.text ?? '') && quantity.of !== 'date',
      isChange: isByChange(tokens, quantity.start),
      step: stepOf(quantity, tokens, bound),
    });
  }
  for (const [at, { kind, folded }] of tokens.entries()) {
    if (taken.has(at)) continue;
    const here = {
      ...placed(tokens, at, at + 1),
      quantity: null,
      bound: null,
      isCell: isRow,
      isDigits: false,
      isChange: false,
      step: null,
    };
    if (kind === 'code') facts.push({ ...here, of: `code ${shapeOf(folded)}`, value: folded });
    else if (kind === 'word' && !used.has(at)) {
      for (const side of sidesOf(folded)) {
        facts.push({ ...here, of: `opposite ${Math.abs(side)}`, value: side > 0 ? '+' : '-' });
      }
    }
  }
  return {
    tokens,
    facts: facts.sort((one, other) => one.start - other.start).slice(0, maxFacts),
    places: tokens.flatMap(({ kind, text: word, segment }, at) =>
      kind === 'sign' || measured.has(at) ? [] : analyze(word).map((term) => ({ term, at, segment })),
    ),
    plain: tokens.map(({ text: word }, at) => (used.has(at) ? '' : word)).join(' '),
  };
}

function placed(tokens: readonly Token[], start: number, end: number) {
  return { start, end, segment: tokens[start]?.segment ?? 0 };
}

/**
 * "E-302" and "E-205" are of one shape, "TS-540F" and "TS-540" too: what is of one shape can be taken for each other.
 */
function shapeOf(folded: string): string {
  return /^\p{L}$/u.test(folded) ? 'letter' : folded.replace(/\p{N}.*$/u, '9');
}

/** Numbers of one kind that one word or dash joins: "50 to 60 percent", "from 340 to 420". */
export function rangesIn(read: ReadText | undefined): (readonly [Fact, Fact])[] {
  const numbers = read?.facts.filter(({ quantity }) => quantity !== null) ?? [];
  return numbers.flatMap((fact, i): (readonly [Fact, Fact])[] => {
    const next = numbers[i + 1];
    const joint = read?.tokens[fact.end]?.folded ?? '';
    return next && next.start === fact.end + 1 && next.of === fact.of && ranges.has(joint) ? [[fact, next]] : [];
  });
}

/** Whether a fact of a claim is the same as one of a passage. */
export function isSame(one: Fact, other: Fact): boolean {
  const [asked, there] = [one.quantity, other.quantity];
  if (!asked || !there) return !asked && !there && one.of === other.of && one.value === other.value;
  if (asked.of === 'date' && there.of === 'date')
    return asked.values.some((value) => there.values.some((each) => isSameDate(value, each)));
  if (asked.of === 'year')
    return there.of === 'date'
      ? there.values.some((value) => asked.values.includes(Math.floor(value / 10_000)))
      : areNear(asked.values, there.values) && isPlain(there);
  if (there.of === 'year') return isPlain(asked) && areNear(asked.values, there.values);
  if (asked.of === there.of)
    return areNear(asked.values, there.values) || isMonthsAsDays(asked, there) || isRounded(one, other);
  if (asked.of === 'cents')
    return (
      currencyOf(there) &&
      areNear(
        asked.values.map((value) => value / 100),
        there.values,
      )
    );
  if (there.of === 'cents')
    return (
      currencyOf(asked) &&
      areNear(
        asked.values,
        there.values.map((value) => value / 100),
      )
    );
  if (isMonthsAsDays(asked, there)) return true;
  // "0.05 for each person" is 0.05 euros; a cell of a table has its unit in the head.
  const raw = ({ values, base }: Quantity) => values.map((value) => value / base);
  // "Figure 2" is no second quarter.
  if (asked.of === 'order' || there.of === 'order') return false;
  return (isBare(asked) || isBare(there)) && (areNear(raw(asked), raw(there)) || isRounded(one, other));
}

/** Whether two facts could be taken for each other. */
export function areRivals(one: Fact, other: Fact): boolean {
  const [asked, there] = [one.quantity, other.quantity];
  if (!asked || !there) return !asked && !there && one.of === other.of;
  if (asked.of === there.of) return asked.of !== 'year';
  // A cell of a table has its unit in the head.
  if (
    other.isCell &&
    isBare(there) &&
    asked.of !== 'order' &&
    asked.of !== 'weekday' &&
    asked.of !== 'date' &&
    asked.of !== 'clock' &&
    asked.of !== 'year'
  )
    return true;
  const times = ['time', 'months'];
  return times.includes(asked.of) && times.includes(there.of);
}

/** Whether nothing says what a number counts. */
export function isBare({ of, noun }: Quantity): boolean {
  return of === 'count' && noun.length === 0;
}

function isPlain({ of }: Quantity): boolean {
  return of === 'count' || of === 'year';
}

function currencyOf({ of }: Quantity): boolean {
  return /^[A-Z]{3}$/.test(of);
}

/** What is left out in one of the two may be anything. */
function isSameDate(one: number, other: number): boolean {
  const parts = (value: number) => [Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100];
  const there = parts(other);
  return parts(one).every((part, i) => part === 0 || there[i] === 0 || part === there[i]);
}

/** 730 days are two years, 52 weeks one; 30 days a month only roughly. */
function isMonthsAsDays(one: Quantity, other: Quantity): boolean {
  const [months, time] = one.of === 'months' ? [one, other] : [other, one];
  if (months.of !== 'months' || time.of !== 'time') return false;
  const days = time.values.map((value) => value / 1440);
  return months.values.some((value) =>
    days.some((each) => value >= 12 && (Math.abs(each - (value / 12) * 365) < 1.5 || each === (value / 12) * 364)),
  );
}

function areNear(some: readonly number[], others: readonly number[]): boolean {
  return some.some((one) =>
    others.some((other) => Math.abs(one - other) <= 1e-9 * Math.max(Math.abs(one), Math.abs(other))),
  );
}
