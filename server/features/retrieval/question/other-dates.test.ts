import { expect, test } from 'vitest';
import { analyze, questionTerms } from '#server/lib/analyze.ts';
import { otherDates } from './other-dates.ts';

/** Documents with rows of these days. */
const known = new Set(analyze('2023-01-07 2024-01-07 2024-02-18'));
const has = (term: string) => known.has(term);
const of = (question: string) => otherDates(question, questionTerms(question).terms, { has });

test.each(['revenue on jan 7', 'revenue 7 Jan', 'Umsatz am 7. Januar', 'revenue on January 7th'])(
  '%s: the day of any year is meant',
  (question) => {
    const { days, elsewhere } = of(question);
    expect(days).toEqual(['d20240107']);
    expect(elsewhere.get('d20230107')).toBe('d20240107');
  },
);

test('a month is named by the dates of rows, and a year of the question holds', () => {
  const [january] = analyze('January');
  expect(of('sales in January').elsewhere).toEqual(
    new Map([
      ['d202301', january],
      ['d202401', january],
    ]),
  );
  expect(of('sales of January 2024').elsewhere).toEqual(new Map());
  expect(of('sales on 18 February 2024').elsewhere).toEqual(new Map([['d202402', analyze('February')[0]]]));
  expect(of('sales on jan 7 in 2023').days).toEqual(['d20230107']);
});

test('what no document has, and what is no date, stays words', () => {
  for (const question of ['sales on jan 8', 'set 7 of the tools', '7 people', 'on 7 January 2022'])
    expect(of(question).days, question).toEqual([]);
});
