import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { createLimits } from '#server/calls/limits.ts';
import { eq } from '#server/db/drizzle.ts';
import { auditEvents, companies, users } from '#server/db/schema.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword, leaveSignUpsUnconfirmed, uniqueEmail } from '#server/testing/factories.ts';
import { createConfirmation } from './confirmation.ts';
import { endUnconfirmed } from './unconfirmed.ts';

const another = 'copper lanterns hum 48';
const day = 86_400_000;

let app: TestApp;
let paying: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  paying = await startTestApp({ billing: 'stripe' });
  for (const { app: each } of [app, paying]) await leaveSignUpsUnconfirmed(each.db);
});
afterAll(async () => {
  await app.close();
  await paying.close();
});

interface OutboxMail {
  to: string;
  subject: string;
  text: string;
}

async function mailsTo(email: string, of = app): Promise<OutboxMail[]> {
  await of.idle();
  const all = (await (await of.fetch('/dev/outbox.json')).json()) as OutboxMail[];
  return all.filter(({ to }) => to === email);
}

async function codeTo(email: string, name: 'confirmCode' | 'oobCode', of = app): Promise<string> {
  const codes = (await mailsTo(email, of)).map(({ text }) => new RegExp(`${name}=(\\S+)`).exec(text)?.[1]);
  return codes.find((code) => code !== undefined) ?? '';
}

async function confirmed(of = app) {
  const made = await of.signUp();
  await of.call('confirmEmail', { code: await codeTo(made.admin.email, 'confirmCode', of) });
  return made;
}

const invite = (company: { id: string }, token: string, email = uniqueEmail('invited'), of = app) =>
  of.call('inviteUser', { email, companyId: company.id }, { token });
const isConfirmed = async (token: string) => (await app.call('getSession', null, { token })).user.emailConfirmed;

describe('the address of whoever signs up', () => {
  test('is confirmed by the mailed link before the first invitation, and nothing else waits for it', async () => {
    const { company, admin, token } = await app.signUp();
    expect(await isConfirmed(token)).toBe(false);
    await expect(invite(company, token)).rejects.toMatchObject({ code: 'email-not-confirmed' });
    await createClient(app.url, token).upload('Rules.txt', Buffer.from('The key hangs behind the door.\n'));
    const [mail] = await mailsTo(admin.email);
    expect(mail?.subject).toBe('Confirm your email for Footnote');
    expect(mail?.text).toMatch(/http:\/\/footnote\.localhost\/login\?confirmCode=[\w-]{43}\s/);
    expect(mail?.text).toContain('ends after 7 days');
    const code = await codeTo(admin.email, 'confirmCode');
    expect(await app.call('confirmEmail', { code })).toBeNull();
    expect(await isConfirmed(token)).toBe(true);
    await expect(invite(company, token)).resolves.toHaveProperty('message');
    // A link is opened twice, and by programs that look at it.
    await expect(app.call('confirmEmail', { code })).resolves.toBeNull();
    const events = await app.app.db.asCompany(company.id, (tx) => tx.select().from(auditEvents));
    expect(events.filter(({ action }) => action === 'email-confirmed')).toHaveLength(1);
  });

  test('is asked for with every way to invite, each person for itself', async () => {
    const { token } = await app.signUp();
    const { results } = await app.call('inviteUsers', { emails: [uniqueEmail(), uniqueEmail()] }, { token });
    for (const { invited, message } of results) {
      expect([invited, message]).toEqual([false, expect.stringContaining('confirm your email')]);
    }
  });

  test('is not confirmed by a code that is made up, of another kind, or over', async () => {
    const { admin, token } = await app.signUp();
    await app.call('sendPasswordReset', { email: admin.email });
    const reset = await codeTo(admin.email, 'oobCode');
    for (const code of ['made-up', reset]) {
      await expect(app.call('confirmEmail', { code })).rejects.toMatchObject({ code: 'invalid-confirmation-code' });
    }
    const code = await codeTo(admin.email, 'confirmCode');
    await expect(app.call('verifyResetCode', { oobCode: code })).rejects.toMatchObject({ code: 'invalid-code' });
    const setting = app.call('confirmPasswordReset', { oobCode: code, newPassword: another });
    await expect(setting).rejects.toMatchObject({ code: 'invalid-code' });
    const { db, jobs } = app.app;
    const { confirmEmail } = createConfirmation({
      db,
      jobs,
      limits: createLimits(db),
      config: app.config,
      sendMail: async () => {},
      clock: () => new Date(Date.now() + 7 * day),
    });
    await expect(confirmEmail({ code }, { ip: '192.0.2.1', device: undefined })).rejects.toMatchObject({
      code: 'invalid-confirmation-code',
    });
    expect(await isConfirmed(token)).toBe(false);
  });

  test('gets the link again, a few times an hour, and no longer once it is confirmed', async () => {
    const { admin, token } = await app.signUp();
    expect(await mailsTo(admin.email)).toHaveLength(1);
    for (let time = 0; time < 5; time += 1) await app.call('sendEmailConfirmation', null, { token });
    await expect(app.call('sendEmailConfirmation', null, { token })).rejects.toMatchObject({
      code: 'too-many-requests',
    });
    expect(await mailsTo(admin.email)).toHaveLength(6);
    const other = await confirmed();
    await app.call('sendEmailConfirmation', null, { token: other.token });
    expect(await mailsTo(other.admin.email)).toHaveLength(1);
  });

  test('is confirmed by a password reset, and of who was invited by coming in', async () => {
    const { admin } = await app.signUp();
    await app.call('sendPasswordReset', { email: admin.email });
    const oobCode = await codeTo(admin.email, 'oobCode');
    await app.call('confirmPasswordReset', { oobCode, newPassword: another });
    const { idToken } = await app.call('signIn', { email: admin.email, password: another });
    expect(await isConfirmed(idToken)).toBe(true);

    const { company, token } = await confirmed();
    const email = uniqueEmail();
    await invite(company, token, email);
    await app.call('confirmPasswordReset', { oobCode: await codeTo(email, 'oobCode'), newPassword: another });
    const member = await app.call('signIn', { email, password: another });
    expect(await isConfirmed(member.idToken)).toBe(true);
  });
});

describe('an invitation by a confirmed company', () => {
  const accept = async (email: string) =>
    app.call('confirmPasswordReset', { oobCode: await codeTo(email, 'oobCode'), newPassword: another });
  const companyThere = async (id: string) =>
    (await app.app.db.asSystem((tx) => tx.select().from(companies).where(eq(companies.id, id)))).length === 1;
  const listed = async (of: { token: string }, email: string) =>
    (await app.call('listUsers', null, of)).find((person) => person.email === email)?.state;

  test('comes before an account that nobody has confirmed, which ends when the person comes in', async () => {
    const squatter = await app.signUp();
    const { email } = squatter.admin;
    const real = await confirmed();
    await invite(real.company, real.token, email);
    // Until the owner of the address has said so, nothing is taken from whoever has signed up.
    await expect(app.call('getSession', null, { token: squatter.token })).resolves.toBeDefined();
    const oobCode = await codeTo(email, 'oobCode');
    expect(await app.call('verifyResetCode', { oobCode })).toEqual({ email, purpose: 'invite' });
    expect(await companyThere(squatter.company.id)).toBe(true);
    await accept(email);
    expect(await companyThere(squatter.company.id)).toBe(false);
    const { user } = await app.call('signIn', { email, password: another });
    expect(user).toMatchObject({ companyId: real.company.id, role: 'member' });
    await expect(app.call('signIn', { email, password: goodPassword })).rejects.toMatchObject({
      code: 'invalid-credentials',
    });
    await expect(app.call('getSession', null, { token: squatter.token })).rejects.toMatchObject({
      code: 'session-expired',
    });
    expect(await listed(real, email)).toBe('active');
    await expect(accept(email)).rejects.toMatchObject({ code: 'invalid-code' });
  });

  test('sent again has a fresh link, and the earlier one ends', async () => {
    const squatter = await app.signUp();
    const { email } = squatter.admin;
    const real = await confirmed();
    await invite(real.company, real.token, email);
    const earlier = await codeTo(email, 'oobCode');
    await invite(real.company, real.token, email);
    expect(await codeTo(email, 'oobCode')).not.toBe(earlier);
    await expect(app.call('verifyResetCode', { oobCode: earlier })).rejects.toMatchObject({ code: 'invalid-code' });
    await accept(email);
    expect(await listed(real, email)).toBe('active');
  });

  test('gives way to an owner who confirms the account instead', async () => {
    const first = await app.signUp();
    const { email } = first.admin;
    const other = await confirmed();
    await invite(other.company, other.token, email);
    const oobCode = await codeTo(email, 'oobCode');
    await app.call('confirmEmail', { code: await codeTo(email, 'confirmCode') });
    expect(await listed(other, email)).toBeUndefined();
    const late = app.call('confirmPasswordReset', { oobCode, newPassword: another });
    await expect(late).rejects.toMatchObject({ code: 'invalid-code' });
    await expect(app.call('getSession', null, { token: first.token })).resolves.toBeDefined();
    await expect(invite(other.company, other.token, email)).rejects.toMatchObject({ code: 'email-not-invitable' });
  });

  test('does not come before one who has paid, nor before the invitation of another', async () => {
    const payer = await paying.signUp();
    await paying.setSubscription(payer.company.id, { state: 'active', plan: 'basic' });
    const other = await confirmed(paying);
    await paying.setSubscription(other.company.id, { state: 'active', plan: 'basic' });
    const asOther = (email: string) => invite(other.company, other.token, email, paying);
    await expect(asOther(payer.admin.email)).rejects.toMatchObject({ code: 'email-not-invitable' });
    const third = await confirmed(paying);
    await paying.setSubscription(third.company.id, { state: 'active', plan: 'basic' });
    const email = uniqueEmail();
    await asOther(email);
    await expect(invite(third.company, third.token, email, paying)).rejects.toMatchObject({
      code: 'email-not-invitable',
    });
  });
});

test('a company that has not paid yet sends 20 invitations a day', async () => {
  const { company, token } = await confirmed(paying);
  await paying.setSubscription(company.id, { state: 'trialing', plan: 'enterprise' });
  const emails = Array.from({ length: 22 }, () => uniqueEmail('invited'));
  const { results } = await paying.call('inviteUsers', { emails }, { token });
  expect(results.filter(({ invited }) => invited)).toHaveLength(20);
  expect(results.at(-1)?.message).toBe('Until the first payment, 20 invitations a day can be sent.');
  await paying.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
  await expect(invite(company, token, emails.at(-1), paying)).resolves.toHaveProperty('message');
});

describe('an account that nobody confirms or pays for', () => {
  async function endAfter(days: number, of = app): Promise<void> {
    const { db, jobs } = of.app;
    await endUnconfirmed({ db, jobs, clock: () => new Date(Date.now() + days * day) });
    await of.idle();
  }
  const there = async ({ admin }: { admin: Person }, of = app) =>
    (await of.app.db.asSystem((tx) => tx.select().from(users).where(eq(users.id, admin.uid)))).length === 1;

  /** Everything on the disk that carries the company's id. */
  async function wordsOf({ company }: { company: { id: string } }): Promise<string> {
    const all = await readdir(app.config.dataDir, { recursive: true, withFileTypes: true });
    const own = all.filter((each) => each.isFile() && join(each.parentPath, each.name).includes(company.id));
    return (await Promise.all(own.map((each) => readFile(join(each.parentPath, each.name), 'latin1')))).join();
  }

  test('ends after 7 days with its company and all that is in it, and the address is free again', async () => {
    const lost = await app.signUp();
    const kept = await confirmed();
    for (const { token } of [lost, kept]) {
      await createClient(app.url, token).upload('Rules.txt', Buffer.from('The key hangs behind the door.\n'));
    }
    await app.idle();
    expect(await wordsOf(lost)).toContain('behind the door');
    await endAfter(6.9);
    expect(await there(lost)).toBe(true);
    await endAfter(7.1);
    expect([await there(lost), await there(kept)]).toEqual([false, true]);
    expect(await wordsOf(lost)).not.toContain('behind the door');
    expect(await wordsOf(kept)).toContain('behind the door');
    await expect(app.call('getSession', null, { token: lost.token })).rejects.toMatchObject({
      code: 'session-expired',
    });
    const again = await app.signUp({ email: lost.admin.email, password: another });
    expect(await there(again)).toBe(true);
  });

  test('but not with a subscription, be it on trial or granted', async () => {
    const [trial, granted, none] = [await paying.signUp(), await paying.signUp(), await paying.signUp()];
    await paying.setSubscription(trial.company.id, { state: 'trialing', plan: 'basic' });
    await paying.app.db.asSystem((tx) =>
      tx.execute(
        `insert into subscriptions (company_id, state, granted_plan) values ('${granted.company.id}', 'none', 'enterprise')`,
      ),
    );
    await endAfter(8, paying);
    expect(await Promise.all([trial, granted, none].map((each) => there(each, paying)))).toEqual([true, true, false]);
  });

  test('and leaves no payment page open', async () => {
    const made = await paying.signUp({ priceId: 'basic_annual' });
    const { url } = await paying.call('createCheckoutSession', { priceId: 'basic_annual' }, { token: made.token });
    expect(await (await fetch(url)).text()).toContain('card_number');
    await endAfter(8, paying);
    expect(await there(made, paying)).toBe(false);
    expect(await (await fetch(url)).text()).not.toContain('card_number');
  });
});
