import { readFile } from 'node:fs/promises';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Tx } from '#server/db/db.ts';
import { eq, ne } from '#server/db/drizzle.ts';
import { auditEvents, companies, passkeyChallenges, recoveryCodes, secondFactors } from '#server/db/schema.ts';
import { openSealer, secretKeyPath } from '#server/lib/sealed.ts';
import { newPasskey } from '#server/testing/authenticator.ts';
import { goodPassword } from '#server/testing/factories.ts';
import { meanwhile } from '#server/testing/hold.ts';
import { here, startTestIdentity, type TestIdentity } from '#server/testing/identity.ts';
import { rotateSealing } from '../keys.ts';
import { sealedFor } from './proof.ts';
import { takeSecondFactor } from './reset.ts';

const minute = 60_000;
let subject: TestIdentity;
beforeAll(async () => {
  subject = await startTestIdentity();
});
afterAll(() => subject.close());

type Input = CallInput<'signIn'>;
const elsewhere = { ip: '198.51.100.7', device: undefined };
const required = { code: 'second-factor-required' };
const wrong = { code: 'invalid-second-factor' };
const tooMany = { code: 'too-many-requests' };

async function newPerson() {
  const { companyId, uid, email } = await subject.newCompany();
  const signIn = (
    proof: Omit<Input, 'email' | 'password'> = {},
    from: Parameters<typeof subject.identity.signIn>[1] = here,
  ) => subject.identity.signIn({ email, password: goodPassword, ...proof }, from);
  const actorOf = async ({ session }: { session: { idToken: string } }): Promise<Actor & { ip: string }> => ({
    ...(await subject.authenticate(session.idToken, { enrolling: true })),
    ip: here.ip,
  });
  return { companyId, uid, email, signIn, actorOf };
}

const factor = () => subject.identity.secondFactor;

async function addTotp(actor: Actor & { ip: string }) {
  const begun = await factor().begin(actor, { method: 'totp' });
  if (!('secret' in begun)) throw new Error('no secret');
  const totp = new TOTP({ secret: Secret.fromBase32(begun.secret) });
  /** Each works once: the clock goes on. */
  const code = () => {
    subject.pass(30_000);
    return totp.generate({ timestamp: subject.now().getTime() });
  };
  const { recoveryCodes: codes } = await factor().confirm(actor, { code: code() });
  return { ...begun, code, codes };
}

async function withTotp() {
  const person = await newPerson();
  const signedIn = await person.signIn();
  const actor = await person.actorOf(signedIn);
  return { ...person, signedIn, actor, ...(await addTotp(actor)) };
}

const passkeyHere = () => newPasskey({ origin: 'http://footnote.localhost', rpId: 'footnote.localhost' });

async function addPasskey(actor: Actor & { ip: string }, name?: string) {
  const begun = await factor().begin(actor, { method: 'passkey' });
  if (!('options' in begun)) throw new Error('no options');
  const passkey = passkeyHere();
  const { recoveryCodes: codes } = await factor().confirm(actor, {
    attestation: passkey.register(begun.options),
    name,
  });
  return { passkey, codes };
}

/** What a sign-in without a second factor is told. */
async function asked(signIn: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await signIn().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error('nothing was asked for');
  expect(error).toMatchObject(required);
  return error.details;
}

const audited = async (companyId: string) =>
  (await subject.db.asCompany(companyId, (tx) => tx.select().from(auditEvents))).map(({ action }) => action);

describe('an authenticator app', () => {
  test('is asked for from then on, also after a reset of the password; other sessions have ended, and a mail tells', async () => {
    const { email, uid, signIn, actorOf } = await newPerson();
    const [mine, another] = [await signIn(), await signIn()];
    const { code } = await addTotp(await actorOf(mine));
    await expect(subject.identity.refreshSession(another.refreshToken.value, here)).rejects.toMatchObject({
      code: 'session-expired',
    });
    await expect(subject.authenticate(another.session.idToken)).rejects.toMatchObject({ code: 'session-expired' });
    const { refreshToken } = await subject.identity.refreshSession(mine.refreshToken.value, here);
    expect(refreshToken.value).not.toBe('');
    expect(subject.mails.filter(({ to }) => to === email).at(-1)?.heading).toBe('A second factor was added');
    expect(await asked(signIn)).toMatchObject({
      reason: 'second-factor-required',
      methods: ['totp', 'recovery-code'],
    });
    await expect(signIn({ code: '000000' })).rejects.toMatchObject(wrong);
    const { session } = await signIn({ code: code() });
    expect(session.user.uid).toBe(uid);
    const sessions = await subject.identity.listSessions(await subject.authenticate(session.idToken));
    expect(sessions.find(({ current }) => current)?.methods).toEqual(['password', 'totp']);

    const reset = (await subject.provider.createResetCode(email)) ?? '';
    const { device } = await subject.identity.confirmPasswordReset({ oobCode: reset, newPassword: goodPassword }, here);
    expect(device).toBeUndefined();
    await asked(signIn);
    await signIn({ code: code() });
  });

  test('has each of its codes used once, also of many at once, and none with another password', async () => {
    const { email, signIn, code } = await withTotp();
    const one = code();
    const all = await Promise.allSettled(Array.from({ length: 4 }, () => signIn({ code: one })));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(signIn({ code: one })).rejects.toMatchObject(wrong);
    const other = code();
    const guess = subject.identity.signIn({ email, password: 'not the password', code: other }, here);
    await expect(guess).rejects.toMatchObject({ code: 'invalid-credentials' });
    // Whoever has only the code learns nothing of it, and it is not used up.
    await signIn({ code: `${other.slice(0, 3)} ${other.slice(3)}` });
  });

  test('is no help at another account, and says the same of a code that is wrong, used, or another’s', async () => {
    const [ann, ben] = [await withTotp(), await withTotp()];
    const texts = new Set<string>();
    const used = ann.code();
    await ann.signIn({ code: used });
    for (const code of [used, ben.code(), '123456', ben.codes[0] ?? '', 'nonsense', '%00'])
      texts.add(String(await ann.signIn({ code }).catch((error: unknown) => error)));
    expect([...texts]).toEqual(['AppError: This code or passkey was not accepted.']);
  });

  test('gives no session to whoever has not proved it', async () => {
    const { uid, signIn } = await withTotp();
    const before = await subject.provider.openSessions(uid);
    await asked(signIn);
    await expect(signIn({ code: '000000' })).rejects.toMatchObject(wrong);
    expect(await subject.provider.openSessions(uid)).toEqual(before);
  });

  test('is sealed: neither its secret nor a recovery code stands in the database', async () => {
    const { uid, secret, codes } = await withTotp();
    const [row] = await subject.db.asSystem((tx) =>
      tx.select().from(secondFactors).where(eq(secondFactors.userId, uid)),
    );
    expect(JSON.stringify(row)).not.toContain(secret);
    const hashes = await subject.db.asSystem((tx) =>
      tx.select().from(recoveryCodes).where(eq(recoveryCodes.userId, uid)),
    );
    expect(hashes).toHaveLength(10);
    for (const code of codes) expect(JSON.stringify(hashes)).not.toContain(code);
    // Copied to another row it is of no use.
    const { signIn, uid: other, code } = await withTotp();
    await subject.db.asSystem((tx) =>
      tx.update(secondFactors).set({ sealedSecret: row?.sealedSecret }).where(eq(secondFactors.userId, other)),
    );
    await expect(signIn({ code: code() })).rejects.toThrow();
  });

  test('goes on when the key that seals is changed, twice; what a key sealed that is gone is left, and stops a change', async () => {
    const { signIn, code, uid } = await withTotp();
    const ofPerson = eq(secondFactors.userId, uid);
    await subject.db.asSystem((tx) => tx.delete(secondFactors).where(ne(secondFactors.userId, uid)));
    const sealed = async () => {
      const [row] = await subject.db.asSystem((tx) => tx.select().from(secondFactors).where(ofPerson));
      return row?.sealedSecret ?? '';
    };
    const kinds = [await sealed()];
    for (const change of [1, 2]) {
      const [one, other] = await Promise.all([1, 2].map(() => rotateSealing(subject.db, subject.keyPlace)));
      expect({ change, ...one }).toEqual({ change, ...other });
      expect(one?.closed).toBe(0);
      kinds.push(await sealed());
      await signIn({ code: code() });
    }
    expect(new Set(kinds).size).toBe(3);
    await subject.db.asSystem((tx) => tx.update(secondFactors).set({ sealedSecret: kinds[0] }).where(ofPerson));
    const key = await readFile(secretKeyPath(subject.keyPlace.dataDir), 'utf8');
    expect(await rotateSealing(subject.db, subject.keyPlace)).toMatchObject({ closed: 1 });
    expect(await sealed()).toBe(kinds[0]);
    expect(await readFile(secretKeyPath(subject.keyPlace.dataDir), 'utf8')).toBe(key);
    await subject.db.asSystem((tx) => tx.delete(secondFactors).where(ofPerson));
  });

  test('is not written over where it changes while the key is changed', async () => {
    const { companyId, uid } = await withTotp();
    const ofPerson = eq(secondFactors.userId, uid);
    const opened = async () => {
      const [row] = await subject.db.asSystem((tx) => tx.select().from(secondFactors).where(ofPerson));
      const sealer = await openSealer(subject.keyPlace);
      return row && (await sealer.open(row.sealedSecret ?? '', sealedFor(row)));
    };
    const other = async (tx: Tx) => {
      const [row] = await tx.select().from(secondFactors).where(ofPerson);
      const sealer = await openSealer(subject.keyPlace);
      const sealedSecret = row && (await sealer.seal('another', sealedFor(row)));
      await tx.update(secondFactors).set({ sealedSecret }).where(ofPerson);
    };
    const rotated = meanwhile(subject.db, companyId, () => rotateSealing(subject.db, subject.keyPlace), [
      other,
      async () => {},
    ]);
    expect(await rotated).toBe('done');
    expect(await opened()).toBe('another');
    await subject.db.asSystem((tx) => tx.delete(secondFactors).where(ofPerson));
  });

  test('that was begun long ago, or by nobody, is not put into effect', async () => {
    const { signIn, actorOf } = await newPerson();
    const actor = await actorOf(await signIn());
    await expect(factor().confirm(actor, { code: '123456' })).rejects.toMatchObject(wrong);
    const begun = await factor().begin(actor, { method: 'totp' });
    expect('uri' in begun && begun.uri).toMatch(/^otpauth:\/\/totp\/Footnote:/);
    await expect(signIn()).resolves.toHaveProperty('session');
    subject.pass(31 * minute);
    const later = await actorOf(await signIn());
    const totp = new TOTP({ secret: Secret.fromBase32('secret' in begun ? begun.secret : '') });
    const late = factor().confirm(later, { code: totp.generate({ timestamp: subject.now().getTime() }) });
    await expect(late).rejects.toMatchObject(wrong);
    await expect(factor().begin(actor, { method: 'totp' })).rejects.toMatchObject({ code: 'recent-sign-in-required' });
  });
});

describe('wrong codes', () => {
  test('ten in a row are the end for 15 minutes, but not in the browser of the owner', async () => {
    const { signIn, code } = await withTotp();
    const { device } = await signIn({ code: code() });
    const owner = { ...here, device: device?.value };
    for (let i = 0; i < 10; i += 1) {
      await expect(signIn({ code: '000000' }, elsewhere)).rejects.toMatchObject(wrong);
      subject.pass(minute);
    }
    await expect(signIn({ code: code() }, elsewhere)).rejects.toMatchObject(tooMany);
    await expect(signIn({ code: code() }, here)).rejects.toMatchObject(tooMany);
    await expect(signIn({ code: code() }, owner)).resolves.toHaveProperty('session');
    // Trying on does not make it longer; one by one they do not add up for ever.
    subject.pass(11 * minute);
    await expect(signIn({ code: code() }, elsewhere)).rejects.toMatchObject(tooMany);
    subject.pass(2 * minute);
    await expect(signIn({ code: code() }, elsewhere)).resolves.toHaveProperty('session');
    for (let i = 0; i < 12; i += 1) {
      await expect(signIn({ code: '000000' }, elsewhere)).rejects.toMatchObject(wrong);
      subject.pass(16 * minute);
    }
  });

  test('many at once are counted one by one', async () => {
    const { signIn } = await withTotp();
    const all = await Promise.allSettled(Array.from({ length: 16 }, () => signIn({ code: '000000' }, elsewhere)));
    const codes = all.map((each) => (each.status === 'rejected' ? each.reason.code : 'fulfilled')).sort();
    expect(codes).toEqual([...Array(10).fill('invalid-second-factor'), ...Array(6).fill('too-many-requests')]);
  });

  test('are in the audit log', async () => {
    const { companyId, signIn } = await withTotp();
    await signIn({ code: '000000' }).catch(() => {});
    expect(await audited(companyId)).toEqual(expect.arrayContaining(['second-factor-added', 'second-factor-failed']));
  });
});

describe('recovery codes', () => {
  test('are ten, each works once, as people type them; new ones end those of before', async () => {
    const { signIn, actor, codes, code } = await withTotp();
    expect(new Set(codes).size).toBe(10);
    const [first = '', second = '', third = ''] = codes;
    const { session } = await signIn({ code: ` ${first.toUpperCase().replaceAll('-', ' ')} ` });
    const used = await subject.identity.listSessions(await subject.authenticate(session.idToken));
    expect(used.find(({ current }) => current)?.methods).toEqual(['password', 'recovery-code']);
    await expect(signIn({ code: first })).rejects.toMatchObject(wrong);
    expect((await subject.identity.getAccountSecurity(actor)).secondFactor.recoveryCodesLeft).toBe(9);
    const all = await Promise.allSettled([signIn({ code: second }), signIn({ code: second })]);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const recent = { ...actor, authenticatedAt: subject.now() };
    const renewed = (await factor().renewRecoveryCodes(recent)).recoveryCodes;
    await expect(signIn({ code: third })).rejects.toMatchObject(wrong);
    await signIn({ code: renewed[0] });
    await signIn({ code: code() });
  });
});

describe('a passkey', () => {
  test('gets its person in, once for each challenge; a second one brings no new recovery codes', async () => {
    const { signIn, actorOf } = await newPerson();
    const actor = await actorOf(await signIn());
    const { passkey, codes } = await addPasskey(actor, 'My key');
    expect(codes).toHaveLength(10);
    expect((await addPasskey(actor)).codes).toEqual([]);
    const details = await asked(signIn);
    expect(details.methods).toEqual(['passkey', 'recovery-code']);
    const assertion = passkey.sign(details.options);
    const { session } = await signIn({ assertion });
    const told = await subject.identity.getAccountSecurity(await subject.authenticate(session.idToken));
    expect(told.secondFactor.factors.map(({ name }) => name)).toEqual(['My key', 'Passkey 2']);
    await expect(signIn({ assertion })).rejects.toMatchObject(wrong);
  });

  test('for another page, another host, another challenge, of another person or with a counter gone back is refused', async () => {
    const [ann, ben] = [await newPerson(), await newPerson()];
    const { passkey } = await addPasskey(await ann.actorOf(await ann.signIn()));
    const others = (await addPasskey(await ben.actorOf(await ben.signIn()))).passkey;
    const options = async () => (await asked(ann.signIn)).options;
    await ann.signIn({ assertion: passkey.sign(await options(), { counter: 5 }) });
    const tries: Input['assertion'][] = [
      passkey.sign(await options(), { from: 'https://footnote.evil.example', counter: 6 }),
      passkey.sign(await options(), { forRp: 'evil.example', counter: 6 }),
      passkey.sign({ challenge: 'bWFkZSB1cA' }, { counter: 6 }),
      passkey.sign((await asked(ben.signIn)).options, { counter: 6 }),
      others.sign(await options(), { counter: 6 }),
      passkeyHere().sign(await options(), { counter: 6 }),
      passkey.sign(await options(), { counter: 5 }),
      passkey.sign(await options(), { counter: 4 }),
    ];
    for (const assertion of tries) await expect(ann.signIn({ assertion })).rejects.toMatchObject(wrong);
    const late = passkey.sign(await options(), { counter: 6 });
    subject.pass(16 * minute);
    await expect(ann.signIn({ assertion: late })).rejects.toMatchObject(wrong);
    await ann.signIn({ assertion: passkey.sign(await options(), { counter: 7 }) });
  });

  test('is not registered for another page, twice, or without having been asked for', async () => {
    const { signIn, actorOf, uid } = await newPerson();
    const actor = await actorOf(await signIn());
    const begin = async () => {
      const begun = await factor().begin(actor, { method: 'passkey' });
      return 'options' in begun ? begun.options : {};
    };
    const confirm = (attestation: NonNullable<CallInput<'confirmSecondFactor'>['attestation']>) =>
      factor().confirm(actor, { attestation });
    const evil = passkeyHere().register(await begin(), { from: 'https://evil.example' });
    await expect(confirm(evil)).rejects.toMatchObject(wrong);
    await expect(confirm(passkeyHere().register({ challenge: 'bWFkZSB1cA' }))).rejects.toMatchObject(wrong);
    const attestation = passkeyHere().register(await begin());
    await confirm(attestation);
    await expect(confirm(attestation)).rejects.toMatchObject(wrong);
    // What was asked and not answered does not pile up.
    for (let i = 0; i < 25; i += 1) await asked(signIn);
    const open = await subject.db.asSystem((tx) =>
      tx.select().from(passkeyChallenges).where(eq(passkeyChallenges.userId, uid)),
    );
    expect(open.length).toBeLessThanOrEqual(20);
  });
});

describe('confirming the password', () => {
  test('asks for the second factor, too', async () => {
    const { actor, code, signedIn } = await withTotp();
    const from = { ...here, refreshToken: signedIn.refreshToken.value };
    const confirm = (proof: { code?: string }) =>
      subject.identity.reauthenticate(actor, { password: goodPassword, ...proof }, from);
    await asked(() => confirm({}));
    await expect(confirm({ code: '000000' })).rejects.toMatchObject(wrong);
    const { session } = await confirm({ code: code() });
    const confirmed = await subject.authenticate(session.idToken);
    const changed = await subject.identity.changePassword(
      confirmed,
      { currentPassword: goodPassword, newPassword: goodPassword },
      here,
    );
    const sessions = await subject.identity.listSessions(await subject.authenticate(changed.session.idToken));
    expect(sessions).toMatchObject([{ current: true, methods: ['password', 'totp'] }]);
  });

  test('by changing it does not stand for the second factor: neither for what does harm, nor as a mark of the browser', async () => {
    const { actor } = await withTotp();
    subject.pass(16 * minute);
    const passwords = { currentPassword: goodPassword, newPassword: goodPassword };
    const changed = await subject.identity.changePassword(actor, passwords, elsewhere);
    const after = { ...(await subject.authenticate(changed.session.idToken)), ip: here.ip };
    await expect(factor().remove(after, undefined)).rejects.toMatchObject({ code: 'recent-sign-in-required' });
    expect(changed.device).toBeUndefined();
  });
});

describe('removing', () => {
  test('one leaves the others; without the last one a password is enough again, and no recovery code is left', async () => {
    const { companyId, email, signIn, actorOf, uid } = await newPerson();
    const actor = await actorOf(await signIn());
    await addTotp(actor);
    await addPasskey(actor);
    const { secondFactor } = await subject.identity.getAccountSecurity(actor);
    const [totp, passkey] = secondFactor.factors;
    await factor().remove(actor, totp?.id);
    expect((await asked(signIn)).methods).toEqual(['passkey', 'recovery-code']);
    await factor().remove(actor, passkey?.id);
    await expect(signIn()).resolves.toHaveProperty('session');
    const left = await subject.db.asSystem((tx) =>
      tx.select().from(recoveryCodes).where(eq(recoveryCodes.userId, uid)),
    );
    expect(left).toEqual([]);
    await expect(factor().remove(actor, undefined)).rejects.toMatchObject({ code: 'second-factor-not-found' });
    const told = subject.mails.filter(({ to }) => to === email).map(({ heading }) => heading);
    expect(told.filter((heading) => heading === 'A second factor was removed')).toHaveLength(2);
    expect(await audited(companyId)).toContain('second-factor-removed');
    subject.pass(16 * minute);
    await expect(factor().remove(actor, undefined)).rejects.toMatchObject({ code: 'recent-sign-in-required' });
  });

  test('two at once where the company asks everybody for one leaves one of them', async () => {
    const { actor, companyId, uid } = await withTotp();
    await addPasskey(actor);
    const required = { secondFactorRequired: true };
    await subject.db.asSystem((tx) => tx.update(companies).set(required).where(eq(companies.id, companyId)));
    const ofPerson = eq(secondFactors.userId, uid);
    const had = await subject.db.asCompany(companyId, (tx) => tx.select().from(secondFactors).where(ofPerson));
    const removed = await Promise.allSettled(had.map(({ id }) => factor().remove(actor, id)));
    expect(removed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await subject.db.asCompany(companyId, (tx) => tx.$count(secondFactors, ofPerson))).toBe(1);
  });

  test('by the operator, of which the provider is told nothing, lets its person in within the same second', async () => {
    const { companyId, uid, signIn } = await withTotp();
    // From the beginning of a second, so that the sign-in falls into the one that its tokens are not valid in.
    subject.pass(1000 - (subject.now().getTime() % 1000));
    await subject.db.asSystem((tx) =>
      takeSecondFactor(tx, { companyId, userId: uid }, { by: { companyId }, at: subject.now() }),
    );
    const { session } = await signIn();
    await expect(subject.authenticate(session.idToken)).resolves.toMatchObject({ userId: uid });
  });

  test('by an admin ends the sessions of whoever has lost it, and is told', async () => {
    const { companyId, uid, email, signIn, signedIn, codes } = await withTotp();
    const admin = { ...(await withTotp()).actor, companyId, authenticatedAt: subject.now() };
    const { message } = await subject.identity.resetSecondFactor(admin, uid);
    expect(message).toContain(email);
    await expect(subject.authenticate(signedIn.session.idToken)).rejects.toMatchObject({ code: 'session-expired' });
    await expect(subject.identity.refreshSession(signedIn.refreshToken.value, here)).rejects.toMatchObject({
      code: 'session-expired',
    });
    await expect(signIn()).resolves.toHaveProperty('session');
    expect(codes).toHaveLength(10);
    expect(
      subject.mails.filter(({ to }) => to === email).some(({ heading }) => heading === 'Your second factor was reset'),
    ).toBe(true);
    const own = subject.identity.resetSecondFactor({ ...admin, userId: uid }, uid);
    await expect(own).rejects.toMatchObject({ code: 'own-account' });
  });
});
