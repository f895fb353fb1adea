import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityLeftovers } from '#server/db/schema.ts';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';
import { companiesNamed, here, startTestIdentity, type TestIdentity, usersOf } from '#server/testing/identity.ts';
import { clearLeftovers } from './leftovers.ts';

const another = 'copper lanterns hum 48';
const minute = 60_000;
let subject: TestIdentity;
beforeAll(async () => {
  subject = await startTestIdentity();
});
afterAll(() => subject.close());

const leftovers = () => subject.db.asSystem((tx) => tx.select().from(identityLeftovers));

function newSignUp() {
  const companyName = `Company ${randomUUID()}`;
  const email = uniqueEmail();
  const signUp = (password = goodPassword) => subject.identity.signUp({ companyName, email, password }, here);
  return { companyName, email, signUp };
}

describe('a sign-up that breaks off', () => {
  test.each(['instead', 'after'] as const)(
    'at the account (%s its making) leaves no company, and can be made again at once',
    async (when) => {
      const { companyName, email, signUp } = newSignUp();
      subject.fail('createUser', when);
      await expect(signUp()).rejects.toMatchObject({ code: 'unavailable' });
      expect(await usersOf(subject, email)).toEqual([]);
      expect(await companiesNamed(subject, companyName)).toBe(0);
      const { session } = await signUp();
      expect(session.user).toMatchObject({ email, role: 'admin' });
      expect(await companiesNamed(subject, companyName)).toBe(1);
      expect(await leftovers().then((rows) => rows.filter(({ uid }) => uid === session.user.uid))).toEqual([]);
      await expect(subject.identity.signIn({ email, password: goodPassword }, here)).resolves.toHaveProperty('session');
    },
  );

  test.each([
    ['setClaims', 'instead'],
    ['setClaims', 'after'],
    ['signIn', 'instead'],
    ['signIn', 'after'],
  ] as const)('at %s (%s its work) has made the company: signing in goes on', async (method, when) => {
    const { companyName, email, signUp } = newSignUp();
    subject.fail(method, when);
    await expect(signUp()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await companiesNamed(subject, companyName)).toBe(1);
    await expect(signUp()).rejects.toMatchObject({ code: 'email-already-in-use' });
    const { session } = await subject.identity.signIn({ email, password: goodPassword }, here);
    expect(session.user).toMatchObject({ email, role: 'admin' });
    const { companyId } = session.user;
    expect(await subject.provider.verify(session.idToken)).toMatchObject({ role: 'admin', companyId });
  });

  test('is made again with another password once the first one is given up', async () => {
    const { email, signUp } = newSignUp();
    subject.fail('createUser', 'after');
    await expect(signUp()).rejects.toMatchObject({ code: 'unavailable' });
    // Not while it might still be going on.
    await expect(signUp(another)).rejects.toMatchObject({ code: 'email-already-in-use' });
    subject.pass(2 * minute);
    await signUp(another);
    await expect(subject.provider.signIn(email, another)).resolves.toMatchObject({ email });
    await expect(subject.provider.signIn(email, goodPassword)).rejects.toMatchObject({ code: 'invalid-credentials' });
  });

  test('for good is removed by a job, also one that could not be removed at first', async () => {
    const { email, signUp } = newSignUp();
    subject.fail('createUser', 'after');
    await expect(signUp()).rejects.toMatchObject({ code: 'unavailable' });
    await clearLeftovers(subject, subject.now());
    expect(await subject.provider.findUser(email)).not.toBeNull();
    subject.pass(2 * minute);
    subject.fail('deleteUser', 'instead');
    await expect(clearLeftovers(subject, subject.now())).rejects.toThrow('failed for 1 of 1');
    await clearLeftovers(subject, subject.now());
    expect(await subject.provider.findUser(email)).toBeNull();
    expect(await leftovers()).toEqual([]);
  });

  test('half-made, gives nobody a session', async () => {
    const { email, signUp } = newSignUp();
    subject.fail('createUser', 'after');
    await expect(signUp()).rejects.toMatchObject({ code: 'unavailable' });
    const half = subject.identity.signIn({ email, password: goodPassword }, here);
    await expect(half).rejects.toMatchObject({ code: 'invalid-credentials' });
  });
});

test('of many sign-ups with one e-mail at once exactly one makes a company, and the next one is told', async () => {
  const { companyName, email, signUp } = newSignUp();
  const all = await Promise.allSettled(Array.from({ length: 6 }, () => signUp()));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const each of all) {
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'email-already-in-use' });
  }
  expect(await companiesNamed(subject, companyName)).toBe(1);
  expect(await usersOf(subject, email)).toHaveLength(1);
});

describe('an account that the provider has had before', () => {
  async function outsider() {
    const { email, signUp } = newSignUp();
    const uid = `outside-${randomUUID()}`;
    await subject.provider.createUser({ uid, email, password: goodPassword });
    return { uid, email, signUp };
  }

  test('becomes the admin of a company with its own password', async () => {
    const { uid, email, signUp } = await outsider();
    const { session } = await signUp();
    expect(await subject.provider.verify(session.idToken)).toMatchObject({ uid, email, role: 'admin' });
    // Its id is none of ours, and never shown.
    expect(session.user.uid).not.toBe(uid);
    expect(await subject.authenticate(session.idToken)).toMatchObject({ userId: session.user.uid, email });
  });

  test('is not given to somebody with another password, nor removed', async () => {
    const { uid, email, signUp } = await outsider();
    await expect(signUp(another)).rejects.toMatchObject({ code: 'email-already-in-use' });
    subject.pass(10 * minute);
    await expect(signUp(another)).rejects.toMatchObject({ code: 'email-already-in-use' });
    expect(await subject.provider.findUser(email)).toEqual({ uid });
    await expect(subject.provider.signIn(email, goodPassword)).resolves.toMatchObject({ uid });
  });
});
