import { expect, test } from 'vitest';
import { holdsAll, partAround, unionOf } from './part-around.ts';

test('shows the passage with what stands above it, inside of the page', () => {
  const [left, top, right, bottom] = partAround([0.4, 0.46, 0.75, 0.48], 1.4, 0.25);
  expect(right - left).toBeCloseTo(0.5);
  expect(bottom - top).toBeCloseTo((0.5 * 0.25) / 1.4);
  expect(left).toBeLessThanOrEqual(0.4);
  expect(right).toBeGreaterThanOrEqual(0.75);
  expect(0.46 - top).toBeGreaterThan(bottom - 0.48);
  expect(partAround([0, 0, 1, 0.01], 1.4, 0.25)).toEqual([0, 0, 1, 0.25 / 1.4]);
  expect(partAround([0, 0.98, 1, 1], 1.4, 0.25)[3]).toBe(1);
  expect(partAround([0.1, 0.2, 0.9, 0.9], 1.4, 0.25)[1]).toBeCloseTo(0.2);
});

test('shows passages that stand close together in one picture, and those far apart in one each', () => {
  const rows = [0.46, 0.48, 0.5].map((top) => [0.1, top, 0.9, top + 0.02] as const);
  expect(holdsAll(rows)).toBe(true);
  const [, top, , bottom] = partAround(unionOf(rows), 1.42, 0.25);
  expect(top).toBeLessThan(0.46 - 0.02);
  expect(bottom).toBeGreaterThanOrEqual(0.52);
  expect(holdsAll([...rows, [0.1, 0.8, 0.9, 0.82]])).toBe(false);
});
