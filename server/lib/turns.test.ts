import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('so many at once, in their order; giving back twice frees one turn only', async () => {
  const turns = createTurns(1);
  const order: number[] = [];
  const first = await turns.take();
  const second = turns.take().then((give) => {
    order.push(2);
    return give;
  });
  const third = turns.take().then((give) => {
    order.push(3);
    return give;
  });
  first();
  first();
  const giveSecond = await second;
  expect(order).toEqual([2]);
  giveSecond();
  (await third)();
  expect(order).toEqual([2, 3]);
});

test('work in turn is done one after the other, and one that fails holds nobody up', async () => {
  const { inTurn } = createTurns(1);
  const order: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = inTurn(async () => {
    order.push('first begins');
    await held.promise;
    order.push('first fails');
    throw new Error('failed');
  });
  const second = inTurn(async () => order.push('second'));
  held.resolve();
  await expect(first).rejects.toThrow('failed');
  expect(await second).toBe(3);
  expect(order).toEqual(['first begins', 'first fails', 'second']);
});

test('who gives up waiting holds nobody up', async () => {
  const turns = createTurns(1);
  const give = await turns.take();
  const controller = new AbortController();
  const waits = turns.take(controller.signal);
  const next = turns.take();
  controller.abort(new Error('gone'));
  await expect(waits).rejects.toThrow('gone');
  give();
  (await next)();
  await expect(turns.take(AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  (await turns.take())();
});
