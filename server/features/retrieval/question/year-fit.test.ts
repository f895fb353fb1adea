import { expect, test } from 'vitest';
import { askedYears, yearFit } from './year-fit.ts';

const passage = { headingPath: ['Balance sheet'], editions: ['2022'], inDocument: ['2021'] };
const none = { year: 0, edition: 0, otherYear: 0, vagueYear: 0, absentYear: 0 };

test.each([
  ['what it says', 'Sales in 2022', '2022', { year: 1 }],
  ['a date', 'Sales | 31.12.2022', '2022', { year: 1 }],
  ['its document', 'Sales', '2022', { edition: 1 }],
  ['its document, though another one stands in it', 'Sales | 2023', '2022', { edition: 1, otherYear: 1 }],
  ['elsewhere in its document', 'Sales', '2021', { vagueYear: 1 }],
  ['nowhere', 'Sales | 2023', '2019', { otherYear: 1, absentYear: 1 }],
])('the year is known from %s', (_, text, year, fit) => {
  expect(yearFit(new Set([year]), text, passage)).toEqual({ ...none, ...fit });
});

test('nothing is known where no year is asked for, or only since when', () => {
  expect(yearFit(askedYears('What were the sales?'), 'Sales in 2022', passage)).toEqual(none);
  for (const text of [
    'Who has been there since 2019?',
    'What was sold between the start of 2019 and June 2020?',
    'What had to be paid before January 1, 2020?',
    'Was galt bis Ende 2018?',
  ])
    expect(askedYears(text).size, text).toBe(0);
});

test('a word of time that belongs to something else leaves the year as it was asked for', () => {
  expect([...askedYears('How much gold came from Nevada in 2013?')]).toEqual(['2013']);
  expect([...askedYears('How long before the audit of 2013 was it sent?')]).toEqual(['2013']);
});
