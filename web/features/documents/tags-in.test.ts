import { expect, test } from 'vitest';
import { tagsIn } from './tags-in.ts';

test('tags stand between commas, each once', () => {
  expect(tagsIn(' Travel,  HR  policy;travel,,\n2026 ')).toEqual(['Travel', 'HR policy', '2026']);
  expect(tagsIn(' , ')).toEqual([]);
});
