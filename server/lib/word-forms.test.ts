import { expect, test } from 'vitest';
import { isFormOf, isSlipOf } from './word-forms.ts';

test('forms and compounds of a word are told from other words', () => {
  expect(isFormOf('finanzier', 'finanzierung')).toBe(true);
  expect(isFormOf('verfassungsgericht', 'bundesverfassungsgericht')).toBe(true);
  expect(isFormOf('гарантия', 'гарантией')).toBe(true);
  expect(isFormOf('استثمار', 'استثمارات')).toBe(true);
  for (const [one, other] of [
    ['hotel', 'hospital'],
    ['port', 'portugal'],
    ['und', 'hund'],
    ['e-204', 'e-2041'],
    ['2024', '20241'],
    ['保证', '保修'],
  ] as const) {
    expect(isFormOf(one, other), `${one} ${other}`).toBe(false);
  }
});

test('a slip is told from another word', () => {
  for (const [wrong, right] of [
    ['maastrich', 'maastricht'],
    ['recieve', 'receive'],
    ['garantee', 'guarantee'],
  ] as const) {
    expect(isSlipOf(wrong, right), `${wrong} ${right}`).toBe(true);
  }
  for (const [one, other] of [
    ['port', 'part'],
    ['e-204', 'e-205'],
    ['contract', 'contact lens'],
    ['summer', 'simmering'],
  ] as const) {
    expect(isSlipOf(one, other), `${one} ${other}`).toBe(false);
  }
});
