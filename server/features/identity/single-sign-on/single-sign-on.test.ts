import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { and, eq, sql } from '#server/db/drizzle.ts';
import { auditEvents, companies, companyDomains, singleSignOns, users } from '#server/db/schema.ts';
import { requireFreeSeat } from '#server/features/team/seats.ts';
import { outboundAllowed } from '#server/lib/public-address.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword, insertUser, uniqueEmail } from '#server/testing/factories.ts';
import { insertKey } from '#server/testing/keys.ts';
import { startTestProvider, type TestProvider } from '#server/testing/oidc-provider.ts';
import { openPasswords } from './open-passwords.ts';
import { createSingleSignOnPeople } from './people.ts';

const publicUrl = 'http://footnote.localhost';
let app: TestApp;
let provider: TestProvider;
/** To which a company changes. */
let another: TestProvider;
/** What the domain name system says. */
const records = new Map<string, string[]>();

beforeAll(async () => {
  provider = await startTestProvider(`${publicUrl}/login`);
  another = await startTestProvider(`${publicUrl}/login`);
  const allowed = outboundAllowed(`${provider.issuer}, ${another.issuer}, http://127.0.0.1:9`);
  if (!allowed) throw new Error('not allowed');
  const resolveTxt = async (name: string) => {
    const found = records.get(name);
    if (!found) throw new Error(`${name} is not known`);
    return found;
  };
  app = await startTestApp({ outboundAllowed: allowed, billing: 'stripe' }, { resolveTxt });
});
afterAll(async () => {
  await app.close();
  await provider.close();
  await another.close();
});
beforeEach(() => {
  provider.tamper = null;
  provider.forges = false;
});

interface Answer<Name extends CallName> {
  result?: CallOutput<Name>;
  error?: { message: string; details: Record<string, unknown> };
  cookies: Map<string, string>;
}

/** A call as a page makes it: with cookies. */
async function ask<Name extends CallName>(
  name: Name,
  data: CallInput<Name>,
  { token, cookies = new Map() }: { token?: string; cookies?: Map<string, string> } = {},
): Promise<Answer<Name>> {
  const answer = await app.fetch(`/v1/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: publicUrl,
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ data }),
  });
  const kept = new Map(cookies);
  for (const line of answer.headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    const [key = '', value = ''] = pair.split(/=(.*)/s);
    if (value === '') kept.delete(key);
    else kept.set(key, value);
  }
  return { ...(await answer.json()), cookies: kept };
}

interface Company {
  id: string;
  admin: Person;
  domain: string;
}

/** A company that has set up the provider, and proved a domain. */
async function newCompany(): Promise<Company> {
  const domain = `${randomUUID()}.example`;
  const { company, admin } = await app.signUp({ email: `admin@${domain}` });
  await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
  const as = { token: admin.token };
  await app.call('saveSingleSignOn', provider.client, as);
  const { domains } = await app.call('addDomain', { domain }, as);
  const { name = '', value = '' } = domains[0]?.record ?? {};
  records.set(name, ['v=spf1 -all', value]);
  await app.call('checkDomain', { domain }, as);
  return { id: company.id, admin, domain };
}

async function begin(email: string): Promise<{ url: string; cookies: Map<string, string> }> {
  const { result, error, cookies } = await ask('beginSingleSignOn', { email });
  if (!result) throw new Error(error?.message);
  return { url: result.url, cookies };
}

/** The whole way to the provider and back, for whoever it lets in. */
async function signIn(email: string, person = { sub: email, email, email_verified: true }) {
  provider.person = person;
  const { url, cookies } = await begin(email);
  const { search } = await provider.signIn(url);
  return ask('completeSingleSignOn', { search }, { cookies });
}

/** The code of what it was refused with, and the reason. */
function refusal({ error, result }: Answer<CallName>): string {
  expect(result).toBeUndefined();
  const { code, reason } = error?.details ?? {};
  return [code, reason].filter((each) => each !== undefined).join(': ');
}

const usersOf = (companyId: string) =>
  app.app.db.asSystem((tx) => tx.select().from(users).where(eq(users.companyId, companyId)));
const audited = async (companyId: string) =>
  (await app.app.db.asCompany(companyId, (tx) => tx.select().from(auditEvents))).map(({ action }) => action);

describe('a person of the company', () => {
  test('comes in, the first time by the e-mail, and from then on by the name that the provider has for them', async () => {
    const company = await newCompany();
    const email = `ann@${company.domain}`;
    const { uid } = await insertUser(app.app.db, company.id, { email });
    const { result, cookies } = await signIn(email, { sub: 'ann-1', email, email_verified: true });
    expect(result).toMatchObject({ purpose: 'sign-in', session: { user: { uid, email, role: 'member' } } });
    expect(cookies.has('footnote_single_sign_on')).toBe(false);
    const token = result?.session?.idToken ?? '';
    expect((await app.call('getSession', null, { token })).user.uid).toBe(uid);
    const sessions = await app.call('listSessions', null, { token });
    expect(sessions.find(({ current }) => current)?.methods).toEqual(['single-sign-on']);
    expect((await ask('refreshSession', null, { cookies })).result?.user.uid).toBe(uid);

    const renamed = await signIn(email, { sub: 'ann-1', email: 'someone@elsewhere.example', email_verified: true });
    expect(renamed.result?.session?.user.uid).toBe(uid);
    // Whoever has the e-mail next is somebody else.
    expect(refusal(await signIn(email, { sub: 'ann-2', email, email_verified: true }))).toBe(
      'single-sign-on-unknown-person: another-person',
    );
    const actions = await audited(company.id);
    expect(actions).toEqual(expect.arrayContaining(['person-linked', 'signed-in', 'domain-verified']));
  });

  test('who is invited comes in by it; who is new joins as a member, and has no password', async () => {
    const company = await newCompany();
    const invited = `ben@${company.domain}`;
    await app.call('inviteUser', { email: invited, companyId: company.id }, { token: company.admin.token });
    expect((await signIn(invited)).result?.session?.user.email).toBe(invited);
    const fresh = `cem@${company.domain}`;
    const { result } = await signIn(fresh);
    expect(result?.session?.user).toMatchObject({ email: fresh, role: 'member', companyId: company.id });
    expect((await usersOf(company.id)).map(({ email, state }) => [email, state]).sort()).toEqual(
      [company.admin.email, invited, fresh].sort().map((email) => [email, 'active']),
    );
    await expect(app.call('signIn', { email: fresh, password: goodPassword })).rejects.toMatchObject({
      code: 'invalid-credentials',
    });
    expect(await audited(company.id)).toEqual(expect.arrayContaining(['invitation-accepted', 'person-joined']));
  });

  test('who comes twice at once joins once, and with one seat left one of two does', async () => {
    const company = await newCompany();
    const email = `dee@${company.domain}`;
    provider.person = { sub: email, email, email_verified: true };
    const ways = await Promise.all(
      [1, 2, 3].map(async () => {
        const { url, cookies } = await begin(email);
        return { cookies, search: (await provider.signIn(url)).search };
      }),
    );
    const complete = ({ search, cookies }: { search: string; cookies: Map<string, string> }) =>
      ask('completeSingleSignOn', { search }, { cookies });
    const answers = await Promise.all(ways.map(complete));
    expect(new Set(answers.map(({ result }) => result?.session?.user.email))).toEqual(new Set([email]));
    expect(await usersOf(company.id)).toHaveLength(2);

    // No plan that has single sign-on counts seats today; where one does, the last seat is given once.
    const personOf = createSingleSignOnPeople({
      db: app.app.db,
      jobs: app.app.jobs,
      requireSeat: (tx, _, now) => requireFreeSeat(tx, 3, now),
      clock: () => new Date(),
    });
    const comes = (name: string) => {
      const claims = {
        subject: name,
        email: `${name}@${company.domain}`,
        emailVerified: true,
        authenticatedAt: null,
        sid: null,
      };
      const ofProvider = { companyId: company.id, issuer: provider.issuer };
      return personOf(ofProvider, claims, { ip: '192.0.2.1', onlyUserId: null }).then(
        () => 'in',
        (error: unknown) => (error instanceof AppError ? error.code : error),
      );
    };
    expect((await Promise.all(['eli', 'fay', 'gus'].map(comes))).sort()).toEqual([
      'in',
      'seats-used-up',
      'seats-used-up',
    ]);
    expect(await usersOf(company.id)).toHaveLength(3);
  });
});

describe('what does not agree', () => {
  test.each([
    ['another nonce', (claims: object) => ({ ...claims, nonce: 'another' })],
    ['no nonce', (claims: object) => ({ ...claims, nonce: undefined })],
    ['another issuer', (claims: object) => ({ ...claims, iss: 'https://accounts.example' })],
    ['another audience', (claims: object) => ({ ...claims, aud: 'another' })],
    ['a token that has expired', (claims: object) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 600 })],
    ['a token that is not valid yet', (claims: object) => ({ ...claims, nbf: Math.floor(Date.now() / 1000) + 6000 })],
    ['a token without a person', (claims: object) => ({ ...claims, sub: undefined })],
    // With the e-mail, so that the provider is not asked about somebody whom it does not know.
    [
      'a person’s name longer than any',
      (claims: object) => ({ ...claims, sub: 'x'.repeat(256), email: provider.person.email }),
    ],
    [
      'a person’s name that cannot be kept',
      (claims: object) => ({ ...claims, sub: 'x\u0000', email: provider.person.email }),
    ],
  ])('%s is refused', async (_, tamper) => {
    const company = await shared();
    const email = company.admin.email;
    provider.tamper = tamper;
    expect(refusal(await signIn(email))).toMatch(/^single-sign-on-failed/);
  });

  test('another state, another issuer beside it, a code of before, no cookie and another browser’s are refused', async () => {
    const company = await shared();
    const email = company.admin.email;
    provider.person = { sub: email, email, email_verified: true };
    const { url, cookies } = await begin(email);
    const { search } = await provider.signIn(url);
    const changed = (name: string, value: string) => {
      const params = new URLSearchParams(search);
      params.set(name, value);
      return `?${params}`;
    };
    const with_ = (given: string, kept = cookies) => ask('completeSingleSignOn', { search: given }, { cookies: kept });
    expect(refusal(await with_(changed('state', 'another')))).toMatch(/^single-sign-on-failed/);
    expect(refusal(await with_(changed('iss', 'https://accounts.example')))).toMatch(/^single-sign-on-failed/);
    expect(refusal(await with_(search, new Map()))).toBe('single-sign-on-expired');
    expect(refusal(await with_(search, new Map([['footnote_single_sign_on', 'made up']])))).toBe(
      'single-sign-on-expired',
    );
    expect(refusal(await with_(search, (await begin(email)).cookies))).toMatch(/^single-sign-on-failed/);
    expect(refusal(await with_(''))).toMatch(/^single-sign-on-/);
    expect(
      refusal(
        await with_(`?error=access_denied&state=${new URLSearchParams(search).get('state')}&iss=${provider.issuer}`),
      ),
    ).toBe('single-sign-on-refused');
    expect((await with_(search)).result?.session?.user.email).toBe(email);
    expect(refusal(await with_(search))).toMatch(/^single-sign-on-failed/);
  });

  test('a token by another key is refused, and a new key of the provider’s is not', async () => {
    const company = await shared();
    const email = company.admin.email;
    provider.tamper = (claims) => claims;
    provider.forges = true;
    expect(refusal(await signIn(email))).toMatch(/^single-sign-on-failed/);
    provider.forges = false;
    expect((await signIn(email)).result?.session?.user.email).toBe(email);
    await provider.changeKey();
    expect((await signIn(email)).result?.session?.user.email).toBe(email);
  });

  test('an e-mail that is not verified, of another domain, of another company or missing lets nobody in', async () => {
    const company = await newCompany();
    const email = `gus@${company.domain}`;
    const elsewhere = await app.signUp({ email: uniqueEmail('stranger') });
    // This admin's own provider says what it likes of strangers.
    const inDomain = `hal@${company.domain}`;
    const other = await app.signUp({ companyName: 'Another', email: inDomain });
    const invited = `ivy@${company.domain}`;
    await app.setSubscription(other.company.id, { state: 'active', plan: 'enterprise' });
    await app.call('inviteUser', { email: invited, companyId: other.company.id }, { token: other.admin.token });
    const said = async (person: { email?: string; email_verified?: boolean }) => {
      const sub = randomUUID();
      provider.person = { sub, ...person };
      const { url, cookies } = await begin(email);
      const { search } = await provider.signIn(url);
      return refusal(await ask('completeSingleSignOn', { search }, { cookies }));
    };
    const no = (reason: string) => `single-sign-on-unknown-person: ${reason}`;
    expect(await said({ email, email_verified: false })).toBe(no('email-not-verified'));
    expect(await said({ email: `gus@sub.${company.domain}`, email_verified: true })).toBe(no('foreign-domain'));
    expect(await said({ email: `gus@not-${company.domain}`, email_verified: true })).toBe(no('foreign-domain'));
    expect(await said({ email: 'stranger@elsewhere.example', email_verified: true })).toBe(no('foreign-domain'));
    // Nor does it learn that they are here.
    expect(await said({ email: elsewhere.admin.email, email_verified: true })).toBe(no('foreign-domain'));
    expect(await said({ email: other.admin.email, email_verified: true })).toBe(no('another-company'));
    expect(await said({ email: invited, email_verified: true })).toBe(no('another-company'));
    expect(await said({})).toBe(no('no-email'));
    expect(await said({ email: `\u0000@${company.domain}` })).toBe(no('no-email'));
    expect(await said({ email: `x@evil.example@${company.domain}`, email_verified: true })).toBe(no('no-email'));
    expect(await usersOf(company.id)).toHaveLength(1);
  });
});

describe('as the only way in', () => {
  test('it has to be tried by the admin before; then passwords are refused in words, and a command opens them again', async () => {
    const company = await newCompany();
    const { admin } = company;
    const as = { token: admin.token };
    const member = await app.addMember(company, { email: `ida@${company.domain}` });
    const turnOn = () => app.call('setSingleSignOnRequired', { required: true }, as);
    await expect(turnOn()).rejects.toMatchObject({ code: 'single-sign-on-untested' });

    provider.person = { sub: 'not-the-admin', email: member.email, email_verified: true };
    const wrong = await ask('testSingleSignOn', null, as);
    const back = await provider.signIn(wrong.result?.url ?? '');
    const refused = await ask('completeSingleSignOn', { search: back.search }, { cookies: wrong.cookies });
    expect(refusal(refused)).toBe('single-sign-on-unknown-person: another-person');
    await expect(turnOn()).rejects.toMatchObject({ code: 'single-sign-on-untested' });

    // Who is tried by mistake neither joins nor is linked by that.
    provider.person = { sub: 'a-stranger', email: `jo@${company.domain}`, email_verified: true };
    const stranger = await ask('testSingleSignOn', null, as);
    const came = await provider.signIn(stranger.result?.url ?? '');
    expect(refusal(await ask('completeSingleSignOn', { search: came.search }, { cookies: stranger.cookies }))).toBe(
      'single-sign-on-unknown-person: another-person',
    );
    expect(await usersOf(company.id)).toHaveLength(2);
    expect(await audited(company.id)).not.toContain('person-linked');

    provider.person = { sub: 'the-admin', email: admin.email, email_verified: true };
    const tried = await ask('testSingleSignOn', null, as);
    const { search } = await provider.signIn(tried.result?.url ?? '');
    const done = await ask('completeSingleSignOn', { search }, { cookies: tried.cookies });
    expect(done.result).toEqual({ purpose: 'test', session: null });
    expect((await turnOn()).provider).toMatchObject({ required: true });

    const byPassword = (password: string) => app.call('signIn', { email: member.email, password });
    await expect(byPassword(goodPassword)).rejects.toMatchObject({ code: 'single-sign-on-required' });
    await expect(byPassword('a wrong password of hers')).rejects.toMatchObject({ code: 'invalid-credentials' });
    const confirm = app.call('reauthenticate', { password: goodPassword }, as);
    await expect(confirm).rejects.toMatchObject({ code: 'single-sign-on-required' });
    // With a plan that has none it is off, and locks nobody out.
    await app.setSubscription(company.id, { state: 'active', plan: 'professional' });
    expect((await byPassword(goodPassword)).user.uid).toBe(member.uid);
    await expect(begin(member.email)).rejects.toThrow('not set up');
    await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
    await expect(byPassword(goodPassword)).rejects.toMatchObject({ code: 'single-sign-on-required' });

    // The provider is gone: what people read, and the way out.
    const gone = { issuer: 'http://127.0.0.1:9' };
    await app.app.db.asSystem((tx) =>
      tx.update(singleSignOns).set(gone).where(eq(singleSignOns.companyId, company.id)),
    );
    const { error } = await ask('beginSingleSignOn', { email: member.email });
    expect(error?.message).toBe(
      "Your company's sign-in service cannot be reached. Please try again later, or tell an admin of your company.",
    );
    expect(await openPasswords(app.app.db, company.id)).toBe(true);
    expect(await openPasswords(app.app.db, company.id)).toBe(false);
    expect((await byPassword(goodPassword)).user.uid).toBe(member.uid);
  });

  test('the admin confirms who they are at the provider, which has to ask anew', async () => {
    const company = await newCompany();
    const { admin } = company;
    provider.person = { sub: 'an-admin', email: admin.email, email_verified: true };
    const { result, cookies } = await signIn(admin.email, {
      sub: 'an-admin',
      email: admin.email,
      email_verified: true,
    });
    const token = result?.session?.idToken ?? '';
    // Its own session at the provider is not recent enough for what does harm, unless it says so.
    const asked = await ask('confirmBySingleSignOn', null, { token, cookies });
    expect(new URL(asked.result?.url ?? '').searchParams.get('max_age')).toBe('0');
    const { search } = await provider.signIn(asked.result?.url ?? '');
    const confirmed = await ask('completeSingleSignOn', { search }, { cookies: asked.cookies });
    expect(confirmed.result?.purpose).toBe('confirm');
    const fresh = confirmed.result?.session?.idToken ?? '';
    await app.call('removeSingleSignOn', null, { token: fresh });

    const again = await newCompany();
    const signed = await signIn(again.admin.email);
    const stale = await ask('confirmBySingleSignOn', null, {
      token: signed.result?.session?.idToken ?? '',
      cookies: signed.cookies,
    });
    provider.tamper = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 3600 });
    const returned = await provider.signIn(stale.result?.url ?? '');
    expect(refusal(await ask('completeSingleSignOn', { search: returned.search }, { cookies: stale.cookies }))).toMatch(
      /^single-sign-on-failed/,
    );
    provider.tamper = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 3600 });
    const old = await signIn(again.admin.email);
    const withOld = { token: old.result?.session?.idToken ?? '' };
    await expect(app.call('removeSingleSignOn', null, withOld)).rejects.toMatchObject({
      code: 'recent-sign-in-required',
    });
  });
});

test('a personal key needs no second factor while its person comes in by the provider of now, and by no earlier one', async () => {
  const company = await newCompany();
  const email = `key@${company.domain}`;
  const { uid } = await insertUser(app.app.db, company.id, { email });
  await signIn(email);
  const { key } = await insertKey(app.app.db, company.id, { uid });
  const withFactor = (secondFactorRequired: boolean) =>
    app.app.db.asSystem((tx) => tx.update(companies).set({ secondFactorRequired }).where(eq(companies.id, company.id)));
  const files = () => app.call('getCompanyFiles', null, { token: key });
  await withFactor(true);
  expect(await files()).toEqual([]);
  // Without it in the plan nobody comes in by the provider.
  await app.setSubscription(company.id, { state: 'active', plan: 'professional' });
  await expect(files()).rejects.toMatchObject({ code: 'second-factor-missing' });
  await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
  expect(await files()).toEqual([]);
  await withFactor(false);
  await app.call('saveSingleSignOn', another.client, { token: company.admin.token });
  await withFactor(true);
  await expect(files()).rejects.toMatchObject({ code: 'second-factor-missing' });
});

describe('the settings', () => {
  test('never show the secret, which stands sealed in the database, and is not handed to another issuer', async () => {
    const company = await newCompany();
    const as = { token: company.admin.token };
    const shown = await app.call('getSingleSignOn', null, as);
    expect(shown.provider).toEqual({ issuer: provider.issuer, clientId: 'footnote', testedAt: null, required: false });
    const [row] = await app.app.db.asSystem((tx) =>
      tx.select().from(singleSignOns).where(eq(singleSignOns.companyId, company.id)),
    );
    expect(JSON.stringify([shown, row])).not.toContain(provider.client.clientSecret);
    const { issuer, clientId } = provider.client;
    await app.call('saveSingleSignOn', { issuer, clientId }, as);
    expect((await signIn(company.admin.email)).result?.session?.user.email).toBe(company.admin.email);
    const elsewhere = app.call('saveSingleSignOn', { issuer: 'https://accounts.example', clientId }, as);
    await expect(elsewhere).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('say what is wrong with an address: ours, without encryption, no provider, nobody there', async () => {
    const company = await newCompany();
    const save = (issuer: string) =>
      app.call('saveSingleSignOn', { ...provider.client, issuer }, { token: company.admin.token });
    await expect(save('https://127.0.0.1')).rejects.toMatchObject({ code: 'outbound-not-public' });
    await expect(save('http://accounts.example')).rejects.toMatchObject({ code: 'outbound-address-invalid' });
    await expect(save('no address')).rejects.toMatchObject({ code: 'outbound-address-invalid' });
    await expect(save('http://127.0.0.1:9')).rejects.toMatchObject({ code: 'outbound-unreachable' });
    await expect(save(`${provider.issuer}/nowhere`)).rejects.toMatchObject({ code: 'single-sign-on-failed' });
    const about = `${provider.issuer}/.well-known/openid-configuration`;
    expect((await save(about)).provider?.issuer).toBe(provider.issuer);
    // What says of itself that it is another.
    await expect(save(`${about}?`)).rejects.toMatchObject({
      code: 'single-sign-on-failed',
      details: { reason: 'another-issuer' },
    });
  });

  test('a domain is proved by its record alone, for one company; without one nobody comes in', async () => {
    const [ours, theirs] = [await newCompany(), await newCompany()];
    const [us, them] = [{ token: ours.admin.token }, { token: theirs.admin.token }];
    await app.call('addDomain', { domain: `${ours.domain}.` }, them);
    const { domains } = await app.call('getSingleSignOn', null, them);
    const record = domains.find(({ domain }) => domain === ours.domain)?.record;
    expect(record?.name).toBe(`_footnote.${ours.domain}`);
    const check = () => app.call('checkDomain', { domain: ours.domain }, them);
    await expect(check()).rejects.toMatchObject({ code: 'domain-not-proved' });
    records.set(record?.name ?? '', [`${record?.value}x`]);
    await expect(check()).rejects.toMatchObject({ code: 'domain-not-proved' });
    records.set(record?.name ?? '', [record?.value ?? '']);
    await expect(check()).rejects.toMatchObject({ code: 'domain-taken' });
    await app.call('removeDomain', { domain: ours.domain }, us);
    await check();
    await expect(app.call('removeDomain', { domain: ours.domain }, us)).rejects.toMatchObject({
      code: 'domain-not-found',
    });
    for (const domain of ['localhost', 'two words.example', 'a..example', '127.0.0.1', '_x.example'])
      await expect(app.call('addDomain', { domain }, us)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(begin(`nobody@${randomUUID()}.example`)).rejects.toThrow('not set up');
  });
});

describe('a sign-out at the provider', () => {
  test('ends what it has begun, that session alone where it names one; passwords’ go on, and forgeries do nothing', async () => {
    const company = await newCompany();
    const email = company.admin.email;
    const to = `${app.url}/single-sign-on/${company.id}/logout`;
    const sessionOf = async (sid: string) => {
      provider.tamper = (claims) => ({ ...claims, sid });
      return (await signIn(email)).result?.session?.idToken ?? '';
    };
    const [one, two] = [await sessionOf('sid-1'), await sessionOf('sid-2')];
    const works = (token: string) =>
      app.call('getSession', null, { token }).then(
        () => true,
        () => false,
      );
    const forged = [
      { sub: email, aud: 'another' },
      { sub: email, iss: 'https://accounts.example' },
      { sub: email, nonce: 'a nonce' },
      { sub: email, events: {} },
      { sub: email, iat: Math.floor(Date.now() / 1000) - 3600 },
      {},
    ];
    for (const about of forged) expect((await provider.signOut(to, about)).status).toBe(400);
    provider.forges = true;
    expect((await provider.signOut(to, { sub: email })).status).toBe(400);
    provider.forges = false;
    expect((await fetch(to, { method: 'POST', body: new URLSearchParams({ logout_token: one }) })).status).toBe(400);
    expect((await provider.signOut(to.replace(company.id, randomUUID()), { sub: email })).status).toBe(404);
    expect([await works(one), await works(two)]).toEqual([true, true]);
    expect((await provider.signOut(to, { sid: 'sid-1' })).status).toBe(200);
    expect([await works(one), await works(two)]).toEqual([false, true]);
    expect((await provider.signOut(to, { sub: email })).status).toBe(200);
    expect([await works(two), await works(company.admin.token)]).toEqual([false, true]);
  });
});

let known: Company | null = null;
/** One for all who change nothing in it. */
async function shared(): Promise<Company> {
  known ??= await newCompany();
  return known;
}

test('of two companies that prove a domain at the same moment one has it, and the other is told so', async () => {
  const [first, second] = [await newCompany(), await newCompany()];
  const domain = `${randomUUID()}.example`;
  for (const { admin } of [first, second]) {
    const { domains } = await app.call('addDomain', { domain }, { token: admin.token });
    const { name = '', value = '' } = domains.find((each) => each.domain === domain)?.record ?? {};
    records.set(name, [...(records.get(name) ?? []), value]);
  }
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // The first has proved it, and not committed yet.
  const proving = app.app.db.asSystem(async (tx) => {
    const ofFirst = and(eq(companyDomains.companyId, first.id), eq(companyDomains.domain, domain));
    await tx.update(companyDomains).set({ verifiedAt: new Date() }).where(ofFirst);
    begun.resolve();
    await held.promise;
  });
  await begun.promise;
  const checking = app.call('checkDomain', { domain }, { token: second.admin.token });
  const refused = expect(checking).rejects.toMatchObject({ code: 'domain-taken' });
  const waiting = () =>
    app.app.db.statement(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  held.resolve();
  await proving;
  await refused;
});

test('whoever the provider lets in from outside of the allowed addresses neither joins nor gets a session', async () => {
  const { id, domain } = await newCompany();
  const allowFrom = (range: string) =>
    app.app.db.asSystem((tx) =>
      tx
        .update(companies)
        .set({ allowedAddresses: [{ range, note: '' }] })
        .where(eq(companies.id, id)),
    );
  await allowFrom('203.0.113.0/24');
  const email = `new@${domain}`;
  const refused = await signIn(email);
  expect(refused.error?.details.code).toBe('address-not-allowed');
  expect([...refused.cookies.keys()]).toEqual([]);
  const people = () => app.app.db.asSystem((tx) => tx.select().from(users).where(eq(users.companyId, id)));
  expect(await people()).toHaveLength(1);
  const events = await app.app.db.asCompany(id, (tx) => tx.select().from(auditEvents));
  expect(events.filter(({ action }) => action === 'sign-in-refused')).toMatchObject([
    { target: email, via: 'single-sign-on', ip: '127.0.0.1' },
  ]);
  await allowFrom('127.0.0.0/8');
  expect((await signIn(email)).result?.session?.user.email).toBe(email);
});
