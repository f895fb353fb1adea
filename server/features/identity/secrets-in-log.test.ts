import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog } from '#server/http/log.ts';
import { openEmbeddedIdentity } from '#server/ports/identity/embedded.ts';
import { startTestApp } from '#server/testing/app.ts';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';

test('no password, code, token or cookie is ever logged, at whatever level and whatever fails', async () => {
  let logged = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  const app = await startTestApp({}, { log: createLog('trace', sink) });
  const provider = await openEmbeddedIdentity(app.app.db, app.config.publicUrl);
  const secrets = new Set<string>([goodPassword, 'a wrong password 99', 'short', 'copper lanterns hum 48']);
  let cookies = '';
  async function call(name: string, data: unknown, headers: Record<string, string> = {}) {
    const response = await app.fetch(`/v1/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cookies, ...headers },
      body: JSON.stringify({ data }),
    });
    const set = response.headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? '');
    if (set.length > 0) cookies = set.join('; ');
    for (const each of set) secrets.add(each.split('=')[1] ?? '');
    const body = (await response.json()) as { result?: { idToken?: string } | null };
    const idToken = body.result?.idToken ?? '';
    secrets.add(idToken);
    return { status: response.status, idToken };
  }

  const email = uniqueEmail();
  const wrong = 'a wrong password 99';
  await call('signUp', { companyName: 'Example', email, password: 'short' });
  await call('signUp', { companyName: 'Example', email, password: goodPassword });
  await call('signUp', { companyName: 'Example', email, password: goodPassword });
  await call('signIn', { email, password: wrong });
  await call('signIn', { email, password: [wrong] });
  const { idToken } = await call('signIn', { email, password: goodPassword });
  const bearer = { authorization: `Bearer ${idToken}` };
  await call('getSession', null, bearer);
  await call('getSession', null, { authorization: `Bearer ${idToken}x` });
  await call('reauthenticate', { password: wrong }, bearer);
  await call('reauthenticate', { password: goodPassword }, bearer);
  await call('refreshSession', null);
  await call('refreshSession', null, { cookie: `footnote_refresh=${idToken}` });
  await call('sendPasswordReset', { email });
  await app.idle();
  const code = (await provider.createResetCode(email)) ?? '';
  secrets.add(code);
  await call('verifyResetCode', { oobCode: code });
  await call('confirmPasswordReset', { oobCode: code, newPassword: 'short' });
  await call('confirmPasswordReset', { oobCode: code, newPassword: 'copper lanterns hum 48' });
  await call('confirmPasswordReset', { oobCode: code, newPassword: 'copper lanterns hum 48' });
  await app.fetch(`/login?oobCode=${code}`);
  await call('signOut', null);
  // With the tables gone every statement fails, its parameters at hand.
  await app.app.db.asSystem((tx) => tx.execute('alter table identity_codes rename to gone'));
  await app.app.db.asSystem((tx) => tx.execute('alter table identity_accounts rename to gone_too'));
  expect((await call('verifyResetCode', { oobCode: code })).status).toBe(500);
  expect((await call('signIn', { email, password: goodPassword })).status).toBe(500);
  expect((await call('signUp', { companyName: 'Example', email: uniqueEmail(), password: goodPassword })).status).toBe(
    500,
  );
  await app.close();

  secrets.delete('');
  expect(secrets.size).toBeGreaterThan(10);
  // What is searched is there: calls and failures were logged.
  expect(logged).toContain('"call":"confirmPasswordReset"');
  expect(logged).toContain('"msg":"failed"');
  for (const secret of secrets) {
    expect(logged.includes(secret) ? secret : '').toBe('');
  }
  expect(logged).not.toMatch(/\$argon2id/);
});
