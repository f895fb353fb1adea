import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { auditEvents, sessions } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';
import { meanwhile } from '#server/testing/hold.ts';
import { watchFiles } from '#server/testing/watch.ts';

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

describe('sessions', () => {
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

  /** Signs in as a browser does; `cookies` are those that it has. */
  async function signInBy(email: string, { agent = windows, cookies = '' } = {}) {
    const response = await app.fetch('/v1/signIn', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent, cookie: cookies },
      body: JSON.stringify({ data: { email, password: goodPassword } }),
    });
    const { result }: { result: { idToken: string } } = JSON.parse(await response.text());
    const set = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    return { token: result.idToken, cookies: set.join('; ') };
  }
  const refresh = (cookies: string) =>
    app.fetch('/v1/refreshSession', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cookies },
      body: '{"data":null}',
    });
  const list = (token: string) => app.call('listSessions', null, { token });
  const sessionOf = async (token: string) => (await list(token)).find(({ current }) => current);
  const isRefused = { code: 'session-expired' };

  test('are listed with the browser in words, the address and how they began, this one marked; not those of others', async () => {
    const { company, admin } = await app.signUp();
    await app.addMember(company);
    const { token } = await signInBy(admin.email);
    const sessions = await list(token);
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toMatchObject({ current: true, agent: 'Firefox on Windows', address: '127.0.0.1' });
    expect(sessions[1]).toMatchObject({ current: false, agent: 'node', methods: ['password'] });
    for (const { createdAt, seenAt } of sessions)
      expect(Date.parse(seenAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
    await app.call('signOut', null);
    expect((await list(admin.token)).map(({ sessionId }) => sessionId).sort()).toEqual(
      sessions.map(({ sessionId }) => sessionId).sort(),
    );
  });

  test('one is ended at once: its token, its cookie, its links and what is open in it; the others go on', async () => {
    const { admin } = await app.signUp();
    const [theirs, another] = [await signInBy(admin.email), await signInBy(admin.email)];
    await createClient(app.url, admin.token).upload('Note.txt', Buffer.from('A note.'));
    const [file] = await app.call('getCompanyFiles', null, { token: theirs.token });
    const linkBy = async (token: string) =>
      (await app.call('getFileLink', { gsUri: `gs://${file?.bucket}/${file?.path}` }, { token })).url;
    const [link, otherLink] = [await linkBy(theirs.token), await linkBy(another.token)];
    const stream = await watchFiles(createClient(app.url, theirs.token));
    const { sessionId = '' } = (await sessionOf(theirs.token)) ?? {};
    await app.call('endSession', { sessionId }, { token: admin.token });
    await expect(stream.ended).rejects.toMatchObject(isRefused);
    await expect(app.call('getSession', null, { token: theirs.token })).rejects.toMatchObject(isRefused);
    expect((await refresh(theirs.cookies)).status).toBe(401);
    expect((await app.fetch(link)).status).toBe(404);
    for (const { token } of [admin, another])
      expect((await app.call('getSession', null, { token })).user.uid).toBe(admin.uid);
    expect((await app.fetch(otherLink)).status).toBe(200);
    expect((await refresh(another.cookies)).status).toBe(200);
    expect((await list(admin.token)).map((each) => each.sessionId)).not.toContain(sessionId);
    const again = app.call('endSession', { sessionId }, { token: admin.token });
    await expect(again).rejects.toMatchObject({ code: 'session-not-found' });
  });

  test('all others are ended, and this one goes on', async () => {
    const { company, admin } = await app.signUp();
    const colleague = await app.addMember(company);
    const others = [await signInBy(admin.email), await signInBy(admin.email)];
    await app.call('endOtherSessions', null, { token: admin.token });
    for (const { token, cookies } of others) {
      await expect(app.call('getSession', null, { token })).rejects.toMatchObject(isRefused);
      expect((await refresh(cookies)).status).toBe(401);
    }
    expect(await list(admin.token)).toMatchObject([{ current: true }]);
    expect(await list(colleague.token)).toHaveLength(1);
    const events = await app.app.db.asCompany(company.id, (tx) => tx.select().from(auditEvents));
    expect(events.find(({ action }) => action === 'other-sessions-ended')?.details).toEqual({ sessions: 2 });
  });

  test('all others are ended while somebody else ends them in the order of their ids', async () => {
    const { company, admin } = await app.signUp();
    const begun: string[] = [];
    // Until one that began later comes before an earlier one.
    let turned: [later: string, earlier: string] | undefined;
    while (!turned) {
      const { sessionId = '' } = (await sessionOf((await signInBy(admin.email)).token)) ?? {};
      const earlier = begun.find((each) => each > sessionId);
      if (earlier) turned = [sessionId, earlier];
      begun.push(sessionId);
    }
    const end = (id: string) => (tx: Tx) => tx.update(sessions).set({ endedAt: new Date() }).where(eq(sessions.id, id));
    const endAll = () => app.call('endOtherSessions', null, { token: admin.token });
    const [first, next] = turned;
    expect(await meanwhile(app.app.db, company.id, endAll, [end(first), end(next)])).toBe('done');
    expect(await list(admin.token)).toMatchObject([{ current: true }]);
  });

  test('signing out and a new password take sessions off the list', async () => {
    const { admin } = await app.signUp();
    const { cookies } = await signInBy(admin.email);
    await app.fetch('/v1/signOut', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cookies },
      body: '{"data":null}',
    });
    expect(await list(admin.token)).toHaveLength(1);
    await signInBy(admin.email);
    const { idToken } = await app.call(
      'changePassword',
      { currentPassword: goodPassword, newPassword: another },
      { token: admin.token },
    );
    expect(await list(idToken)).toMatchObject([{ current: true }]);
  });

  test('that began before they were written down are ended with the others', async () => {
    const { admin } = await app.signUp();
    const other = await signInBy(admin.email);
    const { sessionId = '' } = (await sessionOf(other.token)) ?? {};
    await app.app.db.asSystem((tx) => tx.delete(sessions).where(eq(sessions.id, sessionId)));
    expect((await app.call('getSession', null, { token: other.token })).user.uid).toBe(admin.uid);
    await app.call('endOtherSessions', null, { token: admin.token });
    await expect(app.call('getSession', null, { token: other.token })).rejects.toMatchObject(isRefused);
    expect((await refresh(other.cookies)).status).toBe(401);
  });

  test('a sign-in in a browser that is not known is mailed; not the first, not in one that is, not who does not want it', async () => {
    const { company, admin } = await app.signUp();
    const mailsTo = async (email: string) => {
      await app.idle();
      const mails = (await (await app.fetch('/dev/outbox.json')).json()) as {
        to: string;
        subject: string;
        text: string;
      }[];
      return mails.filter(({ to, subject }) => to === email && /sign-in|Anmeldung bei/.test(subject));
    };
    expect(await mailsTo(admin.email)).toEqual([]);
    const { cookies } = await signInBy(admin.email);
    const [mail, ...more] = await mailsTo(admin.email);
    expect(more).toEqual([]);
    for (const part of ['Firefox on Windows', '127.0.0.1', 'UTC']) expect(mail?.text).toContain(part);
    await signInBy(admin.email, { cookies });
    expect(await mailsTo(admin.email)).toHaveLength(1);
    const member = await app.addMember(company);
    await app.call('setSignInMails', { enabled: false }, { token: member.token });
    expect((await app.call('getAccountSecurity', null, { token: member.token })).signInMails).toBe(false);
    await signInBy(member.email);
    expect(await mailsTo(member.email)).toEqual([]);
    await app.call('updateCompany', { mailLanguage: 'de' }, { token: admin.token });
    // However often: somebody who signs in by a program is not buried in mails.
    for (let i = 0; i < 7; i += 1) await signInBy(admin.email, { agent: 'curl/8.5.0' });
    const all = await mailsTo(admin.email);
    expect(all).toHaveLength(5);
    expect(all.filter(({ subject, text }) => /Anmeldung bei/.test(subject) && /Browser: curl/.test(text))).toHaveLength(
      4,
    );
  });
});
