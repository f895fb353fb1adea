import { randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '#server/db/db.ts';
import { and, eq, isNull } from '#server/db/drizzle.ts';
import { identityAccounts, identityCodes, identityRefreshTokens, serviceKeys } from '#server/db/schema.ts';
import fc from '#server/testing/fast-check.ts';
import { waitedFor } from '#server/testing/hold.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { identityContract } from './contract.ts';
import { turns } from './embedded/passwords.ts';
import { openEmbeddedIdentity } from './embedded.ts';
import { earliestIssue, endOfTokens, type Grant, type IdentityProvider } from './port.ts';

const issuer = 'http://footnote.test';
const log = pino({ level: 'silent' });
const password = 'violet anchors drift 71';
const [seconds, minutes, hours, days] = [1000, 60_000, 3_600_000, 86_400_000];

async function openOnNewDatabase() {
  const database = await createTestDatabase();
  const db = await openDatabase(database.connection, { name: 'test', log });
  const close = async () => {
    await db.close();
    await database.drop();
  };
  return { provider: await openEmbeddedIdentity(db, issuer), close };
}

identityContract('the embedded one', openOnNewDatabase);

let database: TestDatabase;
let db: Database;
/** What the clock of the providers below shows. */
let now = Date.now();
let provider: IdentityProvider;
let email: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.connection, { name: 'test', log });
  provider = await openEmbeddedIdentity(db, issuer, () => now);
  email = 'ada@example.com';
  await provider.createUser({ uid: randomUUID(), email, password });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const anotherProcess = () => openEmbeddedIdentity(db, issuer, () => now);
const signIn = () => provider.signIn(email, password);

async function refreshed(token: string): Promise<Grant> {
  const grant = await provider.refresh(token);
  if (!grant) throw new Error('the session has ended');
  return grant;
}

describe('a refresh token', () => {
  test('spent for more than 30 s is taken for stolen: its family ends, and no other', async () => {
    const [{ refreshToken }, other] = [await signIn(), await signIn()];
    const next = await refreshed(refreshToken.value);
    now += 30 * seconds;
    expect((await refreshed(refreshToken.value)).refreshToken).toEqual(next.refreshToken);
    now += 1;
    expect(await provider.refresh(refreshToken.value)).toBeNull();
    expect(await provider.refresh(next.refreshToken.value)).toBeNull();
    expect(await provider.refresh(other.refreshToken.value)).not.toBeNull();
  });

  test('spent and followed by others gets the newest one, for as long', async () => {
    const { refreshToken } = await signIn();
    const second = await refreshed(refreshToken.value);
    const third = await refreshed(second.refreshToken.value);
    expect((await refreshed(refreshToken.value)).refreshToken).toEqual(third.refreshToken);
    expect(await provider.refresh(third.refreshToken.value)).not.toBeNull();
  });

  test('exchanged by many at once has one successor', async () => {
    const { refreshToken } = await signIn();
    const all = await Promise.all(Array.from({ length: 8 }, () => refreshed(refreshToken.value)));
    expect(new Set(all.map((each) => each.refreshToken.value)).size).toBe(1);
  });

  test('works for 30 days from its own day on, and is then removed', async () => {
    const { refreshToken } = await signIn();
    now += 30 * days - 1;
    const next = await refreshed(refreshToken.value);
    now += 30 * days;
    expect(await provider.refresh(next.refreshToken.value)).toBeNull();
    await provider.upkeep();
    expect(await db.asSystem((tx) => tx.select().from(identityRefreshTokens))).toEqual([]);
  });

  test('is not stored, nor is a code', async () => {
    const { refreshToken } = await signIn();
    const code = (await provider.createResetCode(email)) ?? '';
    const stored = await db.asSystem(async (tx) =>
      JSON.stringify([await tx.select().from(identityRefreshTokens), await tx.select().from(identityCodes)]),
    );
    expect(stored.length).toBeGreaterThan(100);
    expect(stored).not.toContain(refreshToken.value);
    expect(stored).not.toContain(code);
  });

  test('of a sign-in that a new password overtakes is not given', async () => {
    const person = `race-${randomUUID()}@example.com`;
    await provider.createUser({ uid: randomUUID(), email: person, password });
    const codes = await Promise.all(Array.from({ length: 3 }, () => provider.createResetCode(person)));
    const [confirmed, ...grants] = await Promise.allSettled([
      provider.confirmCode(codes[0] ?? '', 'copper lanterns hum 48'),
      ...Array.from({ length: 6 }, () => provider.signIn(person, password)),
    ]);
    expect(confirmed?.status).toBe('fulfilled');
    for (const grant of grants) {
      if (grant.status === 'fulfilled' && 'refreshToken' in grant.value) {
        expect(await provider.refresh(grant.value.refreshToken.value)).toBeNull();
      }
    }
  });
});

describe('a code', () => {
  test('is ended by another one of the person that is used at the same time, and waits for none', async () => {
    const email = 'grace@example.com';
    await provider.createUser({ uid: randomUUID(), email, password });
    // Which of them meet is chance: several rounds.
    for (let round = 0; round < 5; round += 1) {
      const codes = await Promise.all(Array.from({ length: 6 }, () => provider.createResetCode(email)));
      const ended = await Promise.allSettled(codes.map((code) => provider.confirmCode(code ?? '', password)));
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of ended)
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'invalid-code' });
    }
  });

  test.each([
    ['reset', hours],
    ['invite', 7 * days],
  ] as const)('for %s works for its time, and is then removed', async (purpose, lifetime) => {
    const uid = randomUUID();
    const person = `${uid}@example.com`;
    await provider.createUser({ uid, email: person });
    const create = async () =>
      purpose === 'reset' ? await provider.createResetCode(person) : (await provider.createInviteCode(uid)).code;
    const code = (await create()) ?? '';
    now += lifetime - 1;
    await expect(provider.verifyCode(code)).resolves.toMatchObject({ uid, purpose });
    now += 1;
    await expect(provider.verifyCode(code)).rejects.toMatchObject({ code: 'invalid-code' });
    await expect(provider.confirmCode(code, password)).rejects.toMatchObject({ code: 'invalid-code' });
    await provider.upkeep();
    expect(await db.asSystem((tx) => tx.select().from(identityCodes).where(eq(identityCodes.uid, uid)))).toEqual([]);
  });

  test('ends when another one of the person is used', async () => {
    const uid = randomUUID();
    await provider.createUser({ uid, email: `${uid}@example.com` });
    const [one, two] = [
      await provider.createResetCode(`${uid}@example.com`),
      await provider.createResetCode(`${uid}@example.com`),
    ];
    await provider.confirmCode(one ?? '', password);
    await expect(provider.verifyCode(two ?? '')).rejects.toMatchObject({ code: 'invalid-code' });
  });
});

describe('an ID token', () => {
  test('ends after 15 minutes', async () => {
    const { idToken, expiresAt } = await signIn();
    expect(expiresAt.getTime()).toBe(Math.floor(now / 1000) * 1000 + 15 * minutes);
    now = expiresAt.getTime() - 1;
    await expect(provider.verify(idToken)).resolves.toMatchObject({ email });
    now = expiresAt.getTime();
    await expect(provider.verify(idToken)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('counts a few seconds before its own time, since clocks differ, and not before', async () => {
    const { idToken } = await signIn();
    const dated = Math.floor(now / 1000) * 1000;
    now = dated - 5 * seconds;
    await expect(provider.verify(idToken)).resolves.toMatchObject({ email });
    now -= 1;
    await expect(provider.verify(idToken)).rejects.toMatchObject({ code: 'unauthenticated' });
    now = dated + 1 * seconds;
  });

  test('is dated after the moment in which earlier ones ended', async () => {
    const { uid } = await signIn();
    now = Math.floor(now / 1000) * 1000 + 300;
    await provider.revoke(uid);
    const revokedAt = now;
    now += 200;
    const { issuedAt } = await provider.verify((await signIn()).idToken);
    expect(issuedAt.getTime()).toBeGreaterThanOrEqual(revokedAt);
  });
});

describe('the end of tokens', () => {
  test('is after every token made by then, and at most a second away', () => {
    const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    // Whole seconds are where rounding goes wrong.
    const any = fc.oneof(
      moment,
      moment.map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000)),
    );
    fc.assert(
      fc.property(any, fc.nat(5000), (ended, earlierMs) => {
        const issuedAt = Math.floor((ended.getTime() - earlierMs) / 1000) * 1000;
        const from = earliestIssue(endOfTokens(ended)).getTime();
        expect(issuedAt).toBeLessThan(from);
        expect(from - ended.getTime()).toBeLessThanOrEqual(1000);
      }),
    );
  });

  test('is after every token of a session that it ends, however they meet', async () => {
    // Time goes on while one waits for the other, by more than a second every few steps.
    let ticking = Date.now();
    const ours = await openEmbeddedIdentity(db, issuer, () => (ticking += 170));
    const uid = randomUUID();
    const address = 'race@example.com';
    await ours.createUser({ uid, email: address, password });
    for (let round = 0; round < 8; round += 1) {
      const sessions = await Promise.all([0, 1, 2].map(() => ours.signIn(address, password)));
      const refreshes = sessions.map(({ refreshToken }) => ours.refresh(refreshToken.value));
      const [, , ended] = await Promise.all([refreshes[0], refreshes[1], ours.revoke(uid).then(tokensFrom)]);
      const grants = [...sessions, ...(await Promise.all(refreshes))];
      for (const grant of grants) {
        if (grant) expect(issuedAtOf(grant)).toBeLessThan(earliestIssue(ended).getTime());
      }
    }

    async function tokensFrom(): Promise<Date> {
      const ofUid = eq(identityAccounts.uid, uid);
      const [account] = await db.asSystem((tx) => tx.select().from(identityAccounts).where(ofUid));
      return account?.tokensFrom ?? new Date(0);
    }
  });

  test('has, of one session, the token that it is just exchanged for', async () => {
    const { uid } = await signIn();
    // None of another session is open.
    await provider.revoke(uid);
    now += 1000;
    const { refreshToken } = await signIn();
    const isOpen = and(eq(identityRefreshTokens.uid, uid), isNull(identityRefreshTokens.revokedAt));
    const ofAccount = eq(identityAccounts.uid, uid);
    // As an exchange does it: under the account's lock one more token of the family.
    const ending = await db.asSystem(async (tx) => {
      await tx.select().from(identityAccounts).where(ofAccount).for('update');
      const [token] = await tx.select().from(identityRefreshTokens).where(isOpen);
      const ended = provider.endSession(refreshToken.value);
      await waitedFor(tx);
      if (token) await tx.insert(identityRefreshTokens).values({ ...token, tokenHash: randomUUID() });
      return { ended };
    });
    expect(await ending.ended).toMatchObject({ uid });
    expect(await db.asSystem((tx) => tx.select().from(identityRefreshTokens).where(isOpen))).toEqual([]);
  });

  test('ends a sign-in, too, that waits for the next second', async () => {
    const { uid } = await signIn();
    now = Math.floor(now / 1000) * 1000 + 1000;
    await provider.revoke(uid);
    const before = await sessionsOf(uid);
    const waiting = signIn();
    waiting.catch(() => {});
    await expect.poll(() => sessionsOf(uid)).toBe(before + 1);
    await provider.revoke(uid);
    await expect(waiting).rejects.toMatchObject({ code: 'invalid-credentials' });
    now += 1000;
  });

  async function sessionsOf(uid: string): Promise<number> {
    const ofUid = eq(identityRefreshTokens.uid, uid);
    return (await db.asSystem((tx) => tx.select().from(identityRefreshTokens).where(ofUid))).length;
  }

  function issuedAtOf({ idToken }: Grant): number {
    return Number(decodeJwt(idToken).iat) * 1000;
  }
});

describe('the signing keys', () => {
  const kidOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
  const published = async (by: IdentityProvider) =>
    ((await by.jwks()) as { keys: JWK[] }).keys.map(({ kid }) => String(kid));

  test('are one for many first starts at once', async () => {
    const fresh = await createTestDatabase();
    const freshDb = await openDatabase(fresh.connection, { name: 'test', log });
    const all = await Promise.all(Array.from({ length: 8 }, () => openEmbeddedIdentity(freshDb, issuer)));
    expect(new Set((await Promise.all(all.map(published))).flat()).size).toBe(1);
    await freshDb.close();
    await fresh.drop();
  });

  test('change every 90 days: announced, then signing, then the old one goes; no process has to start again', async () => {
    const other = await anotherProcess();
    const [old = ''] = await published(provider);
    const session = await signIn();
    expect(kidOf(session.idToken)).toBe(old);

    now += 90 * days;
    const beforeRotation = await signIn();
    await provider.upkeep();
    // Several processes, and several times: one key.
    await other.upkeep();
    await provider.upkeep();
    const both = await published(provider);
    expect(both).toHaveLength(2);
    expect(both[0]).toBe(old);
    expect(kidOf((await signIn()).idToken)).toBe(old);

    now += hours;
    // The other one has not been told of anything.
    expect(await published(other)).toEqual(both);
    const signed = await signIn();
    expect(kidOf(signed.idToken)).toBe(both[1]);
    await expect(other.verify(signed.idToken)).resolves.toMatchObject({ email });
    const stillOld = kidOf(beforeRotation.idToken);
    expect(stillOld).toBe(old);

    // The last token that the old one signed is over, and some time for clocks that differ.
    await provider.upkeep();
    expect(await published(provider)).toHaveLength(2);
    now += hours + 16 * minutes;
    await provider.upkeep();
    expect(await published(provider)).toEqual([both[1]]);
    now += 61 * seconds;
    expect(await published(other)).toEqual([both[1]]);
  });

  test('that are replaced verify the tokens that they have signed', async () => {
    now += 90 * days;
    await provider.upkeep();
    now += hours - 1;
    const { idToken } = await signIn();
    now += 14 * minutes;
    const newer = await signIn();
    expect(kidOf(newer.idToken)).not.toBe(kidOf(idToken));
    await provider.upkeep();
    await expect(provider.verify(idToken)).resolves.toMatchObject({ email });
    await expect((await anotherProcess()).verify(idToken)).resolves.toMatchObject({ email });
  });

  test('that leaked and are retired by hand are replaced within a minute, and the sessions live on', async () => {
    const { idToken, refreshToken } = await signIn();
    // One whose signature has been seen is over, too.
    await expect(provider.verify(idToken)).resolves.toMatchObject({ email });
    await db.asSystem((tx) =>
      tx
        .update(serviceKeys)
        .set({ retiredAt: new Date(now) })
        .where(eq(serviceKeys.purpose, 'id-token')),
    );
    now += 61 * seconds;
    await expect(provider.verify(idToken)).rejects.toMatchObject({ code: 'unauthenticated' });
    const next = await refreshed(refreshToken.value);
    expect(kidOf(next.idToken)).not.toBe(kidOf(idToken));
    await expect((await anotherProcess()).verify(next.idToken)).resolves.toMatchObject({ email });
  });

  test('of another purpose, made up or retired sign nothing that passes', async () => {
    const claims = { email, role: 'admin', companyId: randomUUID(), auth_time: Math.floor(now / 1000) };
    const sign = (alg: string, kid: string | undefined, key: Parameters<SignJWT['sign']>[0]) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
        .setSubject(randomUUID())
        .setIssuer(issuer)
        .setAudience('footnote')
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor(now / 1000) + 60)
        .sign(key);
    const rows = await db.asSystem((tx) => tx.select().from(serviceKeys));
    const own = rows.find(({ purpose, retiredAt }) => purpose === 'id-token' && retiredAt === null);
    const retired = rows.find(({ purpose, retiredAt }) => purpose === 'id-token' && retiredAt !== null);
    const secret = rows.find(({ purpose }) => purpose === 'refresh-token');
    if (!own || !retired || !secret) throw new Error('a key is missing');
    const ownKey = await importJWK(own.jwk, 'EdDSA');
    await expect(provider.verify(await sign('EdDSA', own.jwk.kid, ownKey))).resolves.toMatchObject({ email });

    const strange = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    const rsa = await generateKeyPair('RS256');
    const { d: _, ...publicJwk } = own.jwk;
    const bad = [
      sign('HS256', secret.jwk.kid, Buffer.from(secret.jwk.k ?? '', 'base64url')),
      sign('HS256', own.jwk.kid, Buffer.from(own.jwk.x ?? '', 'base64url')),
      sign('HS256', own.jwk.kid, Buffer.from(JSON.stringify(publicJwk))),
      sign('EdDSA', own.jwk.kid, strange.privateKey),
      sign('EdDSA', secret.jwk.kid, ownKey),
      sign('EdDSA', (await exportJWK(strange.publicKey)).x, strange.privateKey),
      sign('RS256', own.jwk.kid, rsa.privateKey),
      sign('EdDSA', retired.jwk.kid, await importJWK(retired.jwk, 'EdDSA')),
    ];
    for (const token of bad) {
      await expect(provider.verify(await token)).rejects.toMatchObject({ code: 'unauthenticated' });
    }
  });
});

describe('hashing', () => {
  test('runs so many at once, lets so many wait, and refuses the rest', async () => {
    const inTurn = turns(2, { all: 3, ofOne: 3 });
    let [running, most] = [0, 0];
    const gate = Promise.withResolvers<void>();
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
    };
    const all = Array.from({ length: 7 }, () => inTurn(work, 'one'));
    const settled = Promise.allSettled(all);
    gate.resolve();
    expect((await settled).map(({ status }) => status)).toEqual([
      ...Array(5).fill('fulfilled'),
      ...Array(2).fill('rejected'),
    ]);
    await expect(all[6]).rejects.toMatchObject({ code: 'too-many-requests', details: { retryAfterSeconds: 5 } });
    expect(most).toBe(2);
    // Places are given back, also by work that fails.
    await expect(inTurn(() => Promise.reject(new Error('failed')), 'one')).rejects.toThrow('failed');
    await Promise.all(Array.from({ length: 5 }, () => inTurn(work, 'one')));
    expect(most).toBe(2);
  });

  test('takes turns by address, and one address never has all places', async () => {
    const inTurn = turns(1, { all: 6, ofOne: 5 });
    const gate = Promise.withResolvers<void>();
    const done: string[] = [];
    const ask = (from: string) =>
      inTurn(async () => {
        await gate.promise;
        done.push(from);
      }, from).catch((error: { code: string }) => error.code);
    const crowd = Array.from({ length: 8 }, () => ask('crowd'));
    // The sixth place is free, the others push the crowd's last ones out: two each, as many as the crowd keeps.
    const others = ['a', 'b', 'a', 'b'].map(ask);
    gate.resolve();
    expect(await Promise.all(others)).toEqual([undefined, undefined, undefined, undefined]);
    expect((await Promise.all(crowd)).filter((code) => code === 'too-many-requests')).toHaveLength(5);
    expect(done).toEqual(['crowd', 'crowd', 'a', 'b', 'crowd', 'a', 'b']);
    // Equal shares stay as they are: whoever comes too late is refused.
    const hold = Promise.withResolvers<void>();
    const equal = Array.from({ length: 7 }, (_, n) => inTurn(() => hold.promise, String(n)));
    await expect(inTurn(async () => {}, 'late')).rejects.toMatchObject({ code: 'too-many-requests' });
    hold.resolve();
    await Promise.all(equal);
  });
});
