import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { sendStream } from './stream.ts';
import { send } from './wire.ts';

// A real server on loopback; only the page's own origin, which node lacks, is added to the addresses.
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => answer(request, response));
const realFetch = globalThis.fetch;

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  globalThis.fetch = (path, init) => realFetch(`http://127.0.0.1:${address.port}${path}`, init);
});

afterEach(async () => {
  globalThis.fetch = realFetch;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function json(status: number, body: unknown): typeof answer {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const nobody = { bearer: null };

test('sends exactly the envelope, with the bearer, and gives the result', async () => {
  let seen = '';
  answer = async (request, response) => {
    seen = `${request.method} ${request.url} ${request.headers.authorization} `;
    for await (const piece of request) seen += piece;
    json(200, { result: { url: '/files/x' } })(request, response);
  };
  expect(await send('getFileLink', { gsUri: 'gs://a/b' }, { bearer: 't1' })).toEqual({ url: '/files/x' });
  expect(seen).toBe('POST /v1/getFileLink Bearer t1 {"data":{"gsUri":"gs://a/b"}}');
});

test('gives the error of the catalogue with its details', async () => {
  const error = new AppError('feature-not-in-plan', { details: { plan: 'professional' } });
  answer = json(403, { error: error.toWire() });
  await expect(send('getPlans', null, nobody)).rejects.toMatchObject({
    code: 'feature-not-in-plan',
    details: { plan: 'professional' },
  });
});

test.each([
  [502, 'unavailable'],
  [401, 'unauthenticated'],
  [500, 'internal'],
  [200, 'internal'],
])('a page that is no answer of ours, with status %i, is %s', async (status, code) => {
  answer = (_request, response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Oops</h1>');
  await expect(send('getPlans', null, nobody)).rejects.toMatchObject({ code });
});

test('a broken connection is unavailable', async () => {
  answer = (request) => request.socket.destroy();
  await expect(send('getPlans', null, nobody)).rejects.toMatchObject({ code: 'unavailable' });
});

test('leaving ends the request', async () => {
  const leaving = new AbortController();
  const closed = Promise.withResolvers<void>();
  answer = (request) => {
    request.socket.once('close', () => closed.resolve());
    leaving.abort();
  };
  await expect(send('getPlans', null, { ...nobody, signal: leaving.signal })).rejects.toMatchObject({
    code: 'cancelled',
  });
  await closed.promise;
});

const events =
  (...all: unknown[]): typeof answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  };

test('a stream gives its messages in order and then the result', async () => {
  answer = events(
    { message: { type: 'removed', id: 'a' } },
    { message: { type: 'removed', id: 'b' } },
    { result: null },
  );
  const seen: unknown[] = [];
  const onMessage = (message: unknown) => void seen.push(message);
  expect(await sendStream('watchFiles', null, { ...nobody, onMessage })).toBeNull();
  expect(seen).toEqual([
    { type: 'removed', id: 'a' },
    { type: 'removed', id: 'b' },
  ]);
});

test('a stream gives its error, and one that breaks off is unavailable', async () => {
  const onMessage = () => {};
  answer = events({ error: new AppError('too-many-requests').toWire() });
  await expect(sendStream('watchFiles', null, { ...nobody, onMessage })).rejects.toMatchObject({
    code: 'too-many-requests',
  });
  answer = events({ message: { type: 'removed', id: 'a' } });
  await expect(sendStream('watchFiles', null, { ...nobody, onMessage })).rejects.toMatchObject({ code: 'unavailable' });
});
