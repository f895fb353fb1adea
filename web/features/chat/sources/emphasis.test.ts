import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { emphasisIn, emphasisOf } from './emphasis.ts';

const quote = 'Receipts are due within 30 days.';
const emphasis = { start: 24, end: 31 };

test('cuts a quote at its short answer', () => {
  expect(emphasisOf({ quote, emphasis })).toEqual(['Receipts are due within ', '30 days', '.']);
  expect(emphasisOf({ quote })).toBeNull();
});

test.each([
  { start: 31, end: 24 },
  { start: 5, end: 5 },
  { start: -1, end: 4 },
  { start: 30, end: 99 },
  { start: Number.NaN, end: 4 },
])('leaves a quote whole whose answer stands nowhere: %j', (nonsense) => {
  expect(emphasisOf({ quote, emphasis: nonsense })).toBeNull();
});

test('finds it in a text that has the quote, or a row of a table with its columns named', () => {
  expect(emphasisIn(`${quote} `, { quote, emphasis })?.[1]).toBe('30 days');
  const row = { quote: 'Zürich | 210 francs', emphasis: { start: 9, end: 19 } };
  expect(emphasisIn('City: Zürich · Limit: 210 francs', row)).toEqual(['City: Zürich · Limit: ', '210 francs', '']);
  expect(emphasisIn('City: 210 francs · Limit: 210 francs', row)).toBeNull();
  expect(emphasisIn('Something else', row)).toBeNull();
});

test('keeps every character', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(20), fc.nat(20), (text, own, start, end) => {
      const parts = emphasisIn(text, { quote: own, emphasis: { start, end } });
      if (parts) expect(parts.join('')).toBe(text);
    }),
  );
});
