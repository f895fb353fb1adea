import { randomUUID } from 'node:crypto';
import { importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CallInput, CallName } from '#contract/calls.ts';
import { eq } from '#server/db/drizzle.ts';
import { serviceKeys } from '#server/db/schema.ts';
import { renderMail } from '#server/features/mail/render.ts';
import { openEmbeddedIdentity } from '#server/ports/identity/embedded.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';
import { here, startTestIdentity, type TestIdentity } from '#server/testing/identity.ts';

// Attempts to get in, one by one. What is refused here for the whole app is tried at the port in greater detail.

/** What a piece of work does that takes time; counted beside the real thing. */
interface Work {
  hashes: number;
  statements: number;
}
const counting = await vi.hoisted(async () => {
  const { AsyncLocalStorage } = await import('node:async_hooks');
  return new AsyncLocalStorage<Work>();
});
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  const count = () => {
    const work = counting.getStore();
    if (work) work.hashes += 1;
  };
  const hash: typeof real.hash = (...args) => {
    count();
    return real.hash(...args);
  };
  const verify: typeof real.verify = (...args) => {
    count();
    return real.verify(...args);
  };
  return { ...real, hash, verify };
});
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
  const work = counting.getStore();
  if (work) work.statements += 1;
  return Reflect.apply(query, this, args);
};

async function workOf(what: () => Promise<unknown>): Promise<Work> {
  const work = { hashes: 0, statements: 0 };
  await counting.run(work, what);
  return work;
}

const another = 'copper lanterns hum 48';
let app: TestApp;
let provider: IdentityProvider;
let subject: TestIdentity;
let ours: { company: { id: string }; admin: Person };
let theirs: { company: { id: string }; admin: Person };
beforeAll(async () => {
  app = await startTestApp();
  provider = await openEmbeddedIdentity(app.app.db, app.config.publicUrl);
  subject = await startTestIdentity();
  ours = await app.signUp();
  theirs = await app.signUp();
});
afterAll(async () => {
  await app.close();
  await subject.close();
});

describe('a forged token', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const keysFor = (purpose: 'id-token' | 'file-link' | 'device') =>
    app.app.db.asSystem((tx) => tx.select().from(serviceKeys).where(eq(serviceKeys.purpose, purpose)));

  async function claimsLike(changes: JWTPayload = {}): Promise<JWTPayload> {
    const { uid: sub, email } = ours.admin;
    const who = { sub, email, role: 'admin', companyId: ours.company.id };
    const about = { iss: app.config.publicUrl, aud: 'footnote', iat: now(), exp: now() + 60, auth_time: now() };
    return { ...who, ...about, ...changes };
  }

  /** Signed with our own key: only the claims can be wrong. */
  async function signed(claims: JWTPayload): Promise<string> {
    const [row] = await keysFor('id-token');
    const { kid } = row?.jwk ?? {};
    return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid }).sign(await importJWK(row?.jwk ?? {}, 'EdDSA'));
  }

  const use = (token: string) => app.call('getSession', null, { token });

  test('passes when nothing is wrong with it (or the next ones prove nothing)', async () => {
    await expect(use(await signed(await claimsLike()))).resolves.toMatchObject({ user: { uid: ours.admin.uid } });
  });

  test.each<[string, () => JWTPayload]>([
    ['of another issuer', () => ({ iss: 'https://elsewhere.example' })],
    ['of an issuer that only begins like ours', () => ({ iss: `${app.config.publicUrl}.elsewhere.example` })],
    ['for another audience', () => ({ aud: 'something-else' })],
    ['with a company of other people', () => ({ companyId: theirs.company.id })],
    ['expired', () => ({ iat: now() - 100, exp: now() - 1 })],
    ['from the future', () => ({ iat: now() + 60, exp: now() + 120 })],
    ['not valid yet', () => ({ nbf: now() + 60 })],
    ['for ever', () => ({ exp: undefined })],
    ['of a person of the other company', () => ({ sub: theirs.admin.uid })],
    ['of nobody', () => ({ sub: randomUUID() })],
    ['with a role that there is not', () => ({ role: 'owner' })],
  ])('is refused: %s', async (_, changes) => {
    const token = await signed(await claimsLike(changes()));
    await expect(use(token)).rejects.toMatchObject({ status: 'UNAUTHENTICATED' });
  });

  test('is refused: unsigned, with the signature cut off, or signed as what it is not', async () => {
    const claims = await claimsLike();
    const [header = '', payload = '', signature = ''] = (await signed(claims)).split('.');
    const [own] = await keysFor('id-token');
    const [link] = await keysFor('file-link');
    const [device] = await keysFor('device');
    const published = await (await app.fetch('/.well-known/jwks.json')).text();
    const bytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64url');
    const hs256 = (key: Uint8Array, kid?: string) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256', ...(kid !== undefined && { kid }) }).sign(key);
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const bad = [
      new UnsecuredJWT(claims).encode(),
      `${encoded({ alg: 'none' })}.${payload}.`,
      `${encoded({ alg: 'None', kid: own?.jwk.kid })}.${payload}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}.${encoded({ ...claims, companyId: theirs.company.id })}.${signature}`,
      await hs256(bytes(own?.jwk.x), own?.jwk.kid),
      await hs256(Buffer.from(published), own?.jwk.kid),
      await hs256(bytes(link?.jwk.k), link?.jwk.kid),
      await hs256(bytes(device?.jwk.k), device?.jwk.kid),
      `${encoded({ alg: 'EdDSA', jwk: own?.jwk })}.${payload}.${Buffer.from('x'.repeat(64)).toString('base64url')}`,
    ];
    for (const token of bad) await expect(use(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('a refresh token, a code and the mark of a browser are no bearers', async () => {
    const grant = await provider.signIn(ours.admin.email, goodPassword);
    const code = (await provider.createResetCode(ours.admin.email)) ?? '';
    const { device } = await subject.identity.signUp(
      { companyName: 'Example', email: uniqueEmail(), password: goodPassword },
      here,
    );
    for (const token of [grant.refreshToken.value, code, device?.value ?? '']) {
      await expect(use(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    }
  });
});

describe('something used again', () => {
  test('a refresh token: the session of thief and owner ends', async () => {
    const { email } = await subject.newCompany();
    const stolen = (await subject.identity.signIn({ email, password: goodPassword }, here)).refreshToken.value;
    const owner = await subject.identity.refreshSession(stolen, here);
    subject.pass(31_000);
    for (const value of [stolen, owner.refreshToken.value]) {
      await expect(subject.identity.refreshSession(value, here)).rejects.toMatchObject({ code: 'session-expired' });
    }
  });

  test('a code, one after the other and several at once', async () => {
    const { email } = await subject.newCompany();
    const confirm = (oobCode: string, newPassword: string) =>
      subject.identity.confirmPasswordReset({ oobCode, newPassword }, here);
    const code = (await subject.provider.createResetCode(email)) ?? '';
    const all = await Promise.allSettled(Array.from({ length: 5 }, (_, n) => confirm(code, `${another} take ${n}`)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of all) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'invalid-code' });
    }
    const won = all.findIndex(({ status }) => status === 'fulfilled');
    const password = `${another} take ${won}`;
    await expect(subject.identity.signIn({ email, password }, here)).resolves.toHaveProperty('session');
    await expect(confirm(code, another)).rejects.toMatchObject({ code: 'invalid-code' });
  });

  test('a code for another purpose: neither kind opens what the other one does', async () => {
    const admin = await subject.newCompany();
    const invited = await subject.invite(admin.companyId);
    const member = (await subject.provider.findUser(admin.email))?.uid ?? '';
    const attempts = [
      // An invitation's person has no password to reset, or its 7 days and its seat would be got around.
      await subject.provider.createResetCode(invited.email),
      // A person who is in needs no invitation: its week would outlive the hour of a reset.
      (await subject.provider.createInviteCode(member)).code,
    ];
    for (const oobCode of attempts) {
      const input = { oobCode: oobCode ?? '', newPassword: another };
      await expect(subject.identity.confirmPasswordReset(input, here)).rejects.toMatchObject({ code: 'invalid-code' });
    }
    await expect(subject.identity.signIn({ email: admin.email, password: goodPassword }, here)).resolves.toBeDefined();
  });

  test('a session, a token and a code from before the password was reset', async () => {
    const { email } = await subject.newCompany();
    const thief = await subject.identity.signIn({ email, password: goodPassword }, here);
    const [one = '', two = ''] = [
      (await subject.provider.createResetCode(email)) ?? '',
      (await subject.provider.createResetCode(email)) ?? '',
    ];
    await subject.identity.confirmPasswordReset({ oobCode: one, newPassword: another }, here);
    await expect(subject.authenticate(thief.session.idToken)).rejects.toMatchObject({ code: 'session-expired' });
    const refreshed = subject.identity.refreshSession(thief.refreshToken.value, here);
    await expect(refreshed).rejects.toMatchObject({ code: 'session-expired' });
    const again = subject.identity.confirmPasswordReset({ oobCode: two, newPassword: goodPassword }, here);
    await expect(again).rejects.toMatchObject({ code: 'invalid-code' });
    // And the owner is told.
    expect(subject.mails.at(-1)).toMatchObject({ to: email, subject: 'Your Footnote password was changed' });
  });
});

describe('addresses', () => {
  test.each(['continueUrl', 'from', 'redirect', 'url'])('a call takes no %s to lead anyone to', async (name) => {
    for (const call of ['sendPasswordReset', 'signIn', 'confirmPasswordReset'] as const) {
      const { status, body } = await post(call, { ...inputs[call], [name]: 'https://elsewhere.example' });
      expect([status, body.error?.details.code]).toEqual([400, 'invalid-input']);
    }
  });

  test('of mailed links are made of PUBLIC_URL, whatever host the request names', async () => {
    const { email } = await app.signUp().then(({ admin }) => admin);
    const disguises: Record<string, string>[] = [
      { host: 'elsewhere.example' },
      { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'https' },
      { forwarded: 'host=elsewhere.example' },
      { origin: 'https://elsewhere.example', referer: 'https://elsewhere.example/login' },
    ];
    for (const headers of disguises) {
      expect((await post('sendPasswordReset', { email }, headers)).status).toBe(200);
    }
    const owner = await subject.newCompany();
    await subject.identity.sendPasswordReset({ email: owner.email }, here);
    await subject.work();
    const { action } = subject.mails.at(-1) ?? {};
    expect(action?.url).toMatch(/^http:\/\/footnote\.localhost\/login\?oobCode=[\w-]{43}$/);
  });

  test.each([
    'ann@example.com\r\nBcc: everyone@example.com',
    'ann@example.com\nSubject: you have won',
    'ann@example.com, everyone@example.com',
    'ann@example.com;everyone@example.com',
    '"Ann\r\nBcc: x@example.com" <ann@example.com>',
    'ann@example.com\u2028bcc:x@example.com',
    'ann@example.com%0d%0abcc:x@example.com',
    'ann@example.com\u0000',
  ])('of e-mail that would add a header or a reader are refused: %j', async (email) => {
    const { body } = await post('signUp', { companyName: 'Example', email, password: goodPassword });
    expect(body.error?.details.code).toBe('invalid-input');
    // Where other text is taken, so that the answer does not tell, it is no address of anybody.
    const asked = await post('sendPasswordReset', { email });
    const tried = await post('signIn', { email, password: goodPassword });
    if (/\p{Cc}/u.test(email)) {
      for (const each of [asked, tried]) expect(each.body.error?.details.code).toBe('invalid-input');
    } else {
      expect(asked.body).toEqual({ result: null });
      expect(tried.body.error?.details.code).toBe('invalid-credentials');
      const before = subject.mails.length;
      await subject.identity.mailPasswordReset({ email });
      expect(subject.mails).toHaveLength(before);
    }
  });

  test('a name that would change a mail is refused, and would only be a name in it', async () => {
    const name = 'Acme\r\nBcc: x@example.com\r\n\r\n<script>alert(1)</script><a href="https://elsewhere.example">';
    const { body } = await post('signUp', { companyName: name, email: uniqueEmail(), password: goodPassword });
    expect(body.error?.details.code).toBe('invalid-company-name');
    const mail = { to: 'a@example.com', subject: `Join ${name}`, heading: name, paragraphs: [name] };
    const { text, html } = renderMail(mail, { name });
    expect(text).not.toMatch(/^Bcc:/m);
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<a href="https://elsewhere.example"');
  });
});

describe('whether an e-mail is known', () => {
  test('is not told by status, words or headers of any call but sign-up', async () => {
    const known = ours.admin.email;
    const invited = await invitedEmail();
    const emails = [known, invited, uniqueEmail(), 'nonsense'];
    for (const [call, input] of [
      ['signIn', { password: 'not the password' }],
      ['sendPasswordReset', {}],
    ] as const) {
      const answers = [];
      for (const email of emails) {
        const { status, body, headers } = await post(call, { ...input, email });
        const told = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name));
        answers.push(JSON.stringify([status, body, told]));
      }
      expect(new Set(answers).size).toBe(1);
    }
  });

  test('is not told by the work done: as many hashes and statements, whoever it is', async () => {
    const { email, companyId } = await subject.newCompany();
    const invited = await subject.invite(companyId);
    const works = [];
    for (const each of [email, invited.email, uniqueEmail(), 'nonsense']) {
      const wrong = () => subject.identity.signIn({ email: each, password: 'not the password' }, here).catch(() => {});
      const ask = () => subject.identity.sendPasswordReset({ email: each }, here);
      works.push([await workOf(wrong), await workOf(ask)]);
    }
    const [first] = works;
    expect(first?.[0]?.hashes).toBe(1);
    expect(first?.[0]?.statements).toBeGreaterThan(3);
    expect(first?.[1]?.hashes).toBe(0);
    for (const each of works) expect(each).toEqual(first);
  });

  async function invitedEmail(): Promise<string> {
    const email = uniqueEmail('invited');
    await provider.createUser({ uid: randomUUID(), email });
    return email;
  }
});

test('a page of another site can not use the cookies', async () => {
  for (const call of ['refreshSession', 'signOut', 'reauthenticate', 'changePassword'] as const) {
    const headers = { origin: 'https://elsewhere.example', authorization: `Bearer ${ours.admin.token}` };
    const { body } = await post(call, call === 'reauthenticate' ? { password: goodPassword } : null, headers);
    expect(body.error?.details.code).toBe('permission-denied');
  }
  const { headers } = await post('signIn', inputs.signIn);
  for (const cookie of headers.getSetCookie()) expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});

test('over https no cookie is sent without it', async () => {
  const secure = await startTestApp({ publicUrl: 'https://footnote.test' });
  const response = await secure.fetch('/v1/signUp', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { companyName: 'Example', email: uniqueEmail(), password: goodPassword } }),
  });
  const cookies = response.headers.getSetCookie();
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
  await secure.close();
});

const inputs = {
  sendPasswordReset: { email: 'somebody@example.com' },
  signIn: { email: 'somebody@example.com', password: 'not the password' },
  confirmPasswordReset: { oobCode: 'made-up', newPassword: goodPassword },
} satisfies { [Name in CallName]?: CallInput<Name> };

async function post(call: CallName, data: unknown, headers: Record<string, string> = {}) {
  const response = await app.fetch(`/v1/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ data }),
  });
  const body = (await response.json()) as { result?: unknown; error?: { message: string; details: { code: string } } };
  return { status: response.status, body, headers: response.headers };
}
