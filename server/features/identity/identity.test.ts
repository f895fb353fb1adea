import type { JWK } from 'jose';
import { importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq, sql } from '#server/db/drizzle.ts';
import { companies, identityAccounts, identityRefreshTokens, serviceKeys, users } from '#server/db/schema.ts';
import { openEmbeddedIdentity } from '#server/ports/identity/embedded.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword, insertUser, uniqueEmail } from '#server/testing/factories.ts';

let app: TestApp;
let provider: IdentityProvider;
beforeAll(async () => {
  app = await startTestApp();
  provider = await openEmbeddedIdentity(app.app.db, app.config.publicUrl);
});
afterAll(() => app.close());

/** A call with the browser's cookie; answers the new cookie. */
async function withCookie(
  name: string,
  cookie: string | null,
  headers: Record<string, string> = {},
  data: unknown = null,
) {
  const response = await app.fetch(`/v1/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(cookie !== null && { cookie: `footnote_refresh=${cookie}` }),
      ...headers,
    },
    body: JSON.stringify({ data }),
  });
  const body = (await response.json()) as {
    result?: { idToken: string; user: { email: string } } | null;
    error?: { status: string; details: { code: string } };
  };
  const set = response.headers.get('set-cookie');
  return {
    status: response.status,
    body,
    code: body.error?.details.code,
    set,
    cookie: set?.match(/^footnote_refresh=([^;]*)/)?.[1] ?? '',
  };
}

async function newSession(): Promise<{ cookie: string; email: string; companyId: string; uid: string }> {
  const { admin, company } = await app.signUp();
  const { cookie } = await withCookie('signIn', null, {}, { email: admin.email, password: goodPassword });
  return { cookie, email: admin.email, companyId: company.id, uid: admin.uid };
}

describe('sign-up', () => {
  test('makes a company, its admin and a session in one', async () => {
    const email = uniqueEmail('ann');
    const { set, body } = await withCookie(
      'signUp',
      null,
      {},
      { companyName: '  Acme  ', email: ` ${email.toUpperCase()} `, password: goodPassword },
    );
    expect(body.result?.user).toMatchObject({ email, role: 'admin' });
    expect(set).toMatch(/^footnote_refresh=[\w-]{43}; Path=\/v1; Expires=[^;]+; HttpOnly; SameSite=Strict, /);
    const session = await app.call('getSession', null, { token: body.result?.idToken });
    expect(session).toMatchObject({
      user: { email, role: 'admin' },
      company: { name: 'Acme' },
      subscription: { state: 'none', plan: null, seats: null, seatsUsed: 1 },
      entitlements: { chat: true, upload: true, invite: true },
      branding: { name: 'Footnote' },
    });
    const [company] = await app.app.db.asSystem((tx) =>
      tx.select().from(companies).where(eq(companies.id, session.company.id)),
    );
    expect(company?.ownerId).toBe(session.user.uid);
  });

  test('refuses an e-mail that is there, in any case, and makes no company', async () => {
    const { admin } = await app.signUp();
    const count = () => app.app.db.asSystem(async (tx) => (await tx.select().from(companies)).length);
    const before = await count();
    const again = app.signUp({ email: admin.email.toUpperCase() });
    await expect(again).rejects.toMatchObject({ code: 'email-already-in-use', status: 'ALREADY_EXISTS' });
    expect(await count()).toBe(before);
  });

  test('of many with one e-mail at once exactly one succeeds', async () => {
    const email = uniqueEmail();
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => app.signUp({ email })));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of all) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'email-already-in-use' });
    }
  });

  test.each([
    ['too short', 'short pass'],
    ['too long', 'x1'.repeat(65)],
    ['one letter', 'aaaaaaaaaaaaaaaa'],
    ['a repeated piece', 'abc1xabc1xabc1x'],
    ['a run of digits', '123456789012'],
    ['a run of the keyboard', 'qwertyuiopasdf'],
    ['the first thing tried', 'Password1234!'],
    ['the same with other signs', 'P@$$w0rd2026!!'],
    ['a greeting', 'welcome-welcome-1'],
    ['the e-mail name', 'xx-robin.hood-xx-77'],
    ['the e-mail name in other letters', 'MY R0BINHOOD 4711!'],
  ])('refuses a weak password: %s', async (_why, password) => {
    const weak = app.signUp({ email: 'Robin.Hood@example.org', password });
    await expect(weak).rejects.toMatchObject({ code: 'weak-password', status: 'INVALID_ARGUMENT' });
  });

  test.each(['violet anchors drift', '密码很长而且不容易猜到的一句话', 'Tr0ub4dor-under-glass', '8QmZ-4xPv-9LkW'])(
    'takes the password "%s"',
    async (password) => {
      const { admin } = await app.signUp({ password });
      await expect(app.call('signIn', { email: admin.email, password })).resolves.toMatchObject({
        user: { uid: admin.uid },
      });
    },
  );

  test.each([
    [{ companyName: '   ' }, 'companyName'],
    [{ email: 'nobody' }, 'email'],
    [{ companyName: 'x'.repeat(201) }, 'companyName'],
  ])('names what is wrong with %j', async (input, path) => {
    await expect(app.signUp(input)).rejects.toMatchObject({ code: 'invalid-input', details: { issues: [{ path }] } });
  });
});

describe('sign-in', () => {
  test('knows the e-mail in any case', async () => {
    const { admin } = await app.signUp();
    const { user } = await app.call('signIn', { email: ` ${admin.email.toUpperCase()}`, password: goodPassword });
    expect(user.uid).toBe(admin.uid);
  });

  test('says the same of a wrong password, an unknown e-mail and nonsense', async () => {
    const { admin } = await app.signUp();
    for (const email of [admin.email, uniqueEmail(), 'nonsense', '']) {
      const wrong = app.call('signIn', { email, password: 'not the password' });
      await expect(wrong).rejects.toMatchObject({
        code: 'invalid-credentials',
        message: 'Failed to log in. Please check your email and password.',
        details: { code: 'invalid-credentials' },
      });
    }
  });

  test('does not sign in who is only invited', async () => {
    const { company } = await app.signUp();
    const { uid, email } = await insertUser(app.app.db, company.id);
    await app.app.db.asSystem((tx) => tx.update(users).set({ state: 'invited' }).where(eq(users.id, uid)));
    const invited = app.call('signIn', { email, password: goodPassword });
    await expect(invited).rejects.toMatchObject({ code: 'invalid-credentials' });
  });

  test('keeps passwords as argon2id hashes and tokens as hashes only', async () => {
    const { cookie, uid } = await newSession();
    const [hashes, tokens] = await app.app.db.asSystem((tx) =>
      Promise.all([
        tx.select().from(identityAccounts).where(eq(identityAccounts.uid, uid)),
        tx.select().from(identityRefreshTokens).where(eq(identityRefreshTokens.uid, uid)),
      ]),
    );
    expect(hashes[0]?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(tokens.length).toBe(2);
    expect(JSON.stringify([hashes, tokens])).not.toContain(cookie);
  });
});

describe('the refresh cookie', () => {
  test('is exchanged for a successor and a new ID token', async () => {
    const { cookie, email } = await newSession();
    const next = await withCookie('refreshSession', cookie);
    expect(next.body.result?.user.email).toBe(email);
    expect(next.cookie).not.toBe(cookie);
    const token = next.body.result?.idToken;
    expect((await app.call('getSession', null, { token })).user.email).toBe(email);
    expect((await withCookie('refreshSession', next.cookie)).status).toBe(200);
  });

  test('gives many at once the same successor, and the session lives on', async () => {
    const { cookie } = await newSession();
    const all = await Promise.all(Array.from({ length: 6 }, () => withCookie('refreshSession', cookie)));
    expect(new Set(all.map((each) => each.cookie)).size).toBe(1);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await withCookie('refreshSession', all[0]?.cookie ?? '')).status).toBe(200);
  });

  test('spent for more than 30 s is taken for stolen: the whole family ends', async () => {
    const { cookie, uid } = await newSession();
    const next = await withCookie('refreshSession', cookie);
    await age(uid, 29);
    expect((await withCookie('refreshSession', cookie)).cookie).toBe(next.cookie);
    await age(uid, 2);
    expect((await withCookie('refreshSession', cookie)).code).toBe('session-expired');
    expect((await withCookie('refreshSession', next.cookie)).code).toBe('session-expired');
  });

  test('of another sign-in is not touched by that', async () => {
    const first = await newSession();
    const second = await withCookie('signIn', null, {}, { email: first.email, password: goodPassword });
    await withCookie('refreshSession', first.cookie);
    await age(first.uid, 60);
    expect((await withCookie('refreshSession', first.cookie)).code).toBe('session-expired');
    expect((await withCookie('refreshSession', second.cookie)).status).toBe(200);
  });

  test('ends after its 30 days, with sign-out, and with the person', async () => {
    const old = await newSession();
    await app.app.db.asSystem((tx) =>
      tx.execute(sql`update identity_refresh_tokens set expires_at = now() where uid = ${old.uid}`),
    );
    expect((await withCookie('refreshSession', old.cookie)).code).toBe('session-expired');

    const left = await newSession();
    const successor = await withCookie('refreshSession', left.cookie);
    const out = await withCookie('signOut', successor.cookie);
    expect(out.body).toEqual({ result: null });
    expect(out.set).toMatch(/^footnote_refresh=; (Max-Age=0; )?Path=\/v1; Expires=Thu, 01 Jan 1970/);
    expect((await withCookie('refreshSession', successor.cookie)).code).toBe('session-expired');

    const removed = await newSession();
    await app.app.db.asSystem((tx) => tx.delete(users).where(eq(users.companyId, removed.companyId)));
    expect((await withCookie('refreshSession', removed.cookie)).code).toBe('session-expired');
  });

  test('absent, empty or made up is no session; signing out of it is fine', async () => {
    for (const cookie of [null, '', 'made-up', 'x'.repeat(3000)]) {
      expect((await withCookie('refreshSession', cookie)).code).toBe('session-expired');
      expect((await withCookie('signOut', cookie)).status).toBe(200);
    }
  });

  test('works for pages of our own origin only', async () => {
    const { cookie } = await newSession();
    for (const origin of ['https://elsewhere.example', 'null', `${app.config.publicUrl}.elsewhere.example`]) {
      expect((await withCookie('refreshSession', cookie, { origin })).code).toBe('permission-denied');
      expect((await withCookie('signOut', cookie, { origin })).code).toBe('permission-denied');
    }
    const same = await withCookie('refreshSession', cookie, { origin: app.config.publicUrl });
    expect(same.status).toBe(200);
    expect((await withCookie('refreshSession', same.cookie, { origin: app.url })).status).toBe(200);
  });

  async function age(uid: string, seconds: number) {
    await app.app.db.asSystem((tx) =>
      tx.execute(
        sql`update identity_refresh_tokens set used_at = used_at - make_interval(secs => ${seconds}) where uid = ${uid}`,
      ),
    );
  }
});

describe('the ID token', () => {
  async function signingKey() {
    const [row] = await app.app.db.asSystem((tx) =>
      tx.select().from(serviceKeys).where(eq(serviceKeys.purpose, 'id-token')),
    );
    if (!row) throw new Error('no key');
    return { key: await importJWK(row.jwk, 'EdDSA'), kid: row.jwk.kid };
  }

  /** A token as ours, but for what is changed. */
  async function forge(user: { uid: string; email: string; companyId: string }, changes: Record<string, unknown> = {}) {
    const { key, kid } = await signingKey();
    const now = Math.floor(Date.now() / 1000);
    const { uid: sub, email, companyId } = user;
    const claims = {
      sub,
      email,
      companyId,
      role: 'admin',
      iss: app.config.publicUrl,
      aud: 'footnote',
      iat: now,
      exp: now + 60,
      auth_time: now,
      ...changes,
    };
    return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid }).sign(key);
  }

  async function someone() {
    const { admin, company, token } = await app.signUp();
    return { uid: admin.uid, email: admin.email, companyId: company.id, token };
  }

  test('is signed with the published key, for 15 minutes', async () => {
    const { token } = await someone();
    const jwks = (await (await app.fetch('/.well-known/jwks.json')).json()) as { keys: JWK[] };
    expect(jwks.keys).toHaveLength(1);
    expect(jwks.keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' });
    expect(jwks.keys[0]).not.toHaveProperty('d');
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ iss: app.config.publicUrl, aud: 'footnote', role: 'admin' });
    expect(claims.exp - claims.iat).toBe(900);
  });

  test('of ours is refused with a role that the user record does not have, and the next one has it', async () => {
    const user = await someone();
    const { refreshToken } = await provider.signIn(user.email, goodPassword);
    // By hand, past everything that would end the token.
    await app.app.db.asSystem((tx) => tx.update(users).set({ role: 'member' }).where(eq(users.id, user.uid)));
    const list = (token: string) => app.call('listUsers', null, { token });
    await expect(list(user.token)).rejects.toMatchObject({ code: 'session-expired' });
    const record = await forge(user, { role: undefined });
    await expect(list(record)).rejects.toMatchObject({ code: 'permission-denied' });
    const next = await withCookie('refreshSession', refreshToken.value);
    expect(next.status).toBe(200);
    const { idToken } = await app.call('signIn', { email: user.email, password: goodPassword });
    await expect(list(idToken)).rejects.toMatchObject({ code: 'permission-denied' });
  });

  test('from before tokensValidSince is refused at once, and one made right after it is not', async () => {
    const user = await someone();
    const code = (await provider.createResetCode(user.email)) ?? '';
    await app.call('confirmPasswordReset', { oobCode: code, newPassword: goodPassword });
    await expect(app.call('getSession', null, { token: user.token })).rejects.toMatchObject({
      code: 'session-expired',
    });
    const { idToken } = await app.call('signIn', { email: user.email, password: goodPassword });
    await expect(app.call('getSession', null, { token: idToken })).resolves.toBeDefined();
  });

  test('of a removed person is refused', async () => {
    const { company } = await app.signUp();
    const member = await app.addMember(company);
    await app.app.db.asSystem((tx) => tx.delete(users).where(eq(users.id, member.uid)));
    await expect(app.call('getSession', null, { token: member.token })).rejects.toMatchObject({
      code: 'session-expired',
    });
  });
});

test('SIGNUP=first lets exactly one of 20 at once in, and says so', async () => {
  const first = await startTestApp({ signup: 'first' });
  expect(await first.call('getSettings', null)).toMatchObject({ signupOpen: true, isEmpty: true });
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => first.signUp()));
  const refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
  expect(refused).toEqual(Array(19).fill('signup-closed'));
  expect(await first.app.db.asSystem((tx) => tx.select().from(companies))).toHaveLength(1);
  expect(await first.call('getSettings', null)).toMatchObject({ signupOpen: false, isEmpty: false });
  await first.close();
});
