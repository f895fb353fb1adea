import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq } from '#server/db/drizzle.ts';
import { auditEvents, users } from '#server/db/schema.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword, insertUser, uniqueEmail } from '#server/testing/factories.ts';

const day = 86_400_000;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe' });
});
afterAll(() => app.close());

interface Company {
  id: string;
  admin: Person;
  token: string;
}

async function newCompany(plan: 'basic' | 'professional' | 'enterprise' = 'professional'): Promise<Company> {
  const { company, admin, token } = await app.signUp();
  await app.setSubscription(company.id, { state: 'active', plan });
  return { id: company.id, admin, token };
}

const invite = ({ id, token }: Company, email: string, role?: 'admin' | 'member') =>
  app.call('inviteUser', { email, companyId: id, ...(role && { role }) }, { token });
const list = ({ token }: Company) => app.call('listUsers', null, { token });
const confirm = (oobCode: string) => app.call('confirmPasswordReset', { oobCode, newPassword: goodPassword });

async function personOf(company: Company, email: string) {
  const person = (await list(company)).find((each) => each.email === email);
  if (!person) throw new Error(`${email} is not in the company`);
  return person;
}

/** Mails to the address, newest first, as a script reads them. */
async function mailsTo(email: string): Promise<{ to: string; subject: string; text: string; html: string }[]> {
  await app.idle();
  const all = (await (await app.fetch('/dev/outbox.json')).json()) as Awaited<ReturnType<typeof mailsTo>>;
  return all.filter(({ to }) => to === email);
}

async function newestCode(email: string): Promise<string> {
  const [mail] = await mailsTo(email);
  const link = /http:\/\/footnote\.localhost\/login\?oobCode=\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  return new URL(link).searchParams.get('oobCode') ?? '';
}

async function expireInvitation(email: string): Promise<void> {
  const invitationExpiresAt = new Date(Date.now() - 1000);
  await app.app.db.asSystem((tx) => tx.update(users).set({ invitationExpiresAt }).where(eq(users.email, email)));
}

describe('an invited person who asks for a new link', () => {
  const ask = (email: string) => app.call('sendPasswordReset', { email });

  test('gets the invitation again, with a link that works', async () => {
    const company = await newCompany();
    const email = uniqueEmail('lost');
    await invite(company, email);
    const first = await newestCode(email);
    const { invitationExpiresAt } = await personOf(company, email);
    await ask(email);
    const mails = await mailsTo(email);
    expect(mails.map(({ subject }) => subject)).toEqual(['You are invited to Footnote', 'You are invited to Footnote']);
    expect(mails[0]?.text).toContain('You are invited to join the company “Example Company”');
    const second = await newestCode(email);
    await expect(confirm(first)).rejects.toMatchObject({ code: 'invalid-code' });
    expect(await app.call('verifyResetCode', { oobCode: second })).toEqual({ email, purpose: 'invite' });
    // Asking does not hold the seat any longer than the admin has meant.
    expect((await personOf(company, email)).invitationExpiresAt).toBe(invitationExpiresAt);
    await confirm(second);
    expect(await personOf(company, email)).toMatchObject({ state: 'active' });
  });

  test('whose invitation is over is told so, and takes no seat', async () => {
    const company = await newCompany();
    const email = uniqueEmail('late');
    await invite(company, email);
    await mailsTo(email);
    await expireInvitation(email);
    await ask(email);
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toBe('Your invitation to Footnote has expired');
    expect(mail?.text).not.toContain('oobCode');
    expect(await personOf(company, email)).toMatchObject({ state: 'expired' });
  });
});

describe('an invitation', () => {
  test('mails a link that lets the person in', async () => {
    const company = await newCompany();
    const email = uniqueEmail('new');
    const { message } = await invite(company, ` ${email.toUpperCase()} `);
    expect(message).toBe(`Invitation sent to "${email}".`);
    const person = await personOf(company, email);
    expect(person).toMatchObject({ role: 'member', state: 'invited' });
    const days = (new Date(person.invitationExpiresAt ?? 0).getTime() - Date.now()) / day;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);

    const [mail] = await mailsTo(email);
    expect(mail?.subject).toBe('You are invited to Footnote');
    expect(mail?.text).toContain(`${company.admin.email} invites you to join the company “Example Company”`);
    const oobCode = await newestCode(email);
    expect(mail?.html).toContain(`href="http://footnote.localhost/login?oobCode=${oobCode}"`);
    expect(await app.call('verifyResetCode', { oobCode })).toEqual({ email, purpose: 'invite' });
    await confirm(oobCode);
    const { idToken, user } = await app.call('signIn', { email, password: goodPassword });
    expect(user).toMatchObject({ uid: person.uid, role: 'member', companyId: company.id });
    const session = await app.call('getSession', null, { token: idToken });
    expect(session.subscription).toMatchObject({ seats: 25, seatsUsed: 2 });
    expect(await personOf(company, email)).toMatchObject({ state: 'active', lastSignInAt: expect.any(String) });
    await expect(confirm(oobCode)).rejects.toMatchObject({ code: 'invalid-code' });
  });

  test('sent again ends the earlier link, and keeps the seat and the role', async () => {
    const company = await newCompany();
    const email = uniqueEmail();
    await invite(company, email, 'admin');
    const first = await newestCode(email);
    const { uid } = await personOf(company, email);
    await app.call('resendInvitation', { uid }, company);
    const second = await newestCode(email);
    await invite(company, email);
    const third = await newestCode(email);
    expect(new Set([first, second, third]).size).toBe(3);
    for (const ended of [first, second]) await expect(confirm(ended)).rejects.toMatchObject({ code: 'invalid-code' });
    expect(await list(company)).toHaveLength(2);
    expect(await personOf(company, email)).toMatchObject({ uid, role: 'admin', state: 'invited' });
    await confirm(third);
  });

  test('takes another role when it is given one', async () => {
    const company = await newCompany();
    const email = uniqueEmail();
    await invite(company, email);
    await invite(company, email, 'admin');
    await confirm(await newestCode(email));
    expect(await app.call('signIn', { email, password: goodPassword })).toMatchObject({ user: { role: 'admin' } });
  });

  test('withdrawn has a link that is worth nothing, and can be made again', async () => {
    const company = await newCompany();
    const email = uniqueEmail();
    await invite(company, email);
    const oobCode = await newestCode(email);
    const { uid } = await personOf(company, email);
    const { message } = await app.call('withdrawInvitation', { uid }, company);
    expect(message).toBe(`Invitation for "${email}" withdrawn.`);
    await expect(confirm(oobCode)).rejects.toMatchObject({ code: 'invalid-code' });
    expect(await list(company)).toHaveLength(1);
    await invite(company, email);
    await confirm(await newestCode(email));
  });

  test('withdrawn at once lets nobody in, whether its mail had been written or not', async () => {
    const company = await newCompany();
    const email = uniqueEmail();
    await invite(company, email);
    await app.call('withdrawInvitation', { uid: (await personOf(company, email)).uid }, company);
    for (const { text } of await mailsTo(email)) {
      const oobCode = /oobCode=(\S+)/.exec(text)?.[1] ?? '';
      await expect(confirm(oobCode)).rejects.toMatchObject({ code: 'invalid-code' });
    }
    expect(await list(company)).toHaveLength(1);
  });

  test('that has expired shows as such, lets nobody in, and is opened by sending it again', async () => {
    const company = await newCompany();
    const email = uniqueEmail();
    await invite(company, email);
    const old = await newestCode(email);
    await expireInvitation(email);
    const { uid, state } = await personOf(company, email);
    expect(state).toBe('expired');
    await expect(confirm(old)).rejects.toMatchObject({ code: 'invalid-code' });
    await app.call('resendInvitation', { uid }, company);
    // Made with the new mail, a moment later.
    const anew = await newestCode(email);
    await expect(confirm(old)).rejects.toMatchObject({ code: 'invalid-code' });
    await confirm(anew);
  });

  test('is refused for an e-mail of another company in the same words as nobody could guess from', async () => {
    const company = await newCompany();
    const other = await newCompany();
    const invited = uniqueEmail();
    await invite(other, invited);
    for (const email of [other.admin.email, invited]) {
      const refused = invite(company, email);
      await expect(refused).rejects.toMatchObject({
        code: 'email-not-invitable',
        message: 'This email cannot be invited.',
      });
    }
    expect(await mailsTo(other.admin.email)).toEqual([]);
    expect(await list(company)).toHaveLength(1);
  });

  test('is refused for who is in the team, and into another company', async () => {
    const company = await newCompany();
    const other = await newCompany();
    await expect(invite(company, company.admin.email)).rejects.toMatchObject({ code: 'already-in-team' });
    const foreign = app.call('inviteUser', { email: uniqueEmail(), companyId: other.id }, company);
    await expect(foreign).rejects.toMatchObject({ code: 'permission-denied' });
    expect(await list(other)).toHaveLength(1);
  });

  test('with another role than member needs the plan that has roles', async () => {
    const company = await newCompany('basic');
    const details = { plan: 'professional' };
    const refusal = { code: 'feature-not-in-plan', details: expect.objectContaining(details) };
    await expect(invite(company, uniqueEmail(), 'admin')).rejects.toMatchObject(refusal);
    await invite(company, uniqueEmail(), 'member');
    const many = app.call('inviteUsers', { emails: [uniqueEmail()] }, company);
    await expect(many).rejects.toMatchObject(refusal);
    expect((await list(company)).every((person) => !('lastSignInAt' in person))).toBe(true);
  });

  test.each([
    'ann@example.com\r\nBcc: eve@example.org',
    'ann@example.com, eve@example.org',
    'Eve <eve@example.org>',
    'ann@example.com\0',
    'ann@ex\u2028ample.com',
    '"a b"@example.com',
    `${'x'.repeat(250)}@example.com`,
    'ann',
    '',
  ])('is refused for %j, and nothing is mailed', async (email) => {
    const company = await newCompany();
    await expect(invite(company, email)).rejects.toMatchObject({ code: 'invalid-input' });
    const { results } = await app.call('inviteUsers', { emails: [email.slice(0, 250)] }, company);
    expect(results).toMatchObject([{ invited: false, message: 'Please enter a valid email address.' }]);
    expect(await list(company)).toHaveLength(1);
    expect(await mailsTo('eve@example.org')).toEqual([]);
  });
});

test('many are invited each for itself, whatever is wrong with some', async () => {
  const company = await newCompany('professional');
  const other = await newCompany();
  const [one, two] = [uniqueEmail(), uniqueEmail()];
  const { results } = await app.call(
    'inviteUsers',
    { emails: [one, 'nonsense', company.admin.email, other.admin.email, one.toUpperCase(), two], role: 'admin' },
    company,
  );
  expect(results).toEqual([
    { email: one, invited: true, message: `Invitation sent to "${one}".` },
    { email: 'nonsense', invited: false, message: 'Please enter a valid email address.' },
    { email: company.admin.email, invited: false, message: 'This person is already in your company.' },
    { email: other.admin.email, invited: false, message: 'This email cannot be invited.' },
    { email: two, invited: true, message: `Invitation sent to "${two}".` },
  ]);
  expect(await mailsTo(one)).toHaveLength(1);
  expect(await personOf(company, two)).toMatchObject({ role: 'admin', state: 'invited' });
});

describe('seats', () => {
  test('of 50 invitations at once into one free seat exactly one is taken', async () => {
    const company = await newCompany('basic');
    for (let i = 0; i < 8; i += 1) await insertUser(app.app.db, company.id);
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => invite(company, uniqueEmail())));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of all) {
      if (each.status === 'fulfilled') continue;
      expect(each.reason).toMatchObject({
        code: 'seats-used-up',
        status: 'FAILED_PRECONDITION',
        details: { seats: 10, plan: 'professional' },
      });
    }
    expect(await list(company)).toHaveLength(10);
  });

  test('a plan with fewer than are used removes nobody, and invites nobody', async () => {
    const company = await newCompany('professional');
    for (let i = 0; i < 12; i += 1) await insertUser(app.app.db, company.id);
    const pending = uniqueEmail();
    await invite(company, pending);
    await app.setSubscription(company.id, { state: 'active', plan: 'basic' });
    await expect(invite(company, uniqueEmail())).rejects.toMatchObject({ code: 'seats-used-up' });
    expect(await list(company)).toHaveLength(14);
    // Whoever holds a seat keeps it: the link can be sent again, and lets in.
    await invite(company, pending);
    await confirm(await newestCode(pending));
    const { user } = await app.call('signIn', { email: pending, password: goodPassword });
    expect(user.companyId).toBe(company.id);
  });

  test('an expired invitation frees its seat, and needs a free one to come back', async () => {
    const company = await newCompany('basic');
    for (let i = 0; i < 8; i += 1) await insertUser(app.app.db, company.id);
    const [first, second] = [uniqueEmail(), uniqueEmail()];
    await invite(company, first);
    await expect(invite(company, second)).rejects.toMatchObject({ code: 'seats-used-up' });
    await expireInvitation(first);
    await invite(company, second);
    const { uid } = await personOf(company, first);
    const full = { code: 'seats-used-up' };
    await expect(app.call('resendInvitation', { uid }, company)).rejects.toMatchObject(full);
    await expect(invite(company, first)).rejects.toMatchObject(full);
    await app.call('withdrawInvitation', { uid: (await personOf(company, second)).uid }, company);
    await app.call('resendInvitation', { uid }, company);
  });
});

describe('removing', () => {
  test("ends the person's tokens and sessions at once, and frees the e-mail", async () => {
    const company = await newCompany();
    const member = await app.addMember(company);
    await app.call('getSession', null, member);
    const { message } = await app.call('deleteUser', { userIdToDelete: member.uid }, company);
    expect(message).toBe('User successfully removed.');
    await expect(app.call('getSession', null, member)).rejects.toMatchObject({ status: 'UNAUTHENTICATED' });
    const signIn = app.call('signIn', { email: member.email, password: goodPassword });
    await expect(signIn).rejects.toMatchObject({ code: 'invalid-credentials' });
    const other = await newCompany();
    await invite(other, member.email);
    await confirm(await newestCode(member.email));
  });

  test('is never done to oneself, and answers foreign ids like unknown ones', async () => {
    const company = await newCompany();
    const other = await newCompany();
    const own = app.call('deleteUser', { userIdToDelete: company.admin.uid }, company);
    await expect(own).rejects.toMatchObject({ code: 'own-account' });
    for (const uid of [other.admin.uid, randomUUID()]) {
      const code = 'user-not-found';
      await expect(app.call('deleteUser', { userIdToDelete: uid }, company)).rejects.toMatchObject({ code });
      await expect(app.call('setUserRole', { uid, role: 'member' }, company)).rejects.toMatchObject({ code });
      await expect(app.call('resendInvitation', { uid }, company)).rejects.toMatchObject({ code });
      await expect(app.call('withdrawInvitation', { uid }, company)).rejects.toMatchObject({ code });
    }
    expect(await list(other)).toHaveLength(1);
  });

  test('of each other by two admins at once leaves one', async () => {
    const company = await newCompany();
    const second = await app.addMember(company, { role: 'admin' });
    const both = await Promise.allSettled([
      app.call('deleteUser', { userIdToDelete: second.uid }, company),
      app.call('deleteUser', { userIdToDelete: company.admin.uid }, second),
    ]);
    const left = await app.app.db.asSystem((tx) => tx.select().from(users).where(eq(users.companyId, company.id)));
    expect(left).toHaveLength(1);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a role', () => {
  test('changed refuses the token of before, and the next one has it', async () => {
    const company = await newCompany();
    const member = await app.addMember(company);
    const { message } = await app.call('setUserRole', { uid: member.uid, role: 'admin' }, company);
    expect(message).toBe(`"${member.email}" is now an admin.`);
    await expect(app.call('getSession', null, member)).rejects.toMatchObject({ code: 'session-expired' });
    const { idToken } = await app.call('signIn', { email: member.email, password: goodPassword });
    expect(await app.call('listUsers', null, { token: idToken })).toHaveLength(2);
    await app.call('setUserRole', { uid: member.uid, role: 'member' }, company);
    const old = app.call('listUsers', null, { token: idToken });
    await expect(old).rejects.toMatchObject({ status: 'UNAUTHENTICATED' });
  });

  test('is never taken from the last admin, also not with an invited one beside', async () => {
    const company = await newCompany();
    await invite(company, uniqueEmail(), 'admin');
    const { uid } = company.admin;
    const demote = app.call('setUserRole', { uid, role: 'member' }, company);
    await expect(demote).rejects.toMatchObject({ code: 'last-admin' });
    const second = await app.addMember(company, { role: 'admin' });
    const both = await Promise.allSettled([
      app.call('setUserRole', { uid: second.uid, role: 'member' }, company),
      app.call('setUserRole', { uid, role: 'member' }, second),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('given again changes nothing', async () => {
    const company = await newCompany();
    const member = await app.addMember(company);
    await app.call('setUserRole', { uid: member.uid, role: 'member' }, company);
    await app.call('getSession', null, member);
    const events = await app.app.db.asCompany(company.id, (tx) => tx.select().from(auditEvents));
    expect(events.map(({ action }) => action)).not.toContain('role-changed');
  });
});
