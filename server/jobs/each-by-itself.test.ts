import { expect, test } from 'vitest';
import { eachByItself } from './each-by-itself.ts';

test('what fails for one is done for the others, and told at the end', async () => {
  const done: number[] = [];
  const work = eachByItself([1, 2, 3], async (one) => {
    if (one === 2) throw new Error('not this one');
    done.push(one);
  });
  await expect(work).rejects.toMatchObject({ message: 'failed for 1 of 3', errors: [{ message: 'not this one' }] });
  expect(done).toEqual([1, 3]);
  await eachByItself([], () => Promise.reject(new Error('nothing to do')));
});

test('who stops it stops it at once', async () => {
  const stop = new AbortController();
  const done: number[] = [];
  const work = eachByItself(
    [1, 2, 3],
    async (one) => {
      done.push(one);
      stop.abort(new Error('stopped'));
    },
    stop.signal,
  );
  await expect(work).rejects.toThrow('stopped');
  expect(done).toEqual([1]);
});
