import { expect, test } from 'vitest';
import { createResource } from './resource.ts';

test('is read once, however many show it, and again after it has failed', async () => {
  const replies = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let reads = 0;
  const resource = createResource(() => replies[reads++]?.promise ?? Promise.reject(new Error('read once more')));
  expect(reads).toBe(0);

  const leave = [resource.subscribe(() => {}), resource.subscribe(() => {})];
  expect(reads).toBe(1);
  expect(resource.value).toEqual({ state: 'loading' });
  const failure = new Error('away');
  replies[0]?.reject(failure);
  await expect.poll(() => resource.value).toEqual({ state: 'failed', error: failure });

  for (const stop of leave) stop();
  resource.subscribe(() => {});
  expect(resource.value).toEqual({ state: 'loading' });
  replies[1]?.resolve('there');
  await expect.poll(() => resource.value).toEqual({ state: 'ready', data: 'there' });
  resource.subscribe(() => {})();
  expect(reads).toBe(2);
});
