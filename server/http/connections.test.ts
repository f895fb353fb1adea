import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { AppOptions } from '#server/app-options.ts';
import type { Config } from '#server/config/config.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { beginning, locationOf, octets, rawTus } from '#server/testing/tus.ts';

// Over sockets of their own, with limits that a test can wait for.

let app: TestApp;
afterEach(() => app.close());

async function start(connections: AppOptions['connections'], config: Partial<Config> = {}) {
  app = await startTestApp(config, { connections: { checkMs: 20, ...connections } });
}

/** A connection, with all that has come on it. */
async function open(): Promise<{ socket: Socket; received: () => string; closed: Promise<string> }> {
  const { port } = app.app.http.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (piece: string) => {
    text += piece;
  });
  // A reset is one way to be cut.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return { socket, received: () => text, closed };
}

function head(method: string, path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Writes a byte now and then, until the connection ends. */
function drip({ socket, closed }: Awaited<ReturnType<typeof open>>, everyMs: number, bytes = '{'): Promise<string> {
  const timer = setInterval(() => socket.write(bytes), everyMs);
  return closed.finally(() => clearInterval(timer));
}

const json = { 'Content-Type': 'application/json', 'Content-Length': 100_000 };

describe('a body that drips', () => {
  test('is answered and cut when its time is over, whatever it is sent to', async () => {
    await start({ bodyMs: 300 });
    const call = await open();
    call.socket.write(head('POST', '/v1/getSettings', json));
    expect(await drip(call, 20)).toMatch(/^HTTP\/1\.1 504 [\s\S]*"code":"request-timeout"/);
    // Nobody reads these: they are answered at once, and would drip on.
    for (const [method, path] of [
      ['GET', '/healthz'],
      ['POST', '/nowhere'],
      ['PUT', '/v1/getSettings'],
      // These begin as the address of uploads, which may take hours, or are refused there.
      ['POST', '/v1/uploadsOfAnother'],
      ['POST', '/v1/uploads'],
      ['PATCH', '/v1/uploads/1?a=b'],
    ] as const) {
      const other = await open();
      other.socket.write(head(method, path, json));
      await drip(other, 20);
    }
    const chunked = await open();
    chunked.socket.write(
      head('POST', '/v1/getSettings', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }),
    );
    expect(await drip(chunked, 20, '1\r\n{\r\n')).toContain('"code":"request-timeout"');
  });

  test('that comes to its end in time is taken, and the connection goes on', async () => {
    await start({ bodyMs: 5000 });
    const slow = await open();
    const body = '{"data":null}';
    slow.socket.write(head('POST', '/v1/getSettings', { ...json, 'Content-Length': body.length }));
    for (const letter of body) slow.socket.write(letter);
    await expect.poll(slow.received).toContain('"maxFileBytes"');
    slow.socket.write(head('GET', '/healthz', { Connection: 'close' }));
    expect(await slow.closed).toContain('{"status":"ok"}');
  });
});

describe('an upload', () => {
  test('may take longer than another body, as long as bytes come; without one it is cut, and goes on where it was', async () => {
    // A second of bytes is longer than that, and a sign-up on a busy machine is not.
    await start({ bodyMs: 500, uploadSilenceMs: 1500 });
    const { token } = await app.signUp();
    const tus = rawTus(app, token);
    const size = 30;
    const location = locationOf(await tus.begin('slow.txt', { size }));
    const headers = {
      Authorization: `Bearer ${token}`,
      'Tus-Resumable': '1.0.0',
      ...octets,
      'Upload-Offset': 0,
      'Content-Length': size,
    };
    const slow = await open();
    slow.socket.write(head('PATCH', location, headers));
    let sent = 0;
    const timer = setInterval(() => {
      if (sent < 10) slow.socket.write('x');
      sent += 1;
    }, 100);
    // Ten bytes in a second, then none.
    expect(await slow.closed.finally(() => clearInterval(timer))).not.toContain('HTTP/1.1 2');
    expect(sent).toBeGreaterThan(10);
    expect(await tus.offset(location)).toBe(10);
    const rest = await tus.patch(location, 10, Buffer.from(`${'y'.repeat(19)}\n`));
    expect(rest.status).toBe(200);
  });

  test('that is begun and never sent is cut, too', async () => {
    await start({ uploadSilenceMs: 200 });
    const { token } = await app.signUp();
    const begun = await open();
    const headers = { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0', ...octets };
    begun.socket.write(
      head('POST', '/v1/uploads', { ...headers, ...beginning('never.txt', 50), 'Content-Length': 50 }),
    );
    expect(await begun.closed).not.toContain('HTTP/1.1 2');
  });
});

test('headers that drip, or never come, are cut; too many are refused', async () => {
  await start({ headersMs: 200, maxHeaderBytes: 2048 });
  const slow = await open();
  slow.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
  expect(await drip(slow, 20, 'X-More: 1\r\n')).toMatch(/^HTTP\/1\.1 (408|431) /);
  await (await open()).closed;
  const large = await open();
  large.socket.write(head('GET', '/healthz', { 'X-Large': 'x'.repeat(4000) }));
  expect(await large.closed).toMatch(/^HTTP\/1\.1 431 /);
});

test('a connection on which nothing more is asked is closed', async () => {
  await start({ keepAliveMs: 100 });
  const idle = await open();
  idle.socket.write(head('GET', '/healthz', {}));
  expect(await idle.closed).toContain('{"status":"ok"}');
});

describe('an address', () => {
  const isOpen = async ({ socket, received, closed }: Awaited<ReturnType<typeof open>>) => {
    socket.write(head('GET', '/healthz', {}));
    let ended = false;
    void closed.then(() => {
      ended = true;
    });
    await expect.poll(() => ended || received().includes('{"status":"ok"}')).toBe(true);
    return !ended;
  };

  test('has so many connections at once, and gets their places back', async () => {
    await start({}, { maxConnectionsPerAddress: { max: 5, ownMachineToo: true } });
    const all = await Promise.all(Array.from({ length: 9 }, open));
    const stayed = await Promise.all(all.map(isOpen));
    expect(stayed.filter(Boolean)).toHaveLength(5);
    for (const { socket } of all) socket.destroy();
    await Promise.all(all.map(({ closed }) => closed));
    // The server hears of it a moment later.
    await expect.poll(async () => isOpen(await open())).toBe(true);
  });

  test('of this machine has any number where nothing was set', async () => {
    await start({}, { maxConnectionsPerAddress: { max: 2, ownMachineToo: false } });
    const all = await Promise.all(Array.from({ length: 6 }, open));
    expect(await Promise.all(all.map(isOpen))).toEqual(Array(6).fill(true));
    for (const { socket } of all) socket.destroy();
  });

  test('behind a proxy has so many requests being answered, and the proxy any number of connections', async () => {
    await start({}, { trustProxy: true, maxConnectionsPerAddress: { max: 3, ownMachineToo: true } });
    const { token } = await app.signUp();
    const watch = async (from: string) => {
      const { body } = await app.fetch('/v1/watchFiles', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'text/event-stream',
          Authorization: `Bearer ${token}`,
          'X-Forwarded-For': from,
        },
        body: '{"data":null}',
      });
      const reader = body?.getReader();
      const first = await reader?.read();
      return { isRefused: Buffer.from(first?.value ?? []).includes('RESOURCE_EXHAUSTED'), reader };
    };
    const crowd = await Promise.all(Array.from({ length: 6 }, () => watch('203.0.113.1')));
    expect(crowd.map(({ isRefused }) => isRefused).toSorted()).toEqual([false, false, false, true, true, true]);
    const others = await Promise.all(Array.from({ length: 6 }, (_, n) => watch(`198.51.100.${n}`)));
    expect(others.map(({ isRefused }) => isRefused)).toEqual(Array(6).fill(false));
    for (const { reader } of [...crowd, ...others]) await reader?.cancel();
  });
});
