import { expect, test } from 'vitest';
import { isEnglish } from './english-words.ts';

test.each(['aa', 'revenue', 'dividends', 'reimbursement', 'zzzs'])('%s is English', (word) => {
  expect(isEnglish(word)).toBe(true);
});

test.each(['poland', 'lockheed', 'revenu', 'zzzsa', 'ertrag', ''])('"%s" is not', (word) => {
  expect(isEnglish(word)).toBe(false);
});
