import { expect, test } from 'vitest';
import { unreadableReason } from './unreadable.ts';

const reasonOf = (...unreadable: { page?: number; why: string }[]) => unreadableReason({ unreadable });

test('where all could be read there is no reason', () => expect(reasonOf()).toBeNull());

test('pages are named once for each reason, as ranges, whatever their order', () => {
  const pages = [9, 3, 5, 4, 4].map((page) => ({ page, why: 'a scan.' }));
  expect(reasonOf(...pages, { page: 7, why: 'damaged.' })).toBe('Pages 3–5, 9: a scan. Page 7: damaged.');
});

test('what has no page stands alone', () =>
  expect(reasonOf({ why: 'The chart was left out.' })).toBe('The chart was left out.'));
