import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
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

/** Edits between two words, by the whole table. */
function distance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= one.length; i++)
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      const changed = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1));
      (table[i] ?? [])[j] = changed ? Math.min(least, at(i - 2, j - 2) + 1) : least;
    }
  return at(one.length, other.length);
}

test('a slip is one edit, in a long word two, however they lie', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 5, maxLength: 14 });
  const edited = word.chain((one) =>
    fc.tuple(
      fc.constant(one),
      fc
        .array(fc.tuple(fc.nat(one.length), fc.constantFrom('', 'a', 'b', 'x'), fc.nat(2)), { maxLength: 3 })
        .map((edits) => edits.reduce((text, [at, put, cut]) => text.slice(0, at) + put + text.slice(at + cut), one)),
    ),
  );
  fc.assert(
    fc.property(edited, ([one, other]) => {
      const shorter = Math.min(one.length, other.length);
      expect(isSlipOf(one, other)).toBe(shorter >= 5 && distance(one, other) <= (shorter < 9 ? 1 : 2));
    }),
    { numRuns: 2000 },
  );
});

test('what is too long to be a word is no form or slip of another', () => {
  const long = 'ab'.repeat(50);
  expect(isSlipOf(long, `${long}c`)).toBe(false);
  expect(isFormOf('ababab', long)).toBe(false);
});
