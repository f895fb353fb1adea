import { expect, test } from 'vitest';
import { cardText, graceEnd, nextChargeText, planText, stateText } from './words.ts';

const day = new Date(2027, 10, 21).toISOString();
const nextCharge = { amount: 712_900, currency: 'usd', at: day };

test.each([
  [{ state: 'active', endsAt: null, granted: false, nextCharge }, 'Active'],
  [{ state: 'active', endsAt: day, granted: false, nextCharge: null }, 'Canceled, ends on Nov 21, 2027'],
  [{ state: 'canceled', endsAt: day, granted: false, nextCharge: null }, 'Canceled'],
  [{ state: 'past_due', endsAt: null, granted: false, nextCharge }, 'Payment overdue'],
  [{ state: 'none', endsAt: null, granted: true, nextCharge: null }, 'Active, nothing is charged'],
  [{ state: 'active', endsAt: null, granted: true, nextCharge }, 'Active'],
] as const)('%j reads "%s"', (standing, text) => {
  expect(stateText(standing, 'en-US')).toBe(text);
});

test('plan, card and next charge in words', () => {
  expect(planText({ plan: 'basic', period: 'semiannual', granted: false })).toBe('Basic, semi-annual');
  expect(planText({ plan: 'enterprise', period: null, granted: true })).toBe('Enterprise');
  expect(planText({ plan: 'enterprise', period: 'annual', granted: true })).toBe('Enterprise');
  expect(planText({ plan: null, period: null, granted: false })).toBe('None');
  expect(cardText({ brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 })).toBe(
    'Visa ending in 4242, expires 04/2030',
  );
  expect(nextChargeText({ nextCharge, state: 'active' }, 'en-US')).toBe('$7,129.00 on Nov 21, 2027');
  expect(nextChargeText({ nextCharge: null, state: 'active' })).toBe('Nothing more is charged');
  expect(nextChargeText({ nextCharge: null, state: 'none' })).toBe('Nothing is charged');
});

test('the grace ends fourteen days after the payment was due', () => {
  const overdue = { state: 'past_due', pastDueSince: '2027-11-01T12:00:00.000Z' } as const;
  const end = new Date('2027-11-15T12:00:00.000Z');
  expect(graceEnd(overdue, new Date('2027-11-15T11:59:59.000Z'))).toEqual(end);
  expect(graceEnd(overdue, end)).toBeNull();
  expect(graceEnd({ ...overdue, state: 'unpaid' }, new Date('2027-11-02T00:00:00.000Z'))).toBeNull();
});
