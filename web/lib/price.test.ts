import { expect, test } from 'vitest';
import { formatMoney, inWords, perPersonAndMonth, planNameWith } from './price.ts';

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

test('what it comes to for each person in a month, rounded', () => {
  const each = (amount: number | null, period: 'annual' | 'semiannual', people: number) =>
    perPersonAndMonth({ amount, currency: 'usd', period }, people);
  expect(each(305_000, 'annual', 10)).toBe('$25');
  expect(each(179_400, 'semiannual', 10)).toBe('$30');
  expect(each(712_900, 'annual', 25)).toBe('$24');
  expect(each(419_400, 'semiannual', 25)).toBe('$28');
  expect(each(null, 'annual', 25)).toBeNull();
});

test('sums as an invoice writes them', () => {
  expect(formatMoney(305_000, 'usd')).toBe('$3,050.00');
  expect(formatMoney(-1, 'usd')).toBe('-$0.01');
});

test('names the plan that has a feature', () => {
  expect(planNameWith('team-management')).toBe('Professional');
  expect(planNameWith('invite')).toBe('Basic');
});
