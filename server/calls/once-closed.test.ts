import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { onceClosed } from './once-closed.ts';

test.each([
  ['an answer that ends', false, 'afterwards'],
  ['a reader who leaves', true, 'afterwards'],
  ['a reader who left before', true, 'before'],
] as const)('hears once of %s', async (_, leaves, asked) => {
  const http = Fastify();
  const leaving = new AbortController();
  const heard = Promise.withResolvers<number>();
  let times = 0;
  http.get('/', async (_request, reply) => {
    const listen = () =>
      onceClosed(reply, () => {
        times++;
        setImmediate(() => heard.resolve(times));
      });
    if (asked === 'afterwards') listen();
    const closed = once(reply.raw, 'close');
    if (!leaves) return 'answered';
    leaving.abort();
    await closed;
    if (asked === 'before') listen();
    return reply.hijack();
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
  try {
    const { port } = http.server.address() as AddressInfo;
    const answer = fetch(`http://127.0.0.1:${port}/`, { signal: leaving.signal }).then((each) => each.text());
    const [count, answered] = await Promise.all([heard.promise, answer.catch(() => 'left')]);
    expect(count).toBe(1);
    expect(answered).toBe(leaves ? 'left' : 'answered');
  } finally {
    await http.close();
  }
});
