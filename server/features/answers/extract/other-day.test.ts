import { expect, test } from 'vitest';
import { analyze } from '#server/lib/analyze.ts';
import { askedDays, isOfOtherDay } from './other-day.ts';

const other = (question: string, cells: string[], header = ['Product', 'Date', 'Amount']) =>
  isOfOtherDay(askedDays(question), { cells, header }, analyze(cells.join(' | ')));

test.each(['sales on January 25, 2024', 'sales on jan 25', 'Verkäufe am 25. Januar', 'sales 25.01.2024'])(
  '%s: a row of another day is another one',
  (question) => {
    expect(other(question, ['Lamp', '2024-01-05', '7'])).toBe(true);
    expect(other(question, ['Lamp', '2024-01-25 0:00:00', '7'])).toBe(false);
    expect(other(question, ['Lamp', '25 January 2024', '7'])).toBe(false);
  },
);

test('a day of another year is another one where the question says the year', () => {
  expect(other('sales on January 25, 2024', ['Lamp', '2023-01-25', '7'])).toBe(true);
  expect(other('sales on January 25', ['Lamp', '2023-01-25', '7'])).toBe(false);
});

test('where a time is asked for, or the row is of one, it is not', () => {
  const row = ['Lamp', '2024-01-05', '7'];
  for (const question of ['sales since January 4, 2024', 'sales from jan 4 to jan 9', 'sales in January 2024', 'sales'])
    expect(other(question, row), question).toBe(false);
  const asked = 'price on January 25, 2024';
  expect(other(asked, row, ['Product', 'Valid from', 'Price'])).toBe(false);
  expect(other(asked, ['2024-01-05', '2024-02-05', '7'], ['Opened', 'Closed', 'Price'])).toBe(false);
  expect(other(asked, ['Lamp', '', '7'])).toBe(false);
});
