import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createEncryptedServer } from 'node:https';
import { createServer as createSocketServer, type Socket, type Server as SocketServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { certificate } from '#server/testing/certificate.ts';
import { startNameServer } from '#server/testing/name-server.ts';
import { createOutbound, isOutboundError, type OutboundOptions } from './outbound.ts';
import { outboundAllowed } from './public-address.ts';

/** @returns its port, on this machine */
async function listen(server: SocketServer, { host = '127.0.0.1', port = 0 } = {}): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => {});
  });
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const each of open) each.destroy();
    if (server.listening) await new Promise((done) => server.close(done));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A server that counts who comes. */
async function serve(answer: RequestListener, at: { host?: string; port?: number } = {}) {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    answer(request, response);
  });
  const port = await listen(server, at);
  return { port, origin: `http://${at.host ?? '127.0.0.1'}:${port}`, count: () => count };
}

const says =
  (text: string): RequestListener =>
  (_, response) =>
    response.end(text);

function outbound(allow: string, options: Partial<OutboundOptions> = {}) {
  const allowed = outboundAllowed(allow);
  if (!allowed) throw new Error(`not allowed: ${allow}`);
  return createOutbound({ allowed, ...options });
}

/** The code of what was thrown. */
async function refusal(asked: Promise<Response>): Promise<string> {
  const error = await asked.then(
    () => new Error('it was answered'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  expect(isOutboundError(error)).toBe(true);
  return error.code;
}

test('asks what may be asked, and hands on what it answers', async () => {
  const { origin } = await serve((request, response) => {
    response.writeHead(404, { 'content-type': 'application/json', 'x-two': ['a', 'b'] });
    request.pipe(response);
  });
  const ask = outbound(origin);
  const answer = await ask(`${origin}/a?b=c`, { method: 'POST', headers: { 'x-own': '1' }, body: '{"d":1}' });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('x-two')).toBe('a, b');
  expect(await answer.json()).toEqual({ d: 1 });
});

test.each([
  ['http://example.com', 'outbound-address-invalid'],
  ['ftp://example.com', 'outbound-address-invalid'],
  ['file:///etc/passwd', 'outbound-address-invalid'],
  ['https://user:password@example.com', 'outbound-address-invalid'],
  ['example.com', 'outbound-address-invalid'],
  ['', 'outbound-address-invalid'],
  ['https://127.0.0.1', 'outbound-not-public'],
  ['https://127.1', 'outbound-not-public'],
  ['https://2130706433', 'outbound-not-public'],
  ['https://0x7f000001', 'outbound-not-public'],
  ['https://0177.0.0.1', 'outbound-not-public'],
  ['https://0', 'outbound-not-public'],
  ['https://[::1]', 'outbound-not-public'],
  ['https://[::7f00:1]', 'outbound-not-public'],
  ['https://[::ffff:127.0.0.1]', 'outbound-not-public'],
  ['https://[64:ff9b::7f00:1]', 'outbound-not-public'],
  ['https://169.254.169.254/latest/meta-data', 'outbound-not-public'],
  ['https://１２７.0.0.1', 'outbound-not-public'],
  ['https://localhost', 'outbound-not-public'],
])('%s is not asked: %s', async (address, code) => {
  expect(await refusal(outbound('')(address))).toBe(code);
});

test('a name of several addresses is refused for one that is ours, and an unknown name like it', async () => {
  const { port, count } = await serve(says('internal'));
  const names: Record<string, string[]> = { mixed: ['8.8.8.8', '127.0.0.1'], none: [], inside: ['::ffff:127.0.0.1'] };
  const ask = outbound('', {
    resolve: async (host) => {
      const found = names[host];
      if (!found) throw new Error(`${host} is not known`);
      return found;
    },
  });
  const said = new Set<string>();
  for (const host of ['mixed', 'none', 'inside', 'unknown']) {
    const error = await ask(`https://${host}:${port}`).catch((thrown: unknown) => thrown);
    said.add(JSON.stringify(error instanceof AppError && error.toWire()));
  }
  expect(said.size).toBe(1);
  expect(count()).toBe(0);
});

test('a name is looked up once, and the connection goes where that led, whatever it answers a moment later', async () => {
  const meant = await serve(says('meant'));
  const inside = await serve(says('inside'), { host: '127.0.0.2', port: meant.port });
  const looks: string[] = [];
  const ask = outbound('', {
    resolve: async (host) => {
      looks.push(host);
      return looks.length === 1 ? ['8.8.8.8'] : ['127.0.0.2'];
    },
  });
  // The test's own network refuses 8.8.8.8; had the name been looked up again, it would have led inside.
  expect(await refusal(ask(`https://rebinds.example:${meant.port}`))).toBe('outbound-unreachable');
  expect(looks).toHaveLength(1);

  let turn = 0;
  const allowing = outbound('127.0.0.1, http://turns.example:1', {
    resolve: async () => (turn++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']),
  });
  expect(await refusal(allowing(`https://turns.example:${meant.port}`))).toBe('outbound-unreachable');
  expect(turn).toBe(1);
  const origin = `http://turns.example:${meant.port}`;
  turn = 0;
  const plain = outbound(origin, { resolve: async () => (turn++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']) });
  expect(await (await plain(origin)).text()).toBe('meant');
  expect(turn).toBe(1);
  expect(inside.count()).toBe(0);
});

test('a name is asked of name servers, and one that the operator has named of the system', async () => {
  const names = await startNameServer();
  onTestFinished(() => names.close());
  names.addresses.set('hooks.example', '127.0.0.1');
  const { port, origin } = await serve(says('plain'));
  const { address: nameServer } = names;
  // It is found, and there is no TLS where it leads.
  expect(await refusal(outbound('127.0.0.1', { nameServer })(`https://hooks.example:${port}`))).toBe(
    'outbound-unreachable',
  );
  expect(await refusal(outbound('', { nameServer })(`https://hooks.example:${port}`))).toBe('outbound-not-public');
  const asked = names.asked();
  expect(asked).toBeGreaterThan(0);
  for (const host of ['localhost', 'hooks.localhost'])
    expect(await refusal(outbound('', { nameServer })(`https://${host}:${port}`))).toBe('outbound-not-public');
  const own = origin.replace('127.0.0.1', 'localhost');
  expect(await (await outbound(own, { nameServer })(own)).text()).toBe('plain');
  expect(names.asked()).toBe(asked);
});

test('asks by TLS for the name that was meant, and believes no certificate of another', async () => {
  const before = getCACertificates();
  setDefaultCACertificates([...before, certificate.cert]);
  onTestFinished(() => setDefaultCACertificates(before));
  const port = await listen(createEncryptedServer(certificate, says('encrypted')));
  for (const allow of ['127.0.0.0/8', 'idp.example, other.example']) {
    const ask = outbound(allow, { resolve: async () => ['127.0.0.1'] });
    expect(await (await ask(`https://idp.example:${port}`)).text()).toBe('encrypted');
    expect(await refusal(ask(`https://other.example:${port}`))).toBe('outbound-unreachable');
  }
  const elsewhere = outbound('other.example', { resolve: async () => ['127.0.0.1'] });
  expect(await refusal(elsewhere(`https://idp.example:${port}`))).toBe('outbound-not-public');
});

test('follows no redirect, not even to where one may go', async () => {
  const target = await serve(says('target'));
  for (const status of [301, 302, 303, 307, 308]) {
    const { origin } = await serve((_, response) => {
      response.writeHead(status, { location: target.origin }).end('secret');
    });
    const ask = outbound(`${origin}, ${target.origin}`);
    expect(await refusal(ask(origin))).toBe('outbound-redirected');
  }
  expect(target.count()).toBe(0);
});

test('reads no more than it may, whether or not that was said before', async () => {
  const said = await serve((_, response) =>
    response.writeHead(200, { 'content-length': '1000' }).end('x'.repeat(1000)),
  );
  const unsaid = await serve((_, response) => {
    for (let piece = 0; piece < 100; piece += 1) response.write('x'.repeat(10));
    response.end();
  });
  for (const { origin } of [said, unsaid]) {
    expect(await refusal(outbound(origin, { maxBytes: 999 })(origin))).toBe('outbound-too-large');
    expect(await (await outbound(origin, { maxBytes: 1000 })(origin)).text()).toHaveLength(1000);
  }
});

test('waits for nobody: not for a name, a handshake, an answer or its last byte', async () => {
  const mute = await listen(createSocketServer());
  const slow = await serve((_, response) => void response.write('the beginning'));
  const short = { connectTimeoutMs: 50, timeoutMs: 60_000 };
  const never = new Promise<never>(() => {});
  const byName = outbound('', { ...short, resolve: () => never });
  expect(await refusal(byName('https://slow.example'))).toBe('outbound-timeout');
  expect(await refusal(outbound('127.0.0.1', short)(`https://127.0.0.1:${mute}`))).toBe('outbound-timeout');
  const whole = { timeoutMs: 100 };
  const unanswered = `http://127.0.0.1:${mute}`;
  expect(await refusal(outbound(unanswered, whole)(unanswered))).toBe('outbound-timeout');
  expect(await refusal(outbound(slow.origin, whole)(slow.origin))).toBe('outbound-timeout');

  const leaving = new AbortController();
  const asked = outbound(unanswered)(unanswered, { signal: leaving.signal });
  leaving.abort(new Error('left'));
  await expect(asked).rejects.toThrow('left');
});

test('an answer that breaks off, and a port where nobody is, say no more than that', async () => {
  const { origin } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('secret', () => response.destroy());
  });
  const gone = createSocketServer();
  const port = await listen(gone);
  gone.close();
  await once(gone, 'close');
  for (const each of [origin, `http://127.0.0.1:${port}`]) {
    const error = await outbound(each)(each).catch((thrown: unknown) => thrown);
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('outbound-unreachable');
    expect(JSON.stringify(error.toWire())).not.toMatch(/secret|ECONN|127\.0\.0\.1/);
  }
});
