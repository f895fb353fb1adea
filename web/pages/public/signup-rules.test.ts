import { expect, test } from 'vitest';
import { messages } from '#contract/messages.ts';
import { inWords } from './price.ts';
import { firstProblem } from './signup-rules.ts';

const good = {
  companyName: 'Nordwind',
  email: 'mara@nordwind.example',
  password: 'walk the long pier',
  confirmPassword: 'walk the long pier',
};

test.each([
  [{}, null],
  [{ companyName: '  ' }, messages.signup.companyNameRequired],
  [{ email: '' }, messages.team.invalidEmail],
  [{ email: 'mara@' }, messages.team.invalidEmail],
  [{ password: '', confirmPassword: '' }, 'Please enter a password.'],
  [{ confirmPassword: 'Walk the long pier' }, messages.signup.passwordsDiffer],
])('sign-up with %j', (change, text) => {
  expect(firstProblem({ ...good, ...change })?.text ?? null).toBe(text);
});

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
