import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { brotliCompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressKey, createLimits } from '#server/calls/limits.ts';
import { sql } from '#server/db/drizzle.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword } from '#server/testing/factories.ts';
import { createLog } from './log.ts';
import { registerWeb } from './static.ts';

let app: TestApp;
let logged = '';
beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  app = await startTestApp({}, { log: createLog('trace', sink) });
});
afterAll(() => app.close());

describe('health', () => {
  test('/healthz says alive, /readyz names what is behind each port', async () => {
    expect((await app.fetch('/healthz')).status).toBe(200);
    const ready = await app.fetch('/readyz');
    expect(await ready.json()).toMatchObject({
      status: 'ready',
      ports: { database: 'PostgreSQL', identity: 'embedded' },
    });
  });

  test('/readyz says no when the database is gone, and calls answer unavailable', async () => {
    const other = await startTestApp({}, { log: createLog('silent') });
    await other.app.jobs.stop();
    await other.app.db.close();
    expect((await other.fetch('/readyz')).status).toBe(503);
    expect((await other.fetch('/healthz')).status).toBe(200);
    const signIn = other.call('signIn', { email: 'a@example.com', password: goodPassword });
    await expect(signIn).rejects.toMatchObject({ code: 'unavailable' });
    await other.app.http.close();
    await rm(other.config.dataDir, { recursive: true });
  });

  test('/metrics counts calls by name and status, and unknown names as one', async () => {
    await app.call('getPlans', null);
    await app.fetch('/v1/made-up-name', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"data":null}',
    });
    const text = await (await app.fetch('/metrics')).text();
    expect(text).toMatch(/footnote_call_duration_seconds_count\{name="getPlans",status="OK"\} 1/);
    expect(text).toContain('footnote_call_duration_seconds_count{name="unknown",status="NOT_FOUND"}');
    expect(text).not.toContain('made-up-name');
  });
});

test('every answer says what it is, what may be done with it, and not who made it', async () => {
  for (const [publicUrl, transport] of [
    ['https://footnote.example.com', 'max-age=31536000; includeSubDomains'],
    ['http://localhost:3000', null],
  ] as const) {
    const own = await startTestApp({ publicUrl });
    const call = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"data":null}' };
    const answers = await Promise.all([
      own.fetch('/v1/getPlans', call),
      own.fetch('/v1/getSession', call),
      own.fetch('/healthz'),
      own.fetch('/no-such-page', { method: 'POST' }),
    ]);
    await own.close();
    for (const { headers, url } of answers) {
      expect(headers.get('content-type'), url).toMatch(/^application\/json; charset=utf-8$/);
      expect(headers.get('content-security-policy'), url).toBe("default-src 'none';frame-ancestors 'none'");
      expect(headers.get('x-content-type-options'), url).toBe('nosniff');
      expect(headers.get('referrer-policy'), url).toBe('no-referrer');
      expect(headers.get('strict-transport-security'), url).toBe(transport);
      expect(headers.get('x-request-id'), url).toMatch(/^[0-9a-f-]{36}$/);
      for (const telling of ['server', 'x-powered-by', 'via']) expect(headers.get(telling), url).toBeNull();
    }
  }
});

test('the log holds no password, token, cookie or e-mail, also when a query fails', async () => {
  const { admin, token } = await app.signUp();
  await app.call('getSession', null, { token });
  await app.fetch('/v1/refreshSession?secret=in-the-query', {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: 'footnote_refresh=very-secret-cookie' },
    body: '{"data":null}',
  });
  // The failing insert carries the e-mail and the hash among its parameters.
  const { db } = app.app;
  const table = sql`alter table identity_accounts`;
  await db.asSystem((tx) => tx.execute(sql`${table} add constraint nobody_else check (false) not valid`));
  const failed = app.call('signUp', { companyName: 'Example', email: 'leak@example.com', password: goodPassword });
  await expect(failed).rejects.toMatchObject({ code: 'internal', message: 'INTERNAL' });
  await db.asSystem((tx) => tx.execute(sql`${table} drop constraint nobody_else`));
  expect(logged).toContain('"call":"signUp"');
  expect(logged).toContain('a query failed');
  for (const secret of [
    goodPassword,
    token,
    admin.email,
    'very-secret-cookie',
    'in-the-query',
    'leak@example.com',
    '$argon2id$',
  ]) {
    expect(logged).not.toContain(secret);
  }
});

test('an unknown address below /v1 is a 404 in JSON, whatever the method', async () => {
  for (const method of ['GET', 'POST']) {
    const response = await app.fetch('/v1/no/such/thing', { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { status: 'NOT_FOUND' } });
  }
});

describe('limits', () => {
  test('are exact when many come at once, and open again with the next window', async () => {
    let now = Date.UTC(2026, 0, 1, 0, 0, 10);
    const limits = createLimits(app.app.db, () => now);
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => limits.take('test', 5, 60)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(limits.take('test', 5, 60)).rejects.toMatchObject({ details: { retryAfterSeconds: 50 } });
    await expect(limits.take('another', 5, 60)).resolves.toBeUndefined();
    now += 50_000;
    await expect(limits.take('test', 5, 60)).resolves.toBeUndefined();
  });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('count %s as %s', (ip, key) => expect(addressKey(ip)).toBe(key));
});

describe('the web app', () => {
  let root: string;
  const http = Fastify();
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'footnote-web-'));
    await mkdir(join(root, 'assets'));
    await writeFile(
      join(root, 'index.html'),
      '<meta name="csp-nonce" content="__CSP_NONCE__"><meta name="application-name" content="Footnote"><title>The app</title></head>',
    );
    await writeFile(join(root, 'assets/main-abc123.js'), 'console.info(1)');
    await writeFile(join(root, 'assets/main-abc123.js.br'), brotliCompressSync('console.info(1)'));
    await writeFile(join(root, 'favicon.svg'), '<svg/>');
    const branding = { name: 'Ac"me & <Sons>', logoUrl: 'https://cdn.acme.example:8443/logo.svg?v=2' };
    const brandingAt = async (host: string) =>
      host === 'wissen.nordwind.example' ? { name: 'Nordwind Wissen', accent: '#7a1f3f' } : branding;
    await registerWeb(http, root, { config: { branding }, brandingAt });
  });
  afterAll(async () => {
    await http.close();
    await rm(root, { recursive: true });
  });

  test('is its page at every address of the router, with a nonce of its own each time', async () => {
    const nonces = new Set<string>();
    for (const url of ['/', '/login', '/documents/123/1?cite=4', '/admin/dashboard']) {
      const page = await http.inject({ url });
      expect(page.statusCode).toBe(200);
      const nonce = /content="([^"]+)"/.exec(page.body)?.[1] ?? '';
      expect(page.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}';`);
      expect(page.headers['content-security-policy']).not.toContain('unsafe');
      expect(page.headers['cache-control']).toBe('no-store');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(4);
    expect(nonces).not.toContain('__CSP_NONCE__');
  });

  test('carries the name of the product, and may show the logo and no other picture from elsewhere', async () => {
    const { body, headers } = await http.inject({ url: '/login' });
    const name = 'Ac&quot;me &amp; &lt;Sons&gt;';
    expect(body).toContain(`<meta name="application-name" content="${name}"><title>${name}</title>`);
    expect(headers['content-security-policy']).toContain(
      "img-src 'self' data: blob: https://cdn.acme.example:8443; font-src",
    );
    const asset = await http.inject({ url: '/favicon.svg' });
    expect(asset.headers['content-security-policy']).toContain("img-src 'self' data: blob:;");
  });

  test('carries the name and the accent of the company whose host name was asked', async () => {
    const page = await http.inject({ url: '/login', headers: { host: 'Wissen.Nordwind.example:8443' } });
    expect(page.body).toContain('<title>Nordwind Wissen</title>');
    const [, nonce] = /<style id="host-accent" nonce="([^"]+)">.*--accent:light-dark\(#7a1f3f,#/.exec(page.body) ?? [];
    expect(page.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    const other = await http.inject({ url: '/login', headers: { host: 'nordwind.example' } });
    expect(other.body).toContain('<title>Ac&quot;me &amp; &lt;Sons&gt;</title>');
    expect(other.body).not.toContain('host-accent');
  });

  test('has its files compressed, and those with a hash cached for good', async () => {
    const asset = await http.inject({ url: '/assets/main-abc123.js', headers: { 'accept-encoding': 'gzip, br' } });
    expect(asset.headers['content-encoding']).toBe('br');
    expect(asset.headers['content-type']).toContain('javascript');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const plain = await http.inject({ url: '/assets/main-abc123.js' });
    expect(plain.body).toBe('console.info(1)');
    expect((await http.inject({ url: '/favicon.svg' })).headers['cache-control']).toBe('public, max-age=3600');
  });

  test.each([
    '/assets/absent.js',
    '/absent.png',
    '/v1/absent',
    '/index.html',
    '/../package.json',
    '/assets/..%2f..%2fpackage.json',
  ])('has no page at %s', async (url) => {
    expect((await http.inject({ url })).statusCode).toBe(404);
  });

  test('says how to build it when it is not built', async () => {
    const bare = Fastify();
    const branding = { name: 'Footnote' };
    await registerWeb(bare, join(root, 'nowhere'), { config: { branding }, brandingAt: async () => branding });
    const page = await bare.inject({ url: '/login' });
    expect(page.statusCode).toBe(503);
    expect(page.body).toContain('not built yet');
    await bare.close();
  });
});
