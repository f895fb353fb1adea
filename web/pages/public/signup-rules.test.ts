import { expect, test } from 'vitest';
import { messages } from '#contract/messages.ts';
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
