import { expect, test } from 'vitest';
import { asksAmount } from './asks-amount.ts';

test.each([
  ['How much was spent on parking?', true],
  ['What was the net income in 2024?', true],
  ['What is the average of the parking fees?', true],
  ['Who pays for parking?', false],
  ['When was the garage opened?', false],
  ['What is a garage?', false],
])('%s asks for an amount: %s', (question, isSo) => {
  expect(asksAmount(question)).toBe(isSo);
});
