import { expect, test } from 'vitest';
import { firstChunk, nextChunk, uploadRetryDelays } from './chunk-plan.ts';

test('chunks double from 256 KB and stay below 32 MB', () => {
  const sizes = [firstChunk];
  for (let size = firstChunk; nextChunk(size) !== size; size = nextChunk(size)) sizes.push(nextChunk(size));
  expect(sizes.map((size) => size / 1024)).toEqual([256, 512, 1024, 2048, 4096, 8192, 16384]);
});

test('retries of an upload end after 600 s', () => {
  expect(uploadRetryDelays.reduce((sum, delay) => sum + delay, 0)).toBe(600_000);
  expect(Math.min(...uploadRetryDelays)).toBeGreaterThan(0);
});
