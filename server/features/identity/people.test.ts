import { randomUUID } from 'node:crypto';
import { UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { emailCodes } from '#server/db/schema.ts';
import { emulatorVerifier } from '#server/ports/identity/identity-toolkit/verifier.ts';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';
import { meanwhile } from '#server/testing/hold.ts';
import { here, startTestIdentity, type TestIdentity, unbilled, usersOf } from '#server/testing/identity.ts';
import { createAuthenticate } from './authenticate.ts';
import { clearEmailCodes, makeEmailCode } from './confirmation.ts';
import { requireInvitable } from './unconfirmed.ts';

const another = 'copper lanterns hum 48';
const day = 86_400_000;
let subject: TestIdentity;
// One each: the jobs of an earlier test must not use up the faults of a later one.
beforeEach(async () => {
  subject = await startTestIdentity();
});
afterEach(() => subject.close());

const signIn = (email: string, password = goodPassword) => subject.identity.signIn({ email, password }, here);
const confirm = (oobCode: string, newPassword = goodPassword) =>
  subject.identity.confirmPasswordReset({ oobCode, newPassword }, here);

async function newMember() {
  const { companyId } = await subject.newCompany();
  const { uid, email, code } = await subject.invite(companyId);
  await confirm(code);
  return { person: { companyId, uid }, email };
}

describe('someone invited', () => {
  test('sets a password with the code, is then active, and signs in with role and company in the token', async () => {
    const { companyId } = await subject.newCompany();
    const { uid, email, code } = await subject.invite(companyId, 'admin');
    await expect(signIn(email)).rejects.toMatchObject({ code: 'invalid-credentials' });
    expect(await subject.identity.verifyResetCode({ oobCode: code }, here)).toEqual({ email, purpose: 'invite' });
    expect(await confirm(code)).toMatchObject({ email });
    const { session } = await signIn(email);
    expect(session.user).toEqual({ uid, email, role: 'admin', companyId });
    expect(await subject.provider.verify(session.idToken)).toMatchObject({ uid, role: 'admin', companyId });
    await expect(confirm(code, another)).rejects.toMatchObject({ code: 'invalid-code' });
  });

  test.each(['asked to come in again', 'cleared with what is over'])(
    'has codes that are %s while others hold them in order',
    async (how) => {
      const { db, people } = subject;
      const { companyId } = await subject.newCompany();
      const { uid } = await subject.invite(companyId);
      const over = new Date(Date.now() - day);
      const person = { companyId, userId: uid };
      const ofPerson = eq(emailCodes.userId, uid);
      const codes = () => db.asSystem((tx) => tx.select().from(emailCodes).where(ofPerson));
      // Until the one that was made later comes first.
      let [later = '', earlier = ''] = ['', ''];
      do {
        await db.asSystem((tx) => tx.delete(emailCodes).where(ofPerson));
        for (const purpose of ['confirm', 'invite'] as const)
          await db.asSystem((tx) => makeEmailCode(tx, person, purpose, over));
        for (const { purpose, codeHash } of await codes())
          if (purpose === 'confirm') earlier = codeHash;
          else later = codeHash;
      } while (later > earlier);
      const hold = (hash: string) => (tx: Tx) =>
        tx.select().from(emailCodes).where(eq(emailCodes.codeHash, hash)).for('update');
      const change = () =>
        how === 'cleared with what is over' ? clearEmailCodes(db, new Date()) : people.inviteCode({ companyId, uid });
      expect(await meanwhile(db, companyId, change, [hold(later), hold(earlier)])).toBe('done');
      expect(await codes()).toEqual([]);
    },
  );

  test('is refused when the e-mail is known, here or in another company', async () => {
    const { companyId } = await subject.newCompany();
    const other = await subject.newCompany();
    const { email } = await subject.invite(companyId);
    const again = subject.db.asCompany(companyId, (tx) =>
      subject.people.createInvitedUser(tx, { companyId, email, role: 'member' }),
    );
    await expect(again).rejects.toMatchObject({ code: 'email-not-invitable' });
    const elsewhere = await subject.invite(other.companyId);
    for (const known of [other.email, elsewhere.email]) {
      const invitable = requireInvitable(subject.db, companyId, known);
      await expect(invitable).rejects.toMatchObject({ code: 'email-not-invitable' });
    }
    await expect(requireInvitable(subject.db, companyId, uniqueEmail())).resolves.toBeUndefined();
  });

  test('again, has the newest code only', async () => {
    const { companyId } = await subject.newCompany();
    const { uid, code } = await subject.invite(companyId);
    await subject.db.asCompany(companyId, (tx) => subject.people.renewInvitation(tx, { companyId, uid }));
    const next = await subject.people.inviteCode({ companyId, uid });
    await expect(confirm(code)).rejects.toMatchObject({ code: 'invalid-code' });
    await expect(confirm(next.code)).resolves.toHaveProperty('email');
    await expect(subject.people.inviteCode({ companyId, uid })).rejects.toMatchObject({ code: 'not-invited' });
    const renewed = subject.db.asCompany(companyId, (tx) => subject.people.renewInvitation(tx, { companyId, uid }));
    await expect(renewed).rejects.toMatchObject({ code: 'not-invited' });
  });

  test('is too late after 7 days, whatever the provider says of the code', async () => {
    const { companyId } = await subject.newCompany();
    const { code } = await subject.invite(companyId);
    subject.pass(7 * day);
    await expect(confirm(code)).rejects.toMatchObject({ code: 'invalid-code' });
    await expect(subject.identity.verifyResetCode({ oobCode: code }, here)).rejects.toMatchObject({
      code: 'invalid-code',
    });
  });

  test('and withdrawn has no code any more, and no account when the job has run', async () => {
    const { companyId } = await subject.newCompany();
    const { uid, email, code } = await subject.invite(companyId);
    await subject.db.asCompany(companyId, (tx) => subject.people.removeUser(tx, { companyId, uid }));
    await expect(confirm(code)).rejects.toMatchObject({ code: 'invalid-code' });
    await subject.work();
    expect(await subject.provider.findUser(email)).toBeNull();
    await expect(subject.people.inviteCode({ companyId, uid })).rejects.toMatchObject({ code: 'user-not-found' });
  });

  test.each(['createUser', 'setClaims', 'createInviteCode'] as const)(
    'gets a code in the end when the provider breaks off at %s',
    async (method) => {
      const { companyId } = await subject.newCompany();
      const email = uniqueEmail();
      const { uid } = await subject.db.asCompany(companyId, (tx) =>
        subject.people.createInvitedUser(tx, { companyId, email, role: 'member' }),
      );
      for (const when of ['instead', 'after'] as const) {
        subject.fail(method, when);
        await expect(subject.people.inviteCode({ companyId, uid })).rejects.toMatchObject({ code: 'unavailable' });
      }
      const { code } = await subject.people.inviteCode({ companyId, uid });
      await confirm(code);
      const { session } = await signIn(email);
      expect(await subject.provider.verify(session.idToken)).toMatchObject({ uid, role: 'member', companyId });
    },
  );

  test('who sets the password as the process ends can sign in all the same, but not after the 7 days', async () => {
    const { companyId } = await subject.newCompany();
    for (const [later, allowed] of [
      [0, true],
      [7 * day, false],
    ] as const) {
      const { email, code } = await subject.invite(companyId);
      subject.fail('confirmCode', 'after');
      await expect(confirm(code)).rejects.toMatchObject({ code: 'unavailable' });
      expect((await usersOf(subject, email))[0]?.state).toBe('invited');
      subject.pass(later);
      const signedIn = signIn(email);
      if (allowed) await expect(signedIn).resolves.toHaveProperty('session');
      else await expect(signedIn).rejects.toMatchObject({ code: 'invalid-credentials' });
    }
  });

  test('whose e-mail the provider has had before takes that account over by the mailed code alone', async () => {
    const { companyId } = await subject.newCompany();
    const email = uniqueEmail();
    const outside = `outside-${randomUUID()}`;
    await subject.provider.createUser({ uid: outside, email, password: another });
    const { uid } = await subject.db.asCompany(companyId, (tx) =>
      subject.people.createInvitedUser(tx, { companyId, email, role: 'member' }),
    );
    const { code } = await subject.people.inviteCode({ companyId, uid });
    await confirm(code);
    const { session } = await signIn(email);
    expect(session.user.uid).toBe(uid);
    expect(await subject.provider.verify(session.idToken)).toMatchObject({ uid: outside });
  });
});

describe('someone removed', () => {
  test('loses every token and session at once, and the account by a job', async () => {
    const { person, email } = await newMember();
    const { session, refreshToken } = await signIn(email);
    expect(await subject.authenticate(session.idToken)).toMatchObject({ userId: person.uid });
    await subject.db.asCompany(person.companyId, (tx) => subject.people.removeUser(tx, person));
    await expect(subject.authenticate(session.idToken)).rejects.toMatchObject({ code: 'session-expired' });
    const refreshed = subject.identity.refreshSession(refreshToken.value, here);
    await expect(refreshed).rejects.toMatchObject({ code: 'session-expired' });
    await expect(signIn(email)).rejects.toMatchObject({ code: 'invalid-credentials' });
    await subject.work();
    expect(await subject.provider.findUser(email)).toBeNull();
    const again = subject.db.asCompany(person.companyId, (tx) => subject.people.removeUser(tx, person));
    await expect(again).rejects.toMatchObject({ code: 'user-not-found' });
  });

  test('stays when the transaction is rolled back', async () => {
    const { person, email } = await newMember();
    const back = subject.db.asCompany(person.companyId, async (tx) => {
      await subject.people.removeUser(tx, person);
      throw new Error('back');
    });
    await expect(back).rejects.toThrow('back');
    await subject.work();
    await expect(signIn(email)).resolves.toHaveProperty('session');
  });

  test('and invited again at once, before the job has run, has no use of the old password', async () => {
    const { person, email } = await newMember();
    const { companyId } = person;
    await subject.db.asCompany(companyId, (tx) => subject.people.removeUser(tx, person));
    const { uid } = await subject.db.asCompany(companyId, (tx) =>
      subject.people.createInvitedUser(tx, { companyId, email, role: 'member' }),
    );
    const { code } = await subject.people.inviteCode({ companyId, uid });
    await expect(signIn(email)).rejects.toMatchObject({ code: 'invalid-credentials' });
    await subject.work();
    await confirm(code, another);
    await expect(signIn(email, another)).resolves.toMatchObject({ session: { user: { uid } } });
  });

  test('from another company is not touched by ours', async () => {
    const { person } = await newMember();
    const { companyId } = await subject.newCompany();
    for (const attempt of [{ ...person, companyId }, person]) {
      const removed = subject.db.asCompany(companyId, (tx) => subject.people.removeUser(tx, attempt));
      await expect(removed).rejects.toMatchObject({ code: 'user-not-found' });
      const changed = subject.db.asCompany(companyId, (tx) => subject.people.changeRole(tx, attempt, 'admin'));
      await expect(changed).rejects.toMatchObject({ code: 'user-not-found' });
    }
  });
});

describe('someone with another role', () => {
  // Signed out of a second at its very beginning, in it, and at its end; the commit comes as late as it likes.
  test.each([0, 1, 400, 999])('keeps nothing of a token made %i ms into a second, before the commit', async (into) => {
    const { person, email } = await newMember();
    const { db, people } = subject;
    await db.asCompany(person.companyId, (tx) => people.changeRole(tx, person, 'admin'));
    const first = await signIn(email);
    const start = subject.now().getTime();
    subject.pass(1000 - (start % 1000) + into);
    const made: string[] = [first.session.idToken];
    let { refreshToken } = first;
    const refresh = async () => {
      const next = await subject.identity.refreshSession(refreshToken.value, here);
      ({ refreshToken } = next);
      made.push(next.session.idToken);
    };
    await refresh();
    await db.asCompany(person.companyId, async (tx) => {
      await people.changeRole(tx, person, 'member');
      for (const later of [0, 700, 700, 2000]) {
        subject.pass(later);
        await refresh();
      }
    });
    for (const token of made) {
      await expect(subject.authenticate(token)).rejects.toMatchObject({ code: 'session-expired' });
    }
    await refresh();
    expect(await subject.authenticate(made.at(-1) ?? '')).toMatchObject({ role: 'member' });
  });

  test('of an outside provider neither, but what its own admin has said since comes first', async () => {
    const { person, email } = await newMember();
    const { db, people } = subject;
    const verifier = emulatorVerifier('ours');
    const outside = createAuthenticate({ db, verifier, entitlements: unbilled, byKey: subject.authenticate });
    const authenticate = (bearer: string) => outside(bearer, here);
    const token = (role: string | undefined, issuedAt: Date) => {
      const iat = Math.floor(issuedAt.getTime() / 1000);
      return new UnsecuredJWT({ email, role, companyId: person.companyId, auth_time: iat })
        .setSubject(person.uid)
        .setIssuer('https://securetoken.google.com/ours')
        .setAudience('ours')
        .setIssuedAt(iat)
        .setExpirationTime(iat + 3600)
        .encode();
    };
    await db.asCompany(person.companyId, (tx) => people.changeRole(tx, person, 'admin'));
    await subject.work();
    const held = Promise.withResolvers<void>();
    const changing = Promise.withResolvers<void>();
    const change = db.asCompany(person.companyId, async (tx) => {
      await people.changeRole(tx, person, 'member');
      changing.resolve();
      await held.promise;
    });
    await changing.promise;
    subject.pass(3000);
    const meanwhile = token('admin', subject.now());
    expect(await authenticate(meanwhile)).toMatchObject({ role: 'admin' });
    held.resolve();
    await change;
    await expect(authenticate(meanwhile)).rejects.toMatchObject({ code: 'session-expired' });
    await subject.work();
    await expect(authenticate(meanwhile)).rejects.toMatchObject({ code: 'session-expired' });
    expect(await authenticate(token('member', subject.now()))).toMatchObject({ role: 'member' });
    subject.pass(3000);
    expect(await authenticate(token('admin', subject.now()))).toMatchObject({ role: 'admin' });
    expect(await authenticate(token(undefined, subject.now()))).toMatchObject({ role: 'member' });
  });

  test('has no use of earlier tokens, and gets the role with the next one at once, before any job', async () => {
    const { person, email } = await newMember();
    const { session, refreshToken } = await signIn(email);
    await subject.db.asCompany(person.companyId, (tx) => subject.people.changeRole(tx, person, 'admin'));
    await expect(subject.authenticate(session.idToken)).rejects.toMatchObject({ code: 'session-expired' });
    const next = await subject.identity.refreshSession(refreshToken.value, here);
    expect(next.session.user.role).toBe('admin');
    expect(await subject.authenticate(next.session.idToken)).toMatchObject({ role: 'admin' });
    // And of two tabs the second one keeps its session, too.
    const other = await subject.identity.refreshSession(refreshToken.value, here);
    await expect(subject.identity.refreshSession(other.refreshToken.value, here)).resolves.toHaveProperty('session');
  });

  test('has it at the provider in the end, when that is out of reach at first', async () => {
    const { person, email } = await newMember();
    subject.fail('setClaims', 'instead');
    await subject.db.asCompany(person.companyId, (tx) => subject.people.changeRole(tx, person, 'admin'));
    await subject.work();
    const { idToken } = await subject.provider.signIn(email, goodPassword);
    expect(await subject.provider.verify(idToken)).toMatchObject({ role: 'admin' });
  });

  test('gets no token with the old one while the provider is out of reach', async () => {
    const { person, email } = await newMember();
    const { refreshToken } = await signIn(email);
    await subject.db.asCompany(person.companyId, (tx) => subject.people.changeRole(tx, person, 'admin'));
    subject.fail('setClaims', 'instead');
    const refreshed = subject.identity.refreshSession(refreshToken.value, here);
    await expect(refreshed).rejects.toMatchObject({ code: 'unavailable' });
    await expect(subject.identity.refreshSession(refreshToken.value, here)).resolves.toMatchObject({
      session: { user: { role: 'admin' } },
    });
  });
});

test('with one connection everything goes on: what is told to the provider is told by the one that is held', async () => {
  const narrow = await startTestIdentity({ databaseConnections: 1 });
  try {
    const { companyId, uid, email: adminEmail } = await narrow.newCompany();
    const { email, code } = await narrow.invite(companyId);
    await narrow.identity.confirmPasswordReset({ oobCode: code, newPassword: goodPassword }, here);
    const { session } = await narrow.identity.signIn({ email, password: goodPassword }, here);
    const person = { companyId, uid: session.user.uid };
    await narrow.db.asCompany(companyId, (tx) => narrow.people.changeRole(tx, person, 'admin'));
    await narrow.work();
    await narrow.db.asCompany(companyId, (tx) => narrow.people.removeUser(tx, { companyId, uid }));
    await narrow.work();
    expect(await narrow.provider.findUser(adminEmail)).toBeNull();
  } finally {
    await narrow.close();
  }
});
