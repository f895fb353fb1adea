import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';

// The whole product with Google's Auth emulator as its identity provider, through the public calls.

const { IDENTITY_EMULATOR_URL: emulatorUrl, IDENTITY_PROJECT: projectId } = process.env;
if (!emulatorUrl || !projectId) throw new Error('run this by: npm run conformance');
const newPassword = 'copper lanterns hum over 48';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ identityToolkit: { projectId, apiKey: 'any', emulatorUrl } });
});
afterAll(() => app.close());

/** The code in the newest mail to someone. */
async function codeFor(email: string): Promise<string> {
  await app.idle();
  const outbox = await app.fetch('/dev/outbox.json');
  const mails = (await outbox.json()) as { to: string; text: string }[];
  const code = /oobCode=([\w%.-]+)/.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[1];
  if (code === undefined) throw new Error(`no code was mailed to ${email}`);
  return decodeURIComponent(code);
}

test('readyz names it', async () => {
  expect(await (await app.fetch('/readyz')).text()).toContain('Identity Toolkit (emulator)');
});

test('sign-up makes a company whose admin is signed in, in the claims of the token as well', async () => {
  const { admin, company } = await app.signUp();
  const claims = JSON.parse(Buffer.from(admin.token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims).toMatchObject({ role: 'admin', companyId: company.id, aud: projectId });
  const session = await app.call('getSession', null, { token: admin.token });
  expect(session.user).toMatchObject({ uid: admin.uid, role: 'admin', companyId: company.id });
  await expect(app.signUp({ email: admin.email })).rejects.toMatchObject({ code: 'email-already-in-use' });
  await expect(app.call('signIn', { email: admin.email, password: 'not this one' })).rejects.toMatchObject({
    code: 'invalid-credentials',
  });
});

test('a forgotten password is set by the mailed link, once, and earlier tokens end', async () => {
  const { admin } = await app.signUp();
  await app.call('sendPasswordReset', { email: admin.email });
  const oobCode = await codeFor(admin.email);
  expect(await app.call('verifyResetCode', { oobCode })).toEqual({ email: admin.email, purpose: 'reset' });
  expect(await app.call('confirmPasswordReset', { oobCode, newPassword })).toEqual({ email: admin.email });
  await expect(app.call('confirmPasswordReset', { oobCode, newPassword })).rejects.toMatchObject({
    code: 'invalid-code',
  });
  await expect(app.call('getSession', null, { token: admin.token })).rejects.toMatchObject({ code: 'session-expired' });
  const { idToken } = await app.call('signIn', { email: admin.email, password: newPassword });
  expect((await app.call('getSession', null, { token: idToken })).user.uid).toBe(admin.uid);
});

test('an invited person sets a password, becomes an admin, and is removed', async () => {
  const { admin, company, token } = await app.signUp();
  const email = uniqueEmail('invited');
  await app.call('inviteUser', { email, companyId: company.id }, { token });
  const oobCode = await codeFor(email);
  expect(await app.call('verifyResetCode', { oobCode })).toEqual({ email, purpose: 'invite' });
  await app.call('confirmPasswordReset', { oobCode, newPassword: goodPassword });
  const member = await app.call('signIn', { email, password: goodPassword });
  expect(member.user).toMatchObject({ role: 'member', companyId: company.id });
  await expect(app.call('listUsers', null, { token: member.idToken })).rejects.toMatchObject({
    code: 'permission-denied',
  });

  await app.call('setUserRole', { uid: member.user.uid, role: 'admin' }, { token });
  await expect(app.call('listUsers', null, { token: member.idToken })).rejects.toMatchObject({
    code: 'session-expired',
  });
  const again = await app.call('signIn', { email, password: goodPassword });
  expect(await app.call('listUsers', null, { token: again.idToken })).toHaveLength(2);

  await app.call('deleteUser', { userIdToDelete: again.user.uid }, { token: admin.token });
  await expect(app.call('getSession', null, { token: again.idToken })).rejects.toMatchObject({
    code: 'session-expired',
  });
  await app.idle();
  await expect(app.call('signIn', { email, password: goodPassword })).rejects.toMatchObject({
    code: 'invalid-credentials',
  });
});

test("another project's token, and one whose company was swapped, are refused", async () => {
  const ours = await app.signUp();
  const theirs = await app.signUp();
  const [, payload = ''] = ours.token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const unsigned = (changed: object) =>
    `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${Buffer.from(JSON.stringify({ ...claims, ...changed })).toString('base64url')}.`;
  await expect(app.call('getSession', null, { token: unsigned({ aud: 'theirs' }) })).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  // Unsigned tokens can say anything; the person is looked up in the company that they name.
  const swapped = app.call('getSession', null, { token: unsigned({ companyId: theirs.company.id }) });
  await expect(swapped).rejects.toMatchObject({ status: 'UNAUTHENTICATED' });
});
