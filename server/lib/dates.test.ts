import { expect, test } from 'vitest';
import { analyze } from './analyze.ts';
import { datesIn, isDateTerm, markDates } from './dates.ts';

const datesOf = (text: string) => analyze(text).filter(isDateTerm).sort();

test.each([
  '10 January 2024',
  'the 10th of January, 2024',
  'January 10, 2024',
  'Jan. 10th 2024',
  '2024-01-10',
  '2024-01-10 0:00:00',
  '2024-01-10T08:30:00Z',
  '2024/1/10',
  '10.01.2024',
  '10. Januar 2024',
  '10 janvier 2024',
  '10 de enero de 2024',
  '10 января 2024',
  '10 stycznia 2024',
  '10. tammikuuta 2024',
  '2024年1月10日',
])('%s is one day', (text) => {
  expect(datesOf(`On ${text} it was sold.`)).toEqual(['d202401', 'd20240110']);
});

test('of two ways to read a date both are known, and a month has no day', () => {
  expect(datesOf('13/01/2024')).toEqual(['d202401', 'd20240113']);
  expect(datesOf('03/04/2024')).toEqual(['d202403', 'd20240304', 'd202404', 'd20240403']);
  expect(datesOf('in January 2024')).toEqual(['d202401']);
});

test('what is no date stays as it is', () => {
  const texts = ['2024-13-45', '5. 2024', '1.10.2024.5', 'March of the 2024 penguins', 'v2024.1'];
  for (const text of texts) expect(markDates(text), text).toBe(text);
});

test('the words of a date stay terms', () => {
  expect(analyze('10 January 2024')).toEqual(expect.arrayContaining(['10', '2024', ...analyze('January')]));
});

test('the dates of a text are found as they are written, months with a year among them', () => {
  expect(datesIn('From 10 January 2024 to 1. März 2024, and in May 2025').toSorted()).toEqual([
    '1. März 2024',
    '10 January 2024',
    'May 2025',
  ]);
  expect(datesIn('Section 5.2 of the 2024 plan')).toEqual([]);
});
