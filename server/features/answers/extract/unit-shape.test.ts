import { expect, test } from 'vitest';
import { bareLabel, isGreeting, isMark } from './unit-shape.ts';

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

test.each([
  ['Dear Ms Lindqvist,', true],
  ['Hello!', true],
  ['Guten Tag,', true],
  ['Sehr geehrte Damen und Herren,', true],
  ['Mit freundlichen Grüßen', true],
  ['Best regards,', true],
  ['Bonjour Madame,', true],
  ['Thanks.', true],
  ['Dear customers pay 40 euros a year,', false],
  ['Dear is what costs more than it is worth.', false],
  ['Hello is said at the door', false],
  ['The landlord,', false],
  ['Liebe zur See', false],
  ['Thanks to the new pier, ships land at night.', false],
])('%s only greets: %s', (text, greets) => {
  expect(isGreeting({ text })).toBe(greets);
});
