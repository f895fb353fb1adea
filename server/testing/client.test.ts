import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { createClient } from '#client/client.ts';
import { test } from './company.ts';

/** Passes everything on to the service, so that connections can be looked at. */
async function relay(to: string): Promise<{ url: string; connections: Socket[] }> {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    const passed = connect(Number(new URL(to).port), '127.0.0.1');
    for (const each of [socket, passed]) each.on('error', () => {});
    socket.pipe(passed).pipe(socket);
    socket.on('close', () => passed.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const each of connections) each.destroy();
    server.close();
  });
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, connections };
}

test('what looks at files until they are read leaves no stream open', { timeout: 60_000 }, async ({ app, company }) => {
  const { url, connections } = await relay(app.url);
  const client = createClient(url, company.token);
  await company.client.upload('Rules.md', Buffer.from('The key hangs behind the door.\n'));
  expect((await client.filesWhenRead()).map(({ name, state }) => `${name}: ${state}`)).toEqual(['Rules.md: ready']);
  // A connection that waits for a next request is closed by its client in time; one of a stream never is.
  await Promise.all(connections.map((each) => each.closed || once(each, 'close')));
});
