import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditEvents } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';

const another = 'copper lanterns hum 48';
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const nameOf = async (token: string) => (await app.call('getSession', null, { token })).user.displayName;

test('a name is given, kept as it is written, and taken back; nobody else has it', async () => {
  const { company, admin } = await app.signUp();
  const member = await app.addMember(company);
  const as = { token: member.token };
  expect(await nameOf(member.token)).toBeUndefined();
  expect(await app.call('setDisplayName', { displayName: '  Zoe\u0308 «李» O’Hara ' }, as)).toMatchObject({
    uid: member.uid,
    displayName: 'Zoë «李» O’Hara',
    role: 'member',
  });
  expect(await nameOf(member.token)).toBe('Zoë «李» O’Hara');
  expect(await nameOf(admin.token)).toBeUndefined();
  const { user } = await app.call('signIn', { email: member.email, password: goodPassword });
  expect(user.displayName).toBe('Zoë «李» O’Hara');
  await app.call('setDisplayName', { displayName: '  ' }, as);
  expect(await nameOf(member.token)).toBeUndefined();
});

test.each(['x'.repeat(101), 'two\nlines', 'nul\u0000'])('%j is no name', async (displayName) => {
  const { token } = await app.signUp();
  await expect(app.call('setDisplayName', { displayName }, { token })).rejects.toMatchObject({ code: 'invalid-input' });
});

test('an invited person gives it with the first password', async () => {
  const { company, token } = await app.signUp();
  const email = uniqueEmail('named');
  await app.call('inviteUser', { email, companyId: company.id }, { token });
  await app.idle();
  const mails = (await (await app.fetch('/dev/outbox.json')).json()) as { to: string; text: string }[];
  const link = /http:\S+oobCode=\S+/.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[0] ?? '';
  const oobCode = new URL(link).searchParams.get('oobCode') ?? '';
  await app.call('confirmPasswordReset', { oobCode, newPassword: goodPassword, displayName: 'Lea Sommer' });
  const { user } = await app.call('signIn', { email, password: goodPassword });
  expect(user).toMatchObject({ email, displayName: 'Lea Sommer' });
});

test('a password is changed with the one of now: every other session ends, this one goes on', async () => {
  const { admin, company } = await app.signUp();
  const elsewhere = await app.call('signIn', { email: admin.email, password: goodPassword });
  const change = (currentPassword: string, newPassword: string) =>
    app.call('changePassword', { currentPassword, newPassword }, { token: admin.token });
  await expect(change('not the right one', another)).rejects.toMatchObject({ code: 'invalid-credentials' });
  await expect(change(goodPassword, 'password1234')).rejects.toMatchObject({ code: 'weak-password' });
  expect((await app.call('getSession', null, { token: admin.token })).user.uid).toBe(admin.uid);

  const { idToken, user } = await change(goodPassword, another);
  expect(user.uid).toBe(admin.uid);
  expect((await app.call('getSession', null, { token: idToken })).user.uid).toBe(admin.uid);
  for (const token of [admin.token, elsewhere.idToken]) {
    await expect(app.call('getSession', null, { token })).rejects.toMatchObject({ code: 'session-expired' });
  }
  const old = app.call('signIn', { email: admin.email, password: goodPassword });
  await expect(old).rejects.toMatchObject({ code: 'invalid-credentials' });
  await app.call('signIn', { email: admin.email, password: another });
  const events = await app.app.db.asCompany(company.id, (tx) => tx.select().from(auditEvents));
  expect(events.filter(({ action }) => action === 'password-changed')).toHaveLength(1);
});
