import { expect, test } from 'vitest';
import { formatMoney, inWords } from './price.ts';

test('prices in plain words', () => {
  expect(inWords({ amount: 305_000, currency: 'USD', period: 'annual' })).toEqual({
    sum: '$3,050',
    period: 'per year',
  });
  expect(inWords({ amount: 179_450, currency: 'USD', period: 'semiannual' })).toEqual({
    sum: '$1,794.50',
    period: 'per 6 months',
  });
  expect(inWords({ amount: null, currency: 'USD', period: 'annual' })).toEqual({ sum: 'Custom', period: null });
});

test('sums as an invoice writes them', () => {
  expect(formatMoney(305_000, 'usd')).toBe('$3,050.00');
  expect(formatMoney(-1, 'usd')).toBe('-$0.01');
});
