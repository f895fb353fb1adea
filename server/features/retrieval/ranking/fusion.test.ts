import { expect, test } from 'vitest';
import { fuse } from './fusion.ts';
import type { Ranked } from './rank.ts';

const nothing = { start: 0, end: 0, label: 0 };

function ranked(scores: Record<string, number>, coverage = 1): Ranked[] {
  return Object.entries(scores).map(([id, score]) => ({
    candidate: { id, documentId: 'd', terms: '' },
    text: { page: '', terms: [], title: nothing, about: nothing, heading: nothing, lines: [] },
    signals: undefined,
    score,
    coverage,
  }));
}

function near(...ids: string[]) {
  return ids.map((id, i) => ({ id, documentId: 'd', similarity: 0.9 - i / 10 }));
}

const ids = (fused: ReturnType<typeof fuse>) => fused.map((each) => each.candidate.id);

test('without vectors the order and the scores by words stay', () => {
  const fused = fuse(ranked({ a: 9, b: 7 }), []);
  expect(fused.map(({ score, wordScore }) => [score, wordScore])).toEqual([
    [9, 9],
    [7, 7],
  ]);
});

test('of passages that words rate about alike the nearer one is first; clearly better words stay in front', () => {
  expect(ids(fuse(ranked({ a: 9, b: 8.6 }), near('b', 'c')))).toEqual(['b', 'a']);
  expect(ids(fuse(ranked({ a: 9, b: 5 }), near('b', 'c')))).toEqual(['a', 'b']);
});

test('meaning counts more where the passages lack the words of the question', () => {
  expect(ids(fuse(ranked({ a: 9, b: 6 }, 0.1), near('b', 'c')))).toEqual(['b', 'a']);
});

test('the nearest passage is among the first six, and the scores fall all the same', () => {
  const fused = fuse(ranked({ a: 15, b: 14, c: 13, d: 12, e: 11, f: 10, g: 9, h: -1 }), near('h', 'a'));
  expect(ids(fused)).toEqual(['a', 'b', 'c', 'd', 'e', 'h', 'f', 'g']);
  expect(fused.find((each) => each.candidate.id === 'h')?.wordScore).toBe(-1);
  const scores = fused.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
});

test('one vector alone, and none that was ranked, are no numbers that are none', () => {
  for (const some of [near('a'), near('x'), near('x', 'y')])
    for (const { score } of fuse(ranked({ a: 9, b: 7 }), some)) expect(score).toSatisfy(Number.isFinite);
});
