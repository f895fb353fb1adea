import { execFile } from 'node:child_process';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { promisify } from 'node:util';
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

test('the heap of a process that makes garbage stays near what is in use', async () => {
  // In a process of its own, as the setting is for all of one. Each block lives until a hundred others have come, so
  // that it is garbage which only a collection of all finds.
  const code = `
    const { boundGarbage, collectGarbage } = await import(process.argv[1]);
    const { getHeapStatistics } = await import('node:v8');
    const block = () => Array.from({ length: 2000 }, (_, i) => ({ i, text: 'number ' + i }));
    const kept = Array.from({ length: 400 }, block);
    const recent = Array.from({ length: 100 }, block);
    const inUse = getHeapStatistics().used_heap_size;
    // As at the end of a start: collected once already, by the usual limits.
    collectGarbage();
    boundGarbage();
    let most = 0;
    for (let i = 0; i < 2500; i++) {
      recent[i % recent.length] = block();
      most = Math.max(most, getHeapStatistics().total_heap_size);
    }
    console.log(JSON.stringify({ most, inUse, kept: kept.length }));`;
  const module = new URL('garbage.ts', import.meta.url).href;
  const flags = ['--max-semi-space-size=1', '--input-type=module', '--eval', code, module];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const { most, inUse } = z.object({ most: z.number(), inUse: z.number() }).parse(JSON.parse(stdout));
  expect(most / inUse).toBeLessThan(1.75);
});
