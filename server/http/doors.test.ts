import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { type Received, sendAs } from '#server/testing/send-as.ts';

// What is for whoever sits at this machine, and who else gets in: by a name that points here, through a proxy, from
// outside.

const token = 'a-token-of-32-characters-or-more';
const smtp = { url: 'smtp://127.0.0.1:1', from: 'a@footnote.test' };

let here: TestApp;
let publicly: TestApp;
let anywhere: TestApp;
beforeAll(async () => {
  here = await startTestApp({ metricsToken: token, billing: 'stripe' });
  const brandHosts = new Map([['wissen.nordwind.test', '00000000-0000-4000-8000-000000000001']]);
  publicly = await startTestApp({ publicUrl: 'https://footnote.test', brandHosts, smtp });
  // As in a container.
  anywhere = await startTestApp({ host: '0.0.0.0' });
});
afterAll(async () => {
  await Promise.all([here, publicly, anywhere].map((app) => app.close()));
});

const paths = ['/healthz', '/readyz', '/metrics', '/login', '/dev/outbox', '/.well-known/jwks.json', '/files/x'];
const get = (app: TestApp, path: string, headers?: Record<string, string>) =>
  sendAs(`http://127.0.0.1:${new URL(app.url).port}${path}`, headers);
const showsDetails = ({ body }: Received) => body.includes('embedded') || body.includes('nodejs_version_info');

describe('a service of this machine alone', () => {
  test.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.0.2.1',
    'x',
  ])('does not answer to the name %j, on any path', async (host) => {
    for (const path of paths) {
      const { status, body } = await get(here, path, { host });
      expect([path, status]).toEqual([path, 421]);
      expect(body).toContain('PUBLIC_URL');
    }
    const signUp = { companyName: 'Evil', email: 'evil@example.com', password: 'violet anchors drift 71' };
    const headers = { host, 'content-type': 'application/json', origin: `http://${host}` };
    const options = { method: 'POST', body: JSON.stringify({ data: signUp }) };
    expect((await sendAs(`${here.url}/v1/signUp`, headers, options)).status).toBe(421);
  });

  test.each(['localhost', 'localhost:4711', '127.0.0.1', '[::1]:80', 'footnote.localhost'])(
    'answers to the name %j',
    async (host) => expect((await get(here, '/healthz', { host })).status).toBe(200),
  );
});

test('one at a public address answers to the name that its proxy uses', async () => {
  for (const host of ['footnote.test', 'backend', '127.0.0.1:3000', '10.0.0.7']) {
    expect((await get(publicly, '/healthz', { host })).status).toBe(200);
    expect((await get(anywhere, '/healthz', { host })).status).toBe(200);
  }
});

test('the payment simulator answers to names of this machine alone', async () => {
  const url = `${here.app.simulator?.url}/_control/clock`;
  expect((await sendAs(url)).status).toBe(200);
  for (const host of ['evil.example', 'localhost.evil.example']) {
    expect((await sendAs(url, { host })).status).toBe(421);
    const move = { method: 'POST', body: '{"advanceDays":400}' };
    expect((await sendAs(url, { host }, move)).status).toBe(421);
  }
});

describe('/metrics, and the details of /readyz', () => {
  const forwarded: Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-for': 'not an address' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '127.0.0.1' },
  ];

  test('are for this machine', async () => {
    for (const app of [here, publicly, anywhere]) {
      for (const path of ['/metrics', '/readyz']) expect(showsDetails(await get(app, path))).toBe(true);
    }
  });

  test.each([...forwarded, { host: 'footnote.test' }, { host: 'evil.example' }])(
    'are not for who comes with %o, nor with a wrong token',
    async (headers) => {
      for (const app of [publicly, anywhere]) {
        for (const authorization of [undefined, `Bearer ${token}`, 'Bearer undefined', 'Bearer null']) {
          const as: Record<string, string> = { ...headers, ...(authorization && { authorization }) };
          const metrics = await get(app, '/metrics', as);
          expect(metrics.status).toBe(401);
          const ready = await get(app, '/readyz', as);
          expect([ready.status, ready.body]).toEqual([200, '{"status":"ready"}']);
          expect([metrics, ready].some(showsDetails)).toBe(false);
        }
      }
    },
  );

  test.each(forwarded)('are for who comes with %o and the token', async (headers) => {
    for (const path of ['/metrics', '/readyz']) {
      expect(showsDetails(await get(here, path, { ...headers, authorization: `Bearer ${token}` }))).toBe(true);
      expect(showsDetails(await get(here, path, { ...headers, authorization: `Bearer ${token}x` }))).toBe(false);
      expect(showsDetails(await get(here, path, { ...headers, authorization: token }))).toBe(false);
    }
  });
});

test('mails are shown where nobody else can come, and nowhere else', async () => {
  for (const path of ['/dev/outbox', '/dev/outbox.json']) {
    expect((await get(here, path)).status).toBe(200);
    for (const app of [publicly, anywhere]) expect((await get(app, path)).status).toBe(404);
  }
});

test('a mail leads to the public address, whatever name was asked for', async () => {
  const { admin } = await here.signUp();
  await sendAs(
    `${here.url}/v1/sendPasswordReset`,
    { 'content-type': 'application/json', host: 'other.localhost', 'x-forwarded-host': 'evil.example' },
    { method: 'POST', body: JSON.stringify({ data: { email: admin.email } }) },
  );
  await here.idle();
  const { body } = await get(here, '/dev/outbox.json');
  expect(body).toContain('http://footnote.localhost/login?oobCode=');
  expect(body).not.toMatch(/evil\.example|other\.localhost/);
});

test('at a public address only its own pages use the cookie, whatever name was asked for', async () => {
  const headers = { 'content-type': 'application/json', cookie: 'footnote_refresh=x', host: 'evil.example' };
  const options = { method: 'POST', body: '{"data":null}' };
  const from = async (origin: string) =>
    (await sendAs(`${publicly.url}/v1/refreshSession`, { ...headers, origin }, options)).status;
  expect(await from('https://evil.example')).toBe(403);
  expect(await from('http://evil.example')).toBe(403);
  // No session, but let in to ask.
  expect(await from('https://footnote.test')).toBe(401);
});

test('pages of a company’s host name use the cookie under that name alone', async () => {
  const from = async (host: string, origin: string) => {
    const headers = { 'content-type': 'application/json', cookie: 'footnote_refresh=x', host, origin };
    const options = { method: 'POST', body: '{"data":null}' };
    return (await sendAs(`${publicly.url}/v1/refreshSession`, headers, options)).status;
  };
  expect(await from('wissen.nordwind.test', 'https://wissen.nordwind.test')).toBe(401);
  expect(await from('wissen.nordwind.test', 'http://wissen.nordwind.test')).toBe(403);
  expect(await from('wissen.nordwind.test', 'https://other.nordwind.test')).toBe(403);
  expect(await from('footnote.test', 'https://wissen.nordwind.test')).toBe(403);
  // Passkeys belong to the public address, which names the pages that may use them.
  const { body } = await get(publicly, '/.well-known/webauthn');
  expect(JSON.parse(body)).toEqual({ origins: ['https://wissen.nordwind.test'] });
  expect((await get(here, '/.well-known/webauthn')).status).toBe(404);
});
