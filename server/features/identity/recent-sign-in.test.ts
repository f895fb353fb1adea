import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq } from '#server/db/drizzle.ts';
import { companies } from '#server/db/schema.ts';
import { goodPassword } from '#server/testing/factories.ts';
import { here, startTestIdentity, type TestIdentity } from '#server/testing/identity.ts';
import { requireRecentSignIn } from './recent-sign-in.ts';

const minute = 60_000;
let subject: TestIdentity;
beforeAll(async () => {
  subject = await startTestIdentity();
});
afterAll(() => subject.close());

test('a sign-in counts as recent for 15 minutes, however often its session is refreshed, and a confirmed password again', async () => {
  const { email } = await subject.newCompany();
  let { session, refreshToken } = await subject.identity.signIn({ email, password: goodPassword }, here);
  const require = async (idToken: string) =>
    requireRecentSignIn(await subject.authenticate(idToken), 15 * minute, subject.now().getTime());
  await expect(require(session.idToken)).resolves.toBeUndefined();
  subject.pass(14 * minute);
  await expect(require(session.idToken)).resolves.toBeUndefined();
  subject.pass(minute + 1000);
  ({ session, refreshToken } = await subject.identity.refreshSession(refreshToken.value, here));
  await expect(require(session.idToken)).rejects.toMatchObject({ code: 'recent-sign-in-required' });

  const actor = await subject.authenticate(session.idToken);
  const from = { ...here, refreshToken: refreshToken.value };
  const wrong = subject.identity.reauthenticate(actor, { password: 'not the password' }, from);
  await expect(wrong).rejects.toMatchObject({ code: 'invalid-credentials' });
  const confirmed = await subject.identity.reauthenticate(actor, { password: goodPassword }, from);
  await expect(require(confirmed.session.idToken)).resolves.toBeUndefined();
  // It takes the place of the session of before, and the wrong one has not ended that.
  const before = subject.identity.refreshSession(refreshToken.value, here);
  await expect(before).rejects.toMatchObject({ code: 'session-expired' });
  await expect(subject.identity.refreshSession(confirmed.refreshToken.value, here)).resolves.toHaveProperty('session');
});

test('where the company wants its people to sign in again, a session ends by then, however much it is used', async () => {
  const day = 86_400_000;
  const { email, companyId } = await subject.newCompany();
  const signIn = () => subject.identity.signIn({ email, password: goodPassword }, here);
  const want = (sessionDays: number | null) =>
    subject.db.asSystem((tx) => tx.update(companies).set({ sessionDays }).where(eq(companies.id, companyId)));
  let { refreshToken } = await signIn();
  const refresh = async () => {
    ({ refreshToken } = await subject.identity.refreshSession(refreshToken.value, here));
  };
  await want(7);
  subject.pass(4 * day);
  await refresh();
  subject.pass(3 * day - 60_000);
  await refresh();
  subject.pass(120_000);
  await expect(refresh()).rejects.toMatchObject({ code: 'session-expired' });
  // It has ended for good, whatever the company wants then.
  await want(null);
  await expect(refresh()).rejects.toMatchObject({ code: 'session-expired' });
  ({ refreshToken } = await signIn());
  for (let i = 0; i < 5; i += 1) {
    subject.pass(25 * day);
    await refresh();
  }
  // What is made shorter counts for sessions of before, too.
  await want(1);
  await expect(refresh()).rejects.toMatchObject({ code: 'session-expired' });
});

test('where the company wants it, a session that is not used ends, with its tokens, and one that is used goes on', async () => {
  const { email, companyId } = await subject.newCompany();
  const want = (sessionIdleMinutes: number | null) =>
    subject.db.asSystem((tx) => tx.update(companies).set({ sessionIdleMinutes }).where(eq(companies.id, companyId)));
  const expired = { code: 'session-expired' };
  let { session, refreshToken } = await subject.identity.signIn({ email, password: goodPassword }, here);
  const refresh = async () => {
    ({ session, refreshToken } = await subject.identity.refreshSession(refreshToken.value, here));
  };
  await want(30);
  for (let i = 0; i < 4; i += 1) {
    subject.pass(14 * minute);
    // A call is use as well as an exchange.
    await subject.authenticate(session.idToken);
    subject.pass(29 * minute);
    await refresh();
  }
  subject.pass(31 * minute);
  await expect(refresh()).rejects.toMatchObject(expired);
  await want(null);
  await expect(refresh()).rejects.toMatchObject(expired);
  await want(15);
  ({ session, refreshToken } = await subject.identity.signIn({ email, password: goodPassword }, here));
  // A shorter time than a token's own counts for that, too.
  await want(5);
  subject.pass(4 * minute);
  await subject.authenticate(session.idToken);
  subject.pass(6 * minute);
  await expect(subject.authenticate(session.idToken)).rejects.toMatchObject(expired);
});
