import { expect, test } from 'vitest';
import { formatBytes, formatDay, formatMoment } from './format.ts';

test('sizes as their reader writes them', () => {
  expect([0, 999, 1000, 1_234_567, 25_000_000, 500_000_000_000].map((bytes) => formatBytes(bytes, 'en'))).toEqual([
    '0 bytes',
    '999 bytes',
    '1 kB',
    '1.2 MB',
    '25 MB',
    '500 GB',
  ]);
  expect(formatBytes(1_234_567, 'de')).toBe('1,2 MB');
});

test('moments by the day when they are near', () => {
  const now = new Date(2026, 10, 21, 9, 0);
  const at = (...parts: [number, number, number, number, number]) =>
    formatMoment(new Date(...parts).toISOString(), now, 'en-GB');
  expect(at(2026, 10, 21, 8, 14)).toBe('today, 08:14');
  expect(at(2026, 10, 20, 23, 59)).toBe('yesterday, 23:59');
  expect(at(2026, 10, 19, 8, 0)).toBe('19 Nov 2026');
});

test('days in full', () => {
  expect(formatDay(new Date(2027, 10, 21, 23, 59), 'en-US')).toBe('Nov 21, 2027');
  expect(formatDay(new Date(2027, 10, 21).toISOString(), 'de')).toBe('21.11.2027');
});
