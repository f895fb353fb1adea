import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { createCoverage } from './coverage.ts';

test('a form covers less than the word itself, and texts together what each covers', () => {
  const weights = new Map([
    ['finanzier', 3],
    ['verein', 1],
  ]);
  const { of, share } = createCoverage({
    weights,
    total: 4,
    standIns: new Map(),
    elsewhere: new Map(),
    similar: new Map(),
  });
  expect(share(of(['finanzier', 'verein']))).toBe(1);
  expect(share(of(['finanzier']))).toBe(0.75);
  expect(share(of(['finanzierung']))).toBeGreaterThan(0);
  expect(share(of(['finanzierung']))).toBeLessThan(0.75);
  expect(share(of(['finanzierung']), of(['finanzier']), undefined, of(['verein']))).toBe(1);
  expect(share()).toBe(0);
});

test('a word that is used for the same covers less than a form', () => {
  const weights = new Map([['spend', 1]]);
  const { of, share } = createCoverage({
    weights,
    total: 1,
    standIns: new Map(),
    elsewhere: new Map(),
    similar: new Map([['expens', 'spend']]),
  });
  expect(share(of(['expens']))).toBe(0.5);
  expect(share(of(['expens', 'spend']))).toBe(1);
  expect(share(of(['expense']))).toBe(0);
});

test('what a word stands for in one question it does not in another', () => {
  const asking = (term: string) =>
    createCoverage({
      weights: new Map([[term, 1]]),
      total: 1,
      standIns: new Map(),
      elsewhere: new Map(),
      similar: new Map(),
    });
  expect(asking('fee').most('fee')).toBe(1);
  expect(asking('crane').most('fee')).toBe(0);
});

test('a share is between 0 and 1, and more words never cover less', () => {
  const term = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '保', 'ا', '1', '-'), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(term), fc.array(term), fc.array(term), (asked, one, more) => {
      const weights = new Map(asked.map((each, i) => [each, (i % 3) + 0.1]));
      const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
      const { of, share } = createCoverage({
        weights,
        total,
        standIns: new Map(),
        elsewhere: new Map(),
        similar: new Map(),
      });
      const part = share(of(one));
      const all = share(of([...one, ...more]));
      expect(part).toBeGreaterThanOrEqual(0);
      expect(all).toBeLessThanOrEqual(1);
      expect(all).toBeGreaterThanOrEqual(part);
      expect(share(of(one), of(more))).toBeCloseTo(all);
    }),
  );
});
