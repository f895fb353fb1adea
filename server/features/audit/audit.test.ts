import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { eq } from '#server/db/drizzle.ts';
import { auditEvents } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';
import { audit } from './audit.ts';
import { clearAudit } from './seal.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function eventsOf({ id }: { id: string }) {
  await app.idle();
  const events = await app.app.db.asCompany(id, (tx) => tx.select().from(auditEvents).orderBy(auditEvents.at));
  return events.map(({ action, actorId, actorEmail, target, details, ip, via }) => ({
    action,
    actorId,
    actorEmail,
    target,
    details,
    ip,
    via,
  }));
}

async function newestCode(email: string): Promise<string> {
  await app.idle();
  const mails = (await (await app.fetch('/dev/outbox.json')).json()) as { to: string; text: string }[];
  return /oobCode=(\S+)/.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[1] ?? '';
}

const ip = '127.0.0.1';

describe('the audit log', () => {
  test('tells of sign-up, sign-ins, wrong passwords and sign-outs', async () => {
    const { company, admin } = await app.signUp({ companyName: 'Acme' });
    const wrong = app.call('signIn', { email: admin.email, password: 'not the password' });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-credentials' });
    await app.idle();
    const signIn = await post('signIn', { email: admin.email, password: goodPassword });
    const cookie = /footnote_refresh=[^;]+/.exec(signIn.headers.get('set-cookie') ?? '')?.[0] ?? '';
    await post('signOut', null, { cookie });
    await post('signOut', null, { cookie });
    const by = { actorId: admin.uid, actorEmail: admin.email, ip };
    expect(await eventsOf(company)).toEqual([
      { ...by, action: 'signed-up', target: 'Acme', details: {}, via: 'visitor' },
      { ...by, action: 'signed-in', target: null, details: {}, via: 'password' },
      {
        actorId: null,
        actorEmail: null,
        ip,
        action: 'sign-in-failed',
        target: admin.email,
        details: {},
        via: 'password',
      },
      { ...by, action: 'signed-in', target: null, details: {}, via: 'password' },
      { ...by, action: 'signed-out', target: null, details: {}, via: 'session' },
    ]);
  });

  test('has nothing of an e-mail that nobody has', async () => {
    const count = () => app.app.db.asSystem(async (tx) => (await tx.select().from(auditEvents)).length);
    await app.idle();
    const before = await count();
    await app.call('signIn', { email: uniqueEmail(), password: 'x' }).catch(() => {});
    await app.call('sendPasswordReset', { email: uniqueEmail() });
    await app.idle();
    expect(await count()).toBe(before);
  });

  test('tells of passwords that were asked to be reset, and were', async () => {
    const { company, admin } = await app.signUp();
    await app.call('sendPasswordReset', { email: admin.email });
    const oobCode = await newestCode(admin.email);
    await app.call('confirmPasswordReset', { oobCode, newPassword: goodPassword });
    const [, , asked, changed] = await eventsOf(company);
    expect(asked).toMatchObject({ action: 'password-reset-asked', actorId: null, target: admin.email, ip });
    expect(changed).toMatchObject({ action: 'password-changed', actorId: admin.uid, ip });
  });

  test('tells of invitations, those who came in, roles and removals, by the e-mail that they had', async () => {
    const { company, admin, token } = await app.signUp();
    const email = uniqueEmail();
    await app.call('inviteUser', { email, companyId: company.id, role: 'admin' }, { token });
    // Mails that are on their way at once may overtake each other, and the code of the first ends with the second.
    await app.idle();
    await app.call('inviteUser', { email, companyId: company.id }, { token });
    await app.call('confirmPasswordReset', { oobCode: await newestCode(email), newPassword: goodPassword });
    const users = await app.call('listUsers', null, { token });
    const uid = users.find((user) => user.email === email)?.uid ?? '';
    await app.call('setUserRole', { uid, role: 'member' }, { token });
    await app.call('deleteUser', { userIdToDelete: uid }, { token });
    const by = { actorId: admin.uid, actorEmail: admin.email, target: email, ip, via: 'session' };
    expect((await eventsOf(company)).slice(2)).toEqual([
      { ...by, action: 'invitation-sent', details: { role: 'admin' } },
      { ...by, action: 'invitation-sent', details: { role: 'admin', again: true } },
      {
        actorId: uid,
        actorEmail: email,
        target: null,
        ip,
        action: 'invitation-accepted',
        details: {},
        via: 'mailed-link',
      },
      { ...by, action: 'role-changed', details: { from: 'admin', to: 'member' } },
      { ...by, action: 'person-removed', details: {} },
    ]);
  });

  test('tells of files that came, were opened and went, and of questions, once each', async () => {
    const { company, admin, token } = await app.signUp();
    await createClient(app.url, token).upload('Größe.txt', Buffer.from('The door is green.\n'));
    await app.idle();
    const gsUri = `gs://${app.config.bucket}/${company.id}/Größe.txt`;
    await app.call('getFileLink', { gsUri }, { token });
    const history = [{ role: 'user' as const, parts: [{ text: 'Which colour has the door?' }] }];
    const { queryId, answered } = await app.call('query', { history }, { token });
    await app.call('deleteFile', { filePath: `${company.id}/Größe.txt` }, { token });
    await expect(app.call('deleteFile', { filePath: `${company.id}/Größe.txt` }, { token })).rejects.toThrow();
    const by = { actorId: admin.uid, actorEmail: admin.email, target: 'Größe.txt', ip, via: 'session' };
    expect((await eventsOf(company)).slice(2)).toEqual([
      { ...by, action: 'file-uploaded', details: { version: 1, size: 19 } },
      { ...by, action: 'file-opened', details: { version: 1 } },
      // Without its words.
      { ...by, action: 'question-asked', target: null, details: { queryId, answered } },
      { ...by, action: 'file-deleted', details: {} },
    ]);
  });

  test('is of one company alone', async () => {
    const ours = await app.signUp();
    const theirs = await app.signUp();
    const seen = await app.app.db.asCompany(ours.company.id, (tx) => tx.select().from(auditEvents));
    expect(new Set(seen.map(({ companyId }) => companyId))).toEqual(new Set([ours.company.id]));
    const by = { companyId: theirs.company.id, userId: ours.admin.uid, email: ours.admin.email };
    const forged = app.app.db.asCompany(ours.company.id, (tx) => audit(tx, { action: 'file-deleted', by }));
    await expect(forged).rejects.toMatchObject({ cause: { message: expect.stringContaining('row-level security') } });
  });

  test('does not have what was rolled back', async () => {
    const { company, admin } = await app.signUp();
    const by = { companyId: company.id, userId: admin.uid, email: admin.email };
    const rolledBack = app.app.db.asCompany(company.id, async (tx) => {
      await audit(tx, { action: 'file-deleted', by });
      throw new Error('back');
    });
    await expect(rolledBack).rejects.toThrow('back');
    expect((await eventsOf(company)).map(({ action }) => action)).toEqual(['signed-up', 'signed-in']);
  });

  test('goes back as far as is wanted', async () => {
    const { company } = await app.signUp();
    const ofCompany = eq(auditEvents.companyId, company.id);
    const at = new Date(Date.now() - 11 * 86_400_000);
    await app.app.db.asSystem((tx) => tx.update(auditEvents).set({ at }).where(ofCompany));
    await clearAudit(app.app.db, { days: 12 });
    expect(await eventsOf(company)).toHaveLength(2);
    await clearAudit(app.app.db, { days: 10 });
    expect(await eventsOf(company)).toEqual([]);
  });
});

function post(name: string, data: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return app.fetch(`/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ data }),
  });
}
