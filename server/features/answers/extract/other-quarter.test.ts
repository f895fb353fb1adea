import { describe, expect, test } from 'vitest';
import { isOfOtherQuarter, isOfWholeYears, quartersIn } from './other-quarter.ts';
import { askedTime } from './time-fit.ts';

const other = (question: string, text: string, name = 'Report.pdf') =>
  isOfOtherQuarter(quartersIn(question), text, name);

test.each([
  ['the third quarter of fiscal 2024', [{ number: 3, years: ['2024'] }]],
  ['third-quarter results', [{ number: 3, years: [] }]],
  ['First Quarter, 2023 vs. 2022', [{ number: 1, years: ['2023', '2022'] }]],
  ['ACME_2023Q2_RESULTS.pdf', [{ number: 2, years: ['2023'] }]],
  [
    'Q1 FY23 and 2Q23',
    [
      { number: 1, years: ['2023'] },
      { number: 2, years: ['2023'] },
    ],
  ],
  ['im dritten Quartal 2022', [{ number: 3, years: ['2022'] }]],
  ['the last quarter of fiscal 2023', [{ number: 4, years: ['2023'] }]],
  ['last quarter, and im letzten Quartal', []],
  ['a quarter of the staff', []],
])('the quarters of "%s"', (text, quarters) => {
  expect(quartersIn(text)).toEqual(quarters);
});

describe('what is of another quarter than the one that is asked for', () => {
  const asked = 'What was the revenue of the third quarter of 2023?';

  test('says so itself', () => {
    expect(other(asked, 'Revenue of the first quarter of 2023 was 12.')).toBe(true);
    expect(other(asked, 'Q3 2022: 12')).toBe(true);
    expect(other(asked, 'Q3 2022, Q3 2023: 12, 13')).toBe(false);
    expect(other(asked, 'In the third quarter it was 12.')).toBe(false);
  });

  test('is of a report of another quarter, and does not say otherwise', () => {
    expect(other(asked, 'Revenues | 12', 'ACME_2023Q1.pdf')).toBe(true);
    expect(other(asked, 'Revenues in Q3 2023 | 12', 'ACME_2024Q1.pdf')).toBe(false);
    // The balance at its end.
    expect(other(asked, 'September 30, 2023 | 12', 'ACME_2024Q1.pdf')).toBe(false);
    expect(other(asked, 'September 30, 2022 | 12', 'ACME_2024Q1.pdf')).toBe(true);
    // With that of the year before in the other column.
    expect(other(asked, 'Revenues | 12', 'ACME_2024Q3.pdf')).toBe(false);
  });

  test('is told of each line', () => {
    const unit = { text: 'Revenues: 12', block: 0, start: 0, end: 12, page: 1, heading: '' };
    const lineOf = (name: string) => askedTime(asked)(unit, { name, headingPath: [], editions: [], inDocument: [] });
    expect(lineOf('ACME_2023Q1.pdf').otherQuarter).toBe(1);
    expect(lineOf('ACME_2023Q3.pdf').otherQuarter).toBe(0);
  });

  test('cannot be told where no quarter is asked for, or none is known', () => {
    expect(other('What was the revenue of 2023?', 'Q1 2023: 12', 'ACME_2023Q1.pdf')).toBe(false);
    expect(other(asked, 'Revenues | 12')).toBe(false);
  });
});

describe('a row of whole years is of none of their quarters', () => {
  const asked = 'What was the revenue of the third quarter of 2023?';
  const isWhole = (header: string[], caption = '', question = asked, above = '') => {
    const text = `Revenue 12 ${header.join(' ')} ${caption}`;
    return isOfWholeYears(quartersIn(question), { header, cells: ['Revenue', '12'] }, text, above);
  };

  test('where its columns say no more than the year', () => {
    expect(isWhole(['', '2023', '2022'])).toBe(true);
    expect(isWhole(['', 'FY 2023'])).toBe(true);
    expect(isWhole(['', '2023', 'Year Ended December 31, 2022'])).toBe(true);
    expect(isWhole(['Twelve months ended June 30', '2023'])).toBe(true);
    expect(isWhole(['52 weeks ended January 28', '2023'])).toBe(true);
  });

  test('unless they, or what stands over them, speak of less', () => {
    expect(isWhole(['Three months ended', '2023'])).toBe(false);
    expect(isWhole(['', '2023'], 'Results by quarter')).toBe(false);
    expect(isWhole(['', 'September 30, 2023'])).toBe(false);
    expect(isWhole(['2023', 'September'])).toBe(false);
    // "May" without a day or year is a word like others.
    expect(isWhole(['', 'May 31, 2023'])).toBe(false);
    expect(isWhole(['', 'Restated'])).toBe(false);
    expect(isWhole(['', '9/30/2023'])).toBe(false);
    expect(isWhole(['13 weeks ended', '2023'])).toBe(false);
    expect(isWhole(['Drei Monate', '2023'])).toBe(false);
    expect(isWhole(['', '2023'], '', asked, 'Acme Q3 2023 results.pdf')).toBe(false);
    expect(isWhole(['', '2023'], 'Gross margin and market')).toBe(true);
    expect(isWhole(['', '2023'], '', 'What was the revenue of 2023?')).toBe(false);
  });

  test('which is told of each row', () => {
    const row = { header: ['', '2023'], cells: ['Revenue', '12'] };
    const unit = { text: 'Revenue | 12', block: 0, start: 0, end: 12, page: 1, heading: '', row };
    const passage = { name: 'Report.pdf', headingPath: [], editions: [], inDocument: [] };
    expect(askedTime(asked)(unit, passage).otherQuarter).toBe(1);
    expect(askedTime(asked)({ ...unit, heading: 'Quarterly results' }, passage).otherQuarter).toBe(0);
  });
});
