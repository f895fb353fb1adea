import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { sendAs } from '#server/testing/send-as.ts';
import { startSmtpServer } from '#server/testing/smtp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const { admin } = await app.signUp({ email: "o'hara@example.com" });
  await app.call('sendPasswordReset', { email: admin.email });
  await app.idle();
});
afterAll(() => app.close());

const get = (path: string, headers?: Record<string, string>) => sendAs(`${app.url}${path}`, headers);

describe('the outbox page', () => {
  test('gives the mails to scripts', async () => {
    const response = await app.fetch('/dev/outbox.json');
    expect(response.headers.get('content-type')).toMatch('application/json');
    const [mail] = (await response.json()) as Record<string, string>[];
    expect(Object.keys(mail ?? {}).sort()).toEqual(['html', 'id', 'sentAt', 'subject', 'text', 'to']);
    expect(mail).toMatchObject({ to: "o'hara@example.com", subject: 'Reset your Footnote password' });
    expect(mail?.text).toMatch(/http:\/\/footnote\.localhost\/login\?oobCode=[\w-]{43}/);
    expect(new Date(mail?.sentAt ?? '').getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('shows them to people, escaped, under a policy that lets nothing run', async () => {
    const response = await app.fetch('/dev/outbox');
    const html = await response.text();
    expect(html).toContain('Reset your Footnote password');
    expect(html).toContain('o&#39;hara@example.com');
    expect(html).not.toContain("o'hara");
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'nonce-[\w+/=]+'; frame-src 'self'; base-uri 'none'/);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('shows each mail in a frame without scripts, forms or an origin', async () => {
    const html = await (await app.fetch('/dev/outbox')).text();
    const [, path = ''] =
      /<iframe src="([^"]+)" sandbox="allow-popups allow-popups-to-escape-sandbox"/.exec(html) ?? [];
    const frame = await app.fetch(path);
    const policy = frame.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/);
    expect(policy).not.toMatch(/script/);
    expect(await frame.text()).toContain('<base target="_blank">');
  });

  test.each(['/dev/outbox/unknown', '/dev/outbox/00000000-0000-4000-8000-000000000000', '/dev', '/dev/other'])(
    'has no %s',
    async (path) => expect((await app.fetch(path)).status).toBe(404),
  );

  test.each([
    ['by a public name', { host: 'footnote.test' }, 421],
    ['by a name that a page elsewhere has given this address', { host: 'localhost.evil.example:3000' }, 421],
    ['by a proxy', { 'x-forwarded-for': '203.0.113.7' }, 404],
    ['by another kind of proxy', { forwarded: 'for=203.0.113.7' }, 404],
    ['by a proxy that hides whom it serves', { via: '1.1 proxy' }, 404],
  ])('is not there for who comes %s', async (_, headers, status) => {
    for (const path of ['/dev/outbox', '/dev/outbox.json']) {
      expect((await get(path)).status).toBe(200);
      const refused = await get(path, headers);
      expect(refused.status).toBe(status);
      expect(refused.body).not.toContain('oobCode');
    }
  });
});

test.each([
  ['in production', { production: true }],
  ['where mails are sent', {}],
])('there is no page %s, and /readyz says what there is', async (_, overrides) => {
  const inbox = await startSmtpServer();
  const sending = await startTestApp({ ...overrides, smtp: { url: inbox.url, from: 'a@footnote.test' } });
  for (const path of ['/dev/outbox', '/dev/outbox.json']) expect((await sending.fetch(path)).status).toBe(404);
  expect(await (await sending.fetch('/readyz')).json()).toMatchObject({ ports: { mail: 'SMTP' } });
  const { admin } = await sending.signUp();
  await sending.call('sendPasswordReset', { email: admin.email });
  await sending.idle();
  const oobCode = new URL(inbox.mails[0]?.links[0] ?? '').searchParams.get('oobCode') ?? '';
  const { email } = await sending.call('verifyResetCode', { oobCode });
  expect(email).toBe(admin.email);
  await sending.close();
  await inbox.close();
});
