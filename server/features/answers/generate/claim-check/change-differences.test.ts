import { expect, test } from 'vitest';
import { unitsOf } from '../../extract/units.ts';
import { changesDiffer } from './change-differences.ts';
import { isSame, readText } from './facts/facts.ts';
import { prepare } from './passage.ts';

test.each([
  ['Gifts fell to 2.3 million euros.', false],
  ['While all other fees increased, gifts also climbed to 2.3 million euros.', true],
  ['Other fees grew to 1.9 million euros.', false],
  ['While gifts dropped, other fees sank to 1.9 million euros.', true],
  ['Gifts were 2.3 million euros.', false],
])('what fell to a number has not risen to it: "%s" %s', (claim, isOther) => {
  const text = 'Gifts dropped to 2.3 million euros, but other fees increased to 1.9 million euros.';
  const common = { kind: 'paragraph', index: 0, start: 0, page: null, cells: null, header: false } as const;
  const known = prepare({ above: '', units: unitsOf([{ ...common, text }]) });
  const read = readText(claim, 'en');
  const bindings = read.facts.map((fact) => {
    const there = known.units[0]?.read.facts.find((each) => isSame(fact, each)) ?? null;
    return { fact, unit: there && 0, there, score: 1, rival: null };
  });
  expect(changesDiffer(read, bindings, known) !== null).toBe(isOther);
});
