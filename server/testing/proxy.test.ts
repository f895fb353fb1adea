import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type ReverseProxy, startProxy } from './proxy.ts';

// What stands before several processes in tests and benches does what a proxy does, or they would prove nothing.

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** One that answers with its name, and says that it is ready unless told otherwise. */
async function process(
  name: string,
  { isReady = () => true, answer }: { isReady?: () => boolean; answer?: RequestListener } = {},
) {
  const got: string[] = [];
  const server = createServer((request, reply) => {
    if (request.url === '/readyz') {
      reply.writeHead(isReady() ? 200 : 503).end();
      return;
    }
    got.push(request.method ?? '');
    if (answer) answer(request, reply);
    else request.resume().once('end', () => reply.end(name));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  closers.push(close);
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, got, close };
}

async function before(...processes: { url: string }[]): Promise<ReverseProxy> {
  const proxy = await startProxy(() => processes.map(({ url }) => url));
  closers.push(proxy.close);
  return proxy;
}

const answers = (proxy: ReverseProxy, times: number) =>
  Promise.all(
    Array.from({ length: times }, async () => (await fetch(proxy.url, { method: 'POST', body: 'x' })).text()),
  );

test('requests go to all that are ready, in turn', async () => {
  const proxy = await before(await process('one'), await process('two'));
  await proxy.allReady();
  expect((await answers(proxy, 4)).sort()).toEqual(['one', 'one', 'two', 'two']);
});

test('one that is not ready gets none', async () => {
  let isReady = true;
  const one = await process('one', { isReady: () => isReady });
  const two = await process('two');
  const proxy = await before(one, two);
  await proxy.allReady();
  isReady = false;
  // It is noticed at the next look.
  while ((await answers(proxy, 2)).includes('one'));
  expect(await answers(proxy, 4)).toEqual(['two', 'two', 'two', 'two']);
});

test('where one can not be connected to, the next is asked', async () => {
  const [one, two] = [await process('one'), await process('two')];
  const proxy = await before(one, two);
  await proxy.allReady();
  one.close();
  expect(await answers(proxy, 4)).toEqual(['two', 'two', 'two', 'two']);
});

test('a connection is kept for the next request', async () => {
  const ports = new Set<number | undefined>();
  const one = await process('one', {
    answer: (request, reply) => {
      ports.add(request.socket.remotePort);
      request.resume().once('end', () => reply.end('one'));
    },
  });
  const proxy = await before(one);
  await proxy.allReady();
  for (let i = 0; i < 3; i++) expect(await answers(proxy, 1)).toEqual(['one']);
  expect(ports.size).toBe(1);
});

test('what was sent is never sent again, and what is cut is cut', async () => {
  const one = await process('one', { answer: (request) => request.socket.destroy() });
  const proxy = await before(one);
  await proxy.allReady();
  expect((await fetch(proxy.url, { method: 'POST', body: 'x' })).status).toBe(502);
  expect(one.got).toEqual(['POST']);
  const half = await process('half', {
    answer: (_, reply) => {
      reply.writeHead(200, { 'content-length': '10' });
      reply.write('half', () => reply.destroy());
    },
  });
  const other = await before(half);
  await other.allReady();
  await expect(fetch(other.url).then((reply) => reply.text())).rejects.toThrow();
});
