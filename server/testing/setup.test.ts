import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';

test('a test can not reach another machine, however it connects', async () => {
  expect(() => connect({ host: 'example.com', port: 80 })).toThrow('a test tried to reach example.com');
  expect(() => connect(80, '192.0.2.1')).toThrow('192.0.2.1');
  expect(() => connect(80, 'localhost.example.com')).toThrow('localhost.example.com');
  await expect(fetch('http://192.0.2.1/')).rejects.toMatchObject({
    cause: { message: 'a test tried to reach 192.0.2.1' },
  });
});

test.each(['127.0.0.1', 'localhost', undefined])('it can reach this one (%s)', async (host) => {
  const server = createServer((socket) => socket.end('hello'));
  const listening = Promise.withResolvers<void>();
  server.listen(0, host === 'localhost' ? 'localhost' : '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const said: string[] = [];
  const socket = host === undefined ? connect(port, '127.0.0.1') : connect({ port, host });
  for await (const text of socket) said.push(String(text));
  expect(said.join('')).toBe('hello');
  server.close();
});
