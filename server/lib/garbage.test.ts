import { constants, PerformanceObserver } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { collectGarbage, collectGarbageAtRest } from './garbage.ts';

/** How often all of the memory was collected since, as the engine tells: other collections are not of all. */
function countCollections(): () => number {
  let count = 0;
  const collection = z.object({ detail: z.object({ kind: z.number(), flags: z.number() }) });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind, flags } = collection.parse(entry).detail;
      const asked = (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
      if (kind === constants.NODE_PERFORMANCE_GC_MAJOR && asked) count += 1;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => count;
}

test('all garbage is collected when that is asked for', async () => {
  const collections = countCollections();
  collectGarbage();
  await expect.poll(collections).toBeGreaterThan(0);
});

test('a process at rest collects, and again when it has worked', async () => {
  const collections = countCollections();
  const stop = collectGarbageAtRest({ everyMs: 20, restful: 100, worthwhileMs: 200 });
  await expect.poll(collections).toBeGreaterThan(0);
  const before = collections();
  const start = process.cpuUsage().user;
  while (process.cpuUsage().user - start < 200_000);
  await expect.poll(collections).toBeGreaterThan(before);
  stop();
});
