import { expect, test } from 'vitest';
import { asksToWorkOut } from './worked-out.ts';

test.each([
  ['What is the ratio of current to total receivables?', true],
  ['What is the change in net income from 2023 to 2024?', true],
  ['Wie hoch ist die Differenz zwischen Umsatz und Kosten?', true],
  ['Quelle est la variation du chiffre d’affaires ?', true],
  ['What was the net income in 2024?', false],
  ['Wer bezahlt die Sicherheitsschuhe?', false],
])('%s is worked out of amounts: %s', (question, isSo) => {
  expect(asksToWorkOut(question)).toBe(isSo);
});
