import { expect, test } from 'vitest';
import { viewerTexts } from './texts.ts';
import { stepped } from './use-find.ts';

const hits = [1, 3, 3].map((at, place) => ({ at, place }));

test('from the last place to the first, and with none chosen yet to the first or the last', () => {
  expect(stepped({ hits, now: 2 }, 1)).toBe(0);
  expect(stepped({ hits, now: 0 }, -1)).toBe(2);
  expect(stepped({ hits, now: -1 }, 1)).toBe(0);
  expect(stepped({ hits, now: -1 }, -1)).toBe(2);
  expect(stepped({ hits: [], now: -1 }, 1)).toBe(-1);
});

test('while none is chosen yet no place is counted as being looked at', () => {
  expect(viewerTexts.found({ hits, now: -1, searching: true })).toBe('3 found …');
  expect(viewerTexts.found({ hits, now: 0, searching: true })).toBe('1 of 3 …');
  expect(viewerTexts.found({ hits, now: 2, searching: false })).toBe('3 of 3');
  expect(viewerTexts.found({ hits: [], now: -1, searching: true })).toBe('Searching …');
  expect(viewerTexts.found({ hits: [], now: -1, searching: false })).toBe('Not found');
});
