import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { unlessAborted } from './unless-aborted.ts';

test('leaves nothing on a signal that many waits share', async () => {
  const { signal } = new AbortController();
  for (let piece = 0; piece < 100; piece++) expect(await unlessAborted(Promise.resolve(piece), signal)).toBe(piece);
  await expect(unlessAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('ends with the reason of the signal, before and meanwhile, whatever becomes of the work', async () => {
  const over = new AbortController();
  const work = Promise.withResolvers<never>();
  const waiting = unlessAborted(work.promise, over.signal);
  over.abort(new Error('too late'));
  await expect(waiting).rejects.toThrow('too late');
  await expect(unlessAborted(work.promise, over.signal)).rejects.toThrow('too late');
  work.reject(new Error('of no concern'));
});
