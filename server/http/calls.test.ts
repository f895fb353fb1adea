import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { defineCall } from '#contract/call.ts';
import { AppError } from '#contract/errors.ts';
import { startTransport, type Transport } from '#server/testing/transport.ts';

const echo = defineCall({
  summary: 'Says back.',
  input: z.object({ text: z.string(), count: z.number().optional() }).strict(),
  output: z.object({ text: z.string() }),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: true,
});
const stream = defineCall({
  ...echo,
  message: z.object({ step: z.number() }),
});
const call = { ...echo, input: z.null() };
const contract = {
  echo,
  stream,
  twice: { ...echo, alsoAsData: true },
  broken: call,
  wrongOutput: call,
  refused: call,
  forAdmins: { ...call, access: 'admin' },
  forMembers: { ...call, access: 'member' },
  withFeature: { ...call, access: 'member', feature: 'api-keys' },
  hangs: call,
  hangsInStream: { ...call, message: z.object({ step: z.number() }) },
  databaseGone: call,
  limited: call,
} as const;

type Context = { signal: AbortSignal; emit: (message: unknown) => void };
let entered = Promise.withResolvers<AbortSignal>();
let transport: Transport;

/** A handler that never answers; says when it was entered. */
function hang(_: null, { signal }: Context): Promise<never> {
  entered.resolve(signal);
  return new Promise<never>(() => {});
}

async function abortReason(signal: AbortSignal): Promise<unknown> {
  if (!signal.aborted) await once(signal, 'abort');
  return signal.reason;
}

beforeEach(() => {
  entered = Promise.withResolvers();
});

beforeAll(async () => {
  transport = await startTransport(
    contract,
    {
      echo: async (input: { text: string }) => ({ ...input, secret: 'not in the contract' }),
      twice: async (input: { text: string }) => input,
      stream: async ({ text, count = 2 }: { text: string; count?: number }, { emit }: Context) => {
        if (text === 'fail') throw new AppError('file-not-found');
        for (let step = 1; step <= count; step += 1) emit({ step, secret: 'not in the contract' });
        return { text };
      },
      broken: async () => {
        throw new Error('the secret reason');
      },
      wrongOutput: async () => ({ text: 42 }),
      refused: async () => {
        throw new AppError('not-retryable', { details: { because: 'reasons' } });
      },
      forAdmins: async () => ({ text: '' }),
      forMembers: async () => ({ text: 'welcome' }),
      withFeature: async () => ({ text: '' }),
      hangs: hang,
      hangsInStream: hang,
      databaseGone: async () => {
        throw new Error('Failed query', { cause: Object.assign(new Error('nobody there'), { code: 'ECONNREFUSED' }) });
      },
      limited: async () => {
        throw new AppError('too-many-requests', { details: { retryAfterSeconds: 7 } });
      },
    },
    { pingMs: 20 },
  );
});
afterAll(() => transport.close());

const json = (data: unknown) => JSON.stringify({ data });

async function errorOf(response: Response) {
  const body = (await response.json()) as { error: { status: string; message: string; details?: { code?: string } } };
  return {
    http: response.status,
    status: body.error.status,
    message: body.error.message,
    code: body.error.details?.code,
  };
}

test('answers the result, without what the contract does not name', async () => {
  const response = await transport.post('/v1/echo', json({ text: 'hä? 你好' }));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual({ result: { text: 'hä? 你好' } });
});

test('answers a second time as data where the contract says so', async () => {
  const response = await transport.post('/v1/twice', json({ text: 'a' }));
  expect(await response.json()).toEqual({ result: { text: 'a' }, data: { text: 'a' } });
});

test('answers the same at the address of the official client', async () => {
  const response = await transport.post('/demo-project/us-east4/echo', json({ text: 'a' }));
  expect(await response.json()).toEqual({ result: { text: 'a' } });
});

const badRequest = { http: 400, status: 'INVALID_ARGUMENT', message: 'Bad Request', code: 'bad-request' };

test.each([
  ['an extra key beside data', '{"data":{"text":"a"},"more":1}'],
  ['no data', '{}'],
  ['null', 'null'],
  ['a list', '[{"data":1}]'],
  ['a number', '1'],
  ['malformed JSON', '{"data":'],
  ['an empty body', ''],
  ['a body that is not UTF-8', '\ud800'],
])('refuses %s', async (_what, body) => {
  for (const path of ['/v1/echo', '/p/us-east4/echo']) {
    expect(await errorOf(await transport.post(path, body))).toEqual(badRequest);
  }
});

test('refuses bytes that are not UTF-8', async () => {
  const body = Buffer.concat([Buffer.from('{"data":{"text":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}}')]);
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${transport.url}/v1/echo`, { method: 'POST', headers, body });
  expect(await errorOf(response)).toEqual(badRequest);
});

test('takes half of a character, as of an emoji that was cut, for one that is not known', async () => {
  const halves = String.raw`{"data":{"text":"cut \ud83d, joined \ud83d\ude00, the other \uDE00"}}`;
  const response = await transport.post('/v1/echo', halves);
  expect(await response.json()).toEqual({ result: { text: 'cut �, joined 😀, the other �' } });
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json-seq', 'multipart/form-data', ''])(
  'refuses the content type "%s"',
  async (type) => {
    const response = await transport.post('/v1/echo', json({ text: 'a' }), { 'content-type': type });
    expect(await errorOf(response)).toEqual(badRequest);
  },
);

test('takes parameters of the content type', async () => {
  const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
  expect((await transport.post('/v1/echo', json({ text: 'a' }), headers)).status).toBe(200);
});

test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('refuses %s', async (method) => {
  for (const path of ['/v1/echo', '/p/us-east4/echo']) {
    expect(await errorOf(await fetch(`${transport.url}${path}`, { method }))).toEqual(badRequest);
  }
});

test.each([1_100_000, 10_000_000])('answers cleanly to %i bytes, and the connection lives on', async (size) => {
  const response = await transport.post('/v1/echo', json({ text: 'x'.repeat(size) }));
  expect(await errorOf(response)).toMatchObject({ http: 400, status: 'INVALID_ARGUMENT', code: 'too-large' });
  expect((await transport.post('/v1/echo', json({ text: 'a' }))).status).toBe(200);
});

test.each(['nothing', 'constructor', '__proto__', 'toString', '%00'])('knows no call %s', async (name) => {
  expect(await errorOf(await transport.post(`/v1/${name}`, json(null)))).toMatchObject({
    http: 404,
    code: 'unknown-call',
  });
});

test.each([
  ['a wrong type', { text: 1 }, 'text'],
  ['a missing key', {}, 'text'],
  ['an unknown key', { text: 'a', more: 1 }, ''],
  ['a text in place of an object', 'text', ''],
  ['null', null, ''],
])('names what is wrong with %s', async (_what, data, path) => {
  const response = await transport.post('/v1/echo', json(data));
  const body = (await response.json()) as { error: { details: { issues: unknown[] } } };
  expect(response.status).toBe(400);
  expect(body).toMatchObject({ error: { status: 'INVALID_ARGUMENT', details: { code: 'invalid-input' } } });
  expect(body.error.details.issues).toEqual([{ path, message: expect.any(String) }]);
});

test('does not let __proto__ through as an unknown key', async () => {
  const response = await transport.post('/v1/echo', '{"data":{"text":"a","__proto__":{"admin":true}}}');
  const body = await response.text();
  expect(body).not.toContain('admin');
  expect([200, 400]).toContain(response.status);
});

test.each([
  ['nobody', {}, 'forMembers', 401, 'unauthenticated'],
  ['nobody', {}, 'forAdmins', 401, 'unauthenticated'],
  ['a bad bearer', { authorization: 'Bearer nonsense' }, 'echo', 401, 'unauthenticated'],
  ['another scheme', { authorization: 'Basic bWVtYmVy' }, 'echo', 401, 'unauthenticated'],
  ['an empty bearer', { authorization: 'Bearer ' }, 'echo', 401, 'unauthenticated'],
  ['a member', { authorization: 'Bearer member' }, 'forAdmins', 403, 'permission-denied'],
  ['a plan without it', { authorization: 'Bearer member' }, 'withFeature', 403, 'feature-not-in-plan'],
])('refuses %s', async (_who, headers, name, http, code) => {
  const response = await transport.post(`/v1/${name}`, json(null), { 'content-type': 'application/json', ...headers });
  expect(await errorOf(response)).toMatchObject({ http, code });
});

test('decides on access before it looks at the input, and on the input before the plan', async () => {
  expect(await errorOf(await transport.post('/v1/forMembers', json('wrong')))).toMatchObject({
    code: 'unauthenticated',
  });
  const headers = { 'content-type': 'application/json', authorization: 'bearer member' };
  const response = await transport.post('/v1/withFeature', json('wrong'), headers);
  expect(await errorOf(response)).toMatchObject({ code: 'invalid-input' });
});

test('hides an unexpected error and logs it', async () => {
  const response = await transport.post('/v1/broken', json(null));
  expect(await response.json()).toEqual({
    error: { status: 'INTERNAL', message: 'INTERNAL', details: { code: 'internal' } },
  });
  expect(response.status).toBe(500);
  const line = await transport.logged(({ call, msg }) => call === 'broken' && msg === 'failed');
  expect(line.err).toMatchObject({ message: 'the secret reason' });
});

test('never answers what the contract does not allow', async () => {
  expect(await errorOf(await transport.post('/v1/wrongOutput', json(null)))).toMatchObject({
    http: 500,
    code: 'internal',
  });
});

test('sends the details of an error of the catalogue', async () => {
  const response = await transport.post('/v1/refused', json(null));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { status: 'FAILED_PRECONDITION', details: { code: 'not-retryable', because: 'reasons' } },
  });
});

test('says when to come back', async () => {
  const response = await transport.post('/v1/limited', json(null));
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('7');
});

test('says unavailable when the database is gone', async () => {
  expect(await errorOf(await transport.post('/v1/databaseGone', json(null)))).toMatchObject({
    http: 503,
    code: 'unavailable',
  });
});

test('lets any origin call, without cookies', async () => {
  const preflight = await fetch(`${transport.url}/v1/echo`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,firebase-instance-id-token,x-firebase-appcheck',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('firebase-instance-id-token');
  const answer = await transport.post('/p/us-east4/echo', json({ text: 'a' }), {
    'content-type': 'application/json',
    origin: 'https://elsewhere.example',
  });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
});

// --- streams ---

test('streams also what never reaches a handler', async () => {
  const response = await transport.post('/v1/echo', json(null), { ...asStream, 'content-type': '' });
  expect(await response.text()).toMatch(/^data: \{"error":.*bad-request.*\}\n\n$/);
});

const asStream = { 'content-type': 'application/json', accept: 'text/event-stream' };

test('streams messages, then exactly one result', async () => {
  const response = await transport.post('/v1/stream', json({ text: 'a' }), asStream);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await response.text()).toBe(
    'data: {"message":{"step":1}}\n\ndata: {"message":{"step":2}}\n\ndata: {"result":{"text":"a"}}\n\n',
  );
});

test('answers plain JSON to any other Accept', async () => {
  for (const accept of ['*/*', 'text/event-stream, application/json', 'application/json']) {
    const response = await transport.post('/v1/stream', json({ text: 'a' }), { ...asStream, accept });
    expect(await response.json()).toEqual({ result: { text: 'a' } });
  }
});

test('answers a call without messages with the one line', async () => {
  const response = await transport.post('/v1/echo', json({ text: 'a' }), asStream);
  expect(await response.text()).toBe('data: {"result":{"text":"a"}}\n\n');
});

test.each([
  ['an error of the handler', 'stream', json({ text: 'fail' }), {}, 'file-not-found'],
  ['an unknown call', 'nothing', json(null), {}, 'unknown-call'],
  ['a bad body', 'stream', '{', {}, 'bad-request'],
  ['a bad bearer', 'stream', json({ text: 'a' }), { authorization: 'Bearer no' }, 'unauthenticated'],
  ['a wrong content type', 'stream', json({ text: 'a' }), { 'content-type': 'text/plain' }, 'bad-request'],
])('streams %s as an event with status 200', async (_what, name, body, headers, code) => {
  const response = await transport.post(`/v1/${name}`, body, { ...asStream, ...headers });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toMatch(/^data: \{"error":.*\}\n\n$/);
  expect(JSON.parse(text.slice('data: '.length))).toMatchObject({ error: { details: { code } } });
});

test('gives signs of life while nothing is said, and tells the handler when the reader leaves', async () => {
  const leave = new AbortController();
  const response = await fetch(`${transport.url}/v1/hangsInStream`, {
    method: 'POST',
    headers: asStream,
    body: json(null),
    signal: leave.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.startsWith(': ping\n\n: ping\n\n')) text += (await reader?.read())?.value ?? '';
  leave.abort();
  expect(await abortReason(await entered.promise)).toMatchObject({ code: 'cancelled' });
  await transport.logged(({ call, status }) => call === 'hangsInStream' && status === 499);
});

test('a reader who leaves is 499, and no error', async () => {
  const leave = new AbortController();
  const headers = { 'content-type': 'application/json' };
  const left = expect(
    fetch(`${transport.url}/v1/hangs`, { method: 'POST', headers, body: json(null), signal: leave.signal }),
  ).rejects.toThrow();
  const signal = await entered.promise;
  leave.abort();
  expect(await abortReason(signal)).toMatchObject({ code: 'cancelled' });
  await left;
  const line = await transport.logged(({ call }) => call === 'hangs');
  expect(line).toMatchObject({ msg: 'call', status: 499, level: 30 });
});

test('stops reading ahead for a reader who does not read', async () => {
  const { port } = new URL(transport.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.pause();
  const body = json({ text: 'a', count: 2_000_000 });
  socket.write(
    `POST /v1/stream HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const line = await transport.logged(({ call, status }) => call === 'stream' && status === 499);
  expect(line.level).toBe(30);
  socket.destroy();
});

test('ends a call at its deadline, and tells the handler', async () => {
  const quick = await startTransport(
    { hangs: contract.hangs, hangsInStream: contract.hangsInStream },
    {
      hangs: hang,
      hangsInStream: () => new Promise<never>(() => {}),
    },
    { deadlineMs: 30 },
  );
  expect(await errorOf(await quick.post('/v1/hangs', json(null)))).toMatchObject({
    http: 504,
    status: 'DEADLINE_EXCEEDED',
    code: 'deadline-exceeded',
  });
  expect(await abortReason(await entered.promise)).toMatchObject({ code: 'deadline-exceeded' });
  const streamed = await quick.post('/v1/hangsInStream', json(null), asStream);
  expect(await streamed.text()).toContain('"DEADLINE_EXCEEDED"');
  await quick.close();
});

test('closing ends open streams with an error that asks to try again', async () => {
  const other = await startTransport(
    { hangsInStream: contract.hangsInStream },
    {
      hangsInStream: (_: null, { emit }: Context) => {
        emit({ step: 1 });
        return new Promise<never>(() => {});
      },
    },
  );
  const response = await other.post('/v1/hangsInStream', json(null), asStream);
  const [text] = await Promise.all([response.text(), other.close()]);
  expect(text).toBe(
    `data: {"message":{"step":1}}\n\ndata: {"error":${JSON.stringify(new AppError('unavailable').toWire())}}\n\n`,
  );
});
