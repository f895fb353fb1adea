import { expect, test } from 'vitest';
import { analyze } from '#server/lib/analyze.ts';
import { otherAmounts } from './other-amounts.ts';

test.each([
  ['within thirty days', '30', 'thirty'],
  ['within 30 days', 'thirty', '30'],
  ['innerhalb von dreißig Tagen', '30', 'dreißig'],
  ['innerhalb von 14 Tagen', 'vierzehn', '14'],
  ['in twenty-five years', '25', 'twenty-five'],
  ['How many euros were paid?', 'EUR', 'euros'],
  ['the fee in USD', 'dollars', 'USD'],
])('%s: %s stands for %s', (question, written, own) => {
  const [term = ''] = analyze(written);
  expect(otherAmounts(question).get(term)).toBe(analyze(own)[0]);
});

test('ones, years and parts of codes are what they are', () => {
  expect([...otherAmounts('one of 2 rules of 2024, 1.5 and A30')]).toEqual([]);
});
