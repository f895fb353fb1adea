import { expect, test } from 'vitest';
import { bareLabel, isMark } from './unit-shape.ts';

test.each([
  ['Audit fees (1)', 'Audit fees'],
  ['Additions (Note (a))', 'Additions'],
  ['Other income (expense), net', 'Other income , net'],
  ['Adjusted earnings per share5 (cents) [2]', 'Adjusted earnings per share'],
  ['Form IFRS9', 'Form IFRS9'],
  ['(1)', '(1)'],
])('of the label %s what is in brackets and the numbers of notes may be missing', (label, bare) => {
  expect(bareLabel(label).replace(/\s+/g, ' ').trim()).toBe(bare);
});

test('a text without a word is a mark', () => {
  expect(['^', '—', '* * *', ''].map(isMark)).toEqual([true, true, true, true]);
  expect(['^ a', '7', '了', 'हाँ'].map(isMark)).toEqual([false, false, false, false]);
});
