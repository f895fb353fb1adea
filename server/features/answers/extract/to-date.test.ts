import { expect, test } from 'vitest';
import { askedMonths, isToDate } from './to-date.ts';

test.each([
  ['What did the venue cost in October 2024?', ['d202410']],
  ['Gross wages for the month of July 2024', ['d202407']],
  ['Was kostete der Raum im Oktober 2024?', ['d202410']],
  ['What was spent from January to June 2024?', []],
  ['What was owed as of 31 December 2023?', []],
  ['Net income as of November 2024', []],
  ['The expenses of November 2024', ['d202411']],
  ['What was spent in October 2024, year to date?', []],
  ['What did the venue cost in 2024?', []],
])('%s', (question, months) => expect([...askedMonths(question)]).toEqual(months));

const row = (...header: string[]) => ({ header, cells: header.map(() => '1') });
const months = askedMonths('What did the venue cost in October 2024?');

test('a row of the year so far has no figure of a month, unless a column beside is that month', () => {
  expect(isToDate(row('', '2024 (YTD)', 'Budget (YTD)'), months)).toBe(true);
  expect(isToDate(row('', 'Oct 2024', 'Sep 2024', '2024 (YTD)'), months)).toBe(false);
  expect(isToDate(row('', 'Sep 2024', '2024 (YTD)'), months)).toBe(true);
  expect(isToDate(row('', '2024', '2023'), months)).toBe(false);
  expect(isToDate(row('', '2024 (YTD)'), new Set())).toBe(false);
});
