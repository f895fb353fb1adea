import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { importJWK, SignJWT } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { usualAgent } from '#contract/agent.ts';
import { type ApiKeyKind, type ApiKeyScope, apiKeyScopes } from '#contract/api-keys.ts';
import type { Call } from '#contract/call.ts';
import { type CallInput, type CallName, type CallOutput, calls } from '#contract/calls.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { mayAccess, type Role } from '#contract/permissions.ts';
import { eq } from '#server/db/drizzle.ts';
import {
  agentVersions,
  auditEvents,
  collections,
  companies,
  companyDomains,
  exports,
  groupMembers,
  groups,
  queries,
  serviceKeys,
  singleSignOnIdentities,
  singleSignOns,
  webhookDeliveries,
} from '#server/db/schema.ts';
import { countAs } from '#server/features/analytics/asked-questions.ts';
import { audit } from '#server/features/audit/audit.ts';
import { grantPlan } from '#server/features/billing/grant.ts';
import { makeEmailCode } from '#server/features/identity/confirmation.ts';
import { secretSealedFor } from '#server/features/identity/single-sign-on/companies.ts';
import { recordOf } from '#server/features/identity/single-sign-on/domains.ts';
import { nothingAllowed, outboundAllowed } from '#server/lib/public-address.ts';
import { openSealer } from '#server/lib/sealed.ts';
import { diskFiles } from '#server/ports/files/disk.ts';
import { openEmbeddedIdentity } from '#server/ports/identity/embedded.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { submit, typedCard } from '#simulators/stripe/testing.ts';
import { type Person, startTestApp, type TestApp } from './app.ts';
import { authorizationUrl, beginRequest, insertApp, newClientId, newVerifier, openBrowser } from './connected-apps.ts';
import {
  goodPassword,
  type InsertedDocument,
  insertAnswer,
  insertDocument,
  insertUser,
  uniqueEmail,
} from './factories.ts';
import { insertKey } from './keys.ts';
import { startTestProvider, type TestProvider } from './oidc-provider.ts';
import { watchFiles } from './watch.ts';
import { insertWebhook } from './webhooks.ts';

// Every call of the contract as every kind of caller. A call without a row here does not compile.

/** A company with something in it. */
interface Company {
  id: string;
  admin: Person;
  member: Person;
}

interface Row<Name extends CallName> {
  /** Makes ready in the company what the call is about, and the input that names it. */
  prepare: (company: Company, caller: Person) => Promise<Prepared<Name>>;
  /** The input that names something that does not exist; absent where the input names nothing of a company's. */
  unknown?: (company: Company) => CallInput<Name>;
  /** What a company that has never paid is told; absent: the call works. */
  unpaid?: ErrorCode;
  /** Checks what an allowed caller gets. */
  success: (result: CallOutput<Name>, prepared: Prepared<Name>, company: Company) => void;
}

interface Prepared<Name extends CallName> {
  input: CallInput<Name>;
  cookie?: string;
  document?: InsertedDocument;
}

let app: TestApp;
let ours: Company;
let theirs: Company;
let unpaid: Company;
let provider: IdentityProvider;
/** Of companies that sign in by it. */
let sso: TestProvider;

async function newCompany(state: 'active' | 'canceled'): Promise<Company> {
  const { company, admin } = await app.signUp();
  await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
  // Something to find: only this company's own text has its id in it.
  const text = `# House rules\n\nThe cellar key of company ${company.id} hangs behind the green door.\n`;
  await createClient(app.url, admin.token).upload('House rules.md', Buffer.from(text));
  await app.idle();
  await app.setSubscription(company.id, { state, plan: 'enterprise' });
  return { id: company.id, admin, member: await app.addMember(company) };
}

beforeAll(async () => {
  sso = await startTestProvider('http://footnote.localhost/login');
  const outbound = outboundAllowed(sso.issuer) ?? nothingAllowed;
  const resolveTxt = async () => [recordOf({ domain: '', token: 'a token' }).value];
  app = await startTestApp({ billing: 'stripe', outboundAllowed: outbound }, { resolveTxt });
  provider = await openEmbeddedIdentity(app.app.db, app.config.publicUrl);
  ours = await newCompany('active');
  theirs = await newCompany('active');
  unpaid = await newCompany('canceled');
  await setAddresses(ours, ['127.0.0.0/8']);
});
/** Where the company's people may come from, past the calls: the tests are at 127.0.0.1. */
async function setAddresses({ id }: Company, ranges: string[]): Promise<void> {
  const allowedAddresses = ranges.map((range) => ({ range, note: '' }));
  await app.app.db.asSystem((tx) => tx.update(companies).set({ allowedAddresses }).where(eq(companies.id, id)));
}

// The provider knows nothing of what these two have, and is believed when it is asked.
afterEach(async () => {
  // Ours has a list, and every row is of people at an address of it.
  await setAddresses(ours, ['127.0.0.0/8']);
  for (const { id } of [ours, theirs, unpaid]) await keptOpen(id);
  await app.setSubscription(theirs.id, { state: 'active', plan: 'enterprise' });
  await app.setSubscription(unpaid.id, { state: 'canceled', plan: 'enterprise' });
});
afterAll(async () => {
  await app.close();
  await sso.close();
});

const nothing = async () => ({ input: null });

async function withDocument(company: Company, state: 'ready' | 'failed' = 'ready') {
  // What failed may be tried again, and is searched then: by other words than those that other rows ask for.
  const text = state === 'failed' ? 'The attic lamp burns until nine.' : 'The cellar key hangs behind the green door.';
  const document = await insertDocument(app.app.db, company, { state, text });
  // One that is tried again is read again: without its original the job would be tried for half a minute.
  if (state === 'failed') await originals().put(`${company.id}/${document.uploadId}`, Readable.from(text));
  return document;
}

const originals = () => diskFiles({ root: join(app.config.dataDir, 'files') });

/** A restricted one, for nobody, so that nothing of it is anybody's but an admin's. */
async function withCollection({ id: companyId }: Company): Promise<string> {
  const id = randomUUID();
  await app.app.db.asCompany(companyId, (tx) =>
    tx.insert(collections).values({ companyId, id, name: id, nameKey: id, access: 'restricted' }),
  );
  return id;
}

async function withGroup({ id: companyId, member }: Company): Promise<string> {
  const id = randomUUID();
  await app.app.db.asCompany(companyId, async (tx) => {
    await tx.insert(groups).values({ companyId, id, name: id, nameKey: id });
    await tx.insert(groupMembers).values({ companyId, groupId: id, userId: member.uid });
  });
  return id;
}

async function withPerson(company: Company, state: 'active' | 'invited'): Promise<string> {
  const invitationExpiresAt = state === 'invited' ? new Date(Date.now() + 86_400_000) : null;
  return (await insertUser(app.app.db, company.id, { invitationExpiresAt })).uid;
}

/** An app that waits for an answer, in a browser of its own: nobody's yet, of no company. */
async function withAppRequest() {
  const browser = openBrowser(app);
  const { challenge } = newVerifier();
  const requestId = await beginRequest(browser, authorizationUrl({ clientId: await newClientId(app), challenge }));
  const cookie = browser.cookies.get('footnote_app_request') ?? '';
  return { input: { requestId }, cookie: `none; footnote_app_request=${cookie}` };
}

async function newCookie(company: Company): Promise<string> {
  const { response } = await post('signIn', { email: company.admin.email, password: goodPassword }, {});
  return cookieOf(response);
}

function cookieOf(response: Response): string {
  return /footnote_refresh=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';
}

function confirmationCode(companyId: string, { uid: userId }: Person): Promise<string> {
  const inAnHour = new Date(Date.now() + 3_600_000);
  return app.app.db.asSystem((tx) => makeEmailCode(tx, { companyId, userId }, 'confirm', inAnHour));
}

const lately = () => {
  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return { from: date(-1), to: date(1) };
};

/** A question of the member's that names the company, rated and counted; its id in the analytics. */
async function withQuestion({ id, member }: Company): Promise<string> {
  const queryId = await insertAnswer(app.app.db, { companyId: id, userId: member.uid });
  return app.app.db.asCompany(id, async (tx) => {
    const question = `Where is the cellar key of company ${id}?`;
    await tx.update(queries).set({ question, rating: 'up', counted: false }).where(eq(queries.id, queryId));
    const [askedQuestionId = ''] = await countAs(tx, id, [{ text: question, at: new Date() }]);
    await tx.update(queries).set({ askedQuestionId }).where(eq(queries.id, queryId));
    return askedQuestionId;
  });
}

async function withWebhook({ id }: Company): Promise<{ webhookId: string }> {
  return { webhookId: (await insertWebhook(app, id, { url: `https://hooks.invalid/${id}` })).webhookId };
}

/** One that was sent, and names the company. */
async function withDelivery({ id: companyId }: Company, webhookId: string): Promise<string> {
  const id = randomUUID();
  const sent = { state: 'delivered', type: 'webhook.test', subject: id, data: {}, body: companyId } as const;
  await app.app.db.asCompany(companyId, (tx) =>
    tx.insert(webhookDeliveries).values({ companyId, webhookId, id, ...sent }),
  );
  return id;
}

/** An event that names the company, as no call writes it. */
async function withEvent({ id, member }: Company): Promise<void> {
  const by = { companyId: id, userId: member.uid, email: member.email };
  await app.app.db.asCompany(id, (tx) => audit(tx, { action: 'signed-out', by, target: id }));
}

/** Our company pays, once; it keeps every feature all the same. */
async function paid() {
  const { id, admin } = ours;
  const as = { token: admin.token };
  if ((await app.call('getBilling', null, as)).priceId !== null) return { input: null };
  const { url } = await app.call('createCheckoutSession', { priceId: 'basic_semiannual' }, as);
  await submit(url, typedCard('4242424242424242'));
  await app.call('syncSubscription', null, as);
  await grantPlan(app.app.db, id, 'enterprise');
  return { input: null };
}

/** Of the plans on sale one that our company does not have. */
async function otherPrice(company: Company): Promise<string> {
  if (company.id !== ours.id) return 'basic_annual';
  await paid();
  const { priceId } = await app.call('getBilling', null, { token: ours.admin.token });
  return priceId === 'basic_annual' ? 'professional_annual' : 'basic_annual';
}

const rows: { [Name in CallName]: Row<Name> } = {
  signUp: {
    prepare: async () => ({ input: { companyName: 'New', email: uniqueEmail('new'), password: goodPassword } }),
    success: ({ user, idToken }) => {
      expect(user.role).toBe('admin');
      expect(idToken).not.toBe('');
    },
  },
  signIn: {
    prepare: async ({ member }) => ({ input: { email: member.email, password: goodPassword } }),
    success: ({ user }, _, { member }) => expect(user.uid).toBe(member.uid),
  },
  refreshSession: {
    prepare: async (company) => ({ input: null, cookie: await newCookie(company) }),
    success: ({ user }, _, { admin }) => expect(user.uid).toBe(admin.uid),
  },
  signOut: {
    prepare: async (company) => ({ input: null, cookie: await newCookie(company) }),
    success: (result) => expect(result).toBeNull(),
  },
  sendPasswordReset: {
    prepare: async ({ member }) => ({ input: { email: member.email } }),
    success: (result) => expect(result).toBeNull(),
  },
  verifyResetCode: {
    prepare: async ({ member }) => ({
      input: { oobCode: (await provider.createResetCode(member.email)) ?? '' },
    }),
    success: ({ email, purpose }, _, { member }) => expect([email, purpose]).toEqual([member.email, 'reset']),
  },
  confirmPasswordReset: {
    // Of somebody else: it ends the person's tokens, which the other rows need.
    prepare: async () => {
      const { admin } = await app.signUp();
      return { input: { oobCode: (await provider.createResetCode(admin.email)) ?? '', newPassword: goodPassword } };
    },
    success: ({ email }) => expect(email).toMatch(/^admin-/),
  },
  confirmEmail: {
    prepare: async ({ id, member }) => ({ input: { code: await confirmationCode(id, member) } }),
    success: (result) => expect(result).toBeNull(),
  },
  sendEmailConfirmation: {
    prepare: nothing,
    success: (result) => expect(result).toBeNull(),
  },
  reauthenticate: {
    prepare: async () => ({ input: { password: goodPassword } }),
    success: ({ user }, _, { id }) => expect(user.companyId).toBe(id),
  },
  changePassword: {
    // To the same one, which the other rows sign in with.
    prepare: async () => ({ input: { currentPassword: goodPassword, newPassword: goodPassword } }),
    success: ({ user }, _, { id }) => expect(user.companyId).toBe(id),
  },
  setDisplayName: {
    prepare: async () => ({ input: { displayName: 'Mara Lindqvist' } }),
    success: ({ displayName, companyId }, _, { id }) =>
      expect([displayName, companyId]).toEqual(['Mara Lindqvist', id]),
  },
  listSessions: {
    prepare: nothing,
    success: (list) => expect(list.filter(({ current }) => current)).toHaveLength(1),
  },
  endSession: {
    prepare: async (_, { email }) => {
      const { idToken } = await app.call('signIn', { email, password: goodPassword });
      const list = await app.call('listSessions', null, { token: idToken });
      return { input: { sessionId: list.find(({ current }) => current)?.sessionId ?? '' } };
    },
    unknown: () => ({ sessionId: randomUUID() }),
    success: (result) => expect(result).toBeNull(),
  },
  endOtherSessions: {
    prepare: nothing,
    success: (result) => expect(result).toBeNull(),
  },
  getAccountSecurity: {
    prepare: nothing,
    success: ({ signInMails }) => expect(signInMails).toBe(true),
  },
  setSignInMails: {
    prepare: async () => ({ input: { enabled: true } }),
    success: ({ signInMails }) => expect(signInMails).toBe(true),
  },
  beginSecondFactor: {
    prepare: async () => ({ input: { method: 'totp' } }),
    success: (begun) => expect('secret' in begun && begun.secret).toMatch(/^[A-Z2-7]{32}$/),
  },
  confirmSecondFactor: {
    prepare: async (_, { token }) => ({ input: { code: codeOf(await begunTotp(token)) } }),
    success: ({ recoveryCodes }) => expect([0, 10]).toContain(recoveryCodes.length),
  },
  renewRecoveryCodes: {
    prepare: async (_, caller) => withSecondFactor(caller),
    success: ({ recoveryCodes }) => expect(recoveryCodes).toHaveLength(10),
  },
  // The last of these: the next rows go on without.
  removeSecondFactor: {
    prepare: async (_, caller) => withSecondFactor(caller),
    success: (result) => expect(result).toBeNull(),
  },
  resetSecondFactor: {
    prepare: async (company) => ({ input: { uid: await withPerson(company, 'active') } }),
    unknown: () => ({ uid: randomUUID() }),
    success: ({ message }) => expect(message).toMatch(/ can sign in without a second factor\.$/),
  },
  beginSingleSignOn: {
    prepare: async (company) => ({ input: { email: await withSingleSignOn(company) } }),
    success: ({ url }) => expect(url).toContain(sso.issuer),
  },
  completeSingleSignOn: {
    prepare: async (company) => {
      const email = await withSingleSignOn(company);
      // Somebody who is there: a new one would take a seat.
      const { id: companyId, member } = company;
      const link = { companyId, issuer: sso.issuer, subject: member.uid, userId: member.uid };
      await app.app.db.asSystem((tx) => tx.insert(singleSignOnIdentities).values(link).onConflictDoNothing());
      sso.person = { sub: member.uid };
      const { response } = await post('beginSingleSignOn', { email }, {});
      const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
      const { result }: { result?: { url: string } } = await response.json();
      const search = result ? (await sso.signIn(result.url)).search : '';
      return { input: { search }, ...(cookie !== undefined && { cookie: `none; ${cookie}` }) };
    },
    success: ({ session }, _, { member }) => expect(session?.user.uid).toBe(member.uid),
  },
  confirmBySingleSignOn: {
    prepare: async (company) => {
      await withSingleSignOn(company);
      return { input: null };
    },
    success: ({ url }) => expect(url).toContain(sso.issuer),
  },
  getSingleSignOn: {
    prepare: async (company) => {
      await withSingleSignOn(company);
      return { input: null };
    },
    success: ({ domains }, _, { id }) => expect(domains.map(({ domain }) => domain)).toContain(`${id}.example`),
  },
  saveSingleSignOn: {
    prepare: async () => ({ input: sso.client }),
    success: ({ provider: saved }) => expect(saved?.issuer).toBe(sso.issuer),
  },
  removeSingleSignOn: {
    prepare: async (company) => {
      await withSingleSignOn(company);
      return { input: null };
    },
    success: ({ provider: saved }) => expect(saved).toBeNull(),
  },
  testSingleSignOn: {
    prepare: async (company) => {
      await withSingleSignOn(company);
      return { input: null };
    },
    success: ({ url }) => expect(url).toContain(sso.issuer),
  },
  setSingleSignOnRequired: {
    prepare: async (company) => {
      await withSingleSignOn(company);
      return { input: { required: false } };
    },
    success: ({ provider: saved }) => expect(saved?.required).toBe(false),
  },
  addDomain: {
    prepare: async () => ({ input: { domain: `${randomUUID()}.example` } }),
    success: ({ domains }, { input }) => expect(domains.map(({ domain }) => domain)).toContain(input.domain),
  },
  checkDomain: {
    prepare: async (company) => ({ input: { domain: await withDomain(company, null) } }),
    unknown: () => ({ domain: `${randomUUID()}.example` }),
    success: ({ domains }, { input }) =>
      expect(domains.find(({ domain }) => domain === input.domain)?.verifiedAt).not.toBeNull(),
  },
  removeDomain: {
    prepare: async (company) => ({ input: { domain: await withDomain(company, new Date()) } }),
    unknown: () => ({ domain: `${randomUUID()}.example` }),
    success: ({ domains }, { input }) => expect(domains.map(({ domain }) => domain)).not.toContain(input.domain),
  },
  createApiKey: {
    prepare: async () => ({ input: { name: 'Nightly script', kind: 'personal', scope: 'read' } }),
    success: ({ key }) => expect(key).toMatch(/^fn_\w{51}$/),
  },
  listApiKeys: {
    prepare: async ({ id }, { uid }) => {
      await insertKey(app.app.db, id, { uid, name: id });
      return { input: null };
    },
    success: (keys, _, { id }) => expect(keys.map(({ name }) => name)).toContain(id),
  },
  revokeApiKey: {
    prepare: async ({ id }, { uid }) => ({ input: { keyId: (await insertKey(app.app.db, id, { uid })).keyId } }),
    unknown: () => ({ keyId: randomUUID() }),
    success: (result) => expect(result).toBeNull(),
  },
  getAppRequest: {
    prepare: () => withAppRequest(),
    success: (request) => expect(request).toMatchObject({ name: 'Test Desk', onThisMachine: true }),
  },
  allowApp: {
    prepare: () => withAppRequest(),
    unpaid: 'subscription-required',
    success: ({ url }) => expect(url).toMatch(/^http:\/\/footnote.localhost\/oauth\/authorize\/[\w-]+$/),
  },
  refuseApp: {
    prepare: () => withAppRequest(),
    success: ({ url }) => expect(url).toMatch(/\/oauth\/authorize\/[\w-]+$/),
  },
  listConnectedApps: {
    prepare: async ({ id }, { uid }) => {
      await insertApp(app.app.db, id, { uid, name: id });
      return { input: null };
    },
    success: (apps, _, { id }) => expect(apps.map(({ name }) => name)).toContain(id),
  },
  disconnectApp: {
    prepare: async ({ id }, { uid }) => ({ input: { appId: await insertApp(app.app.db, id, { uid, name: 'Desk' }) } }),
    unknown: () => ({ appId: randomUUID() }),
    success: (result) => expect(result).toBeNull(),
  },
  createWebhook: {
    prepare: async () => ({ input: { url: 'https://hooks.invalid/in', events: ['document.ready'] } }),
    success: ({ secret }) => expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/),
  },
  updateWebhook: {
    prepare: async (company) => ({ input: { ...(await withWebhook(company)), on: false } }),
    unknown: () => ({ webhookId: randomUUID() }),
    success: (result) => expect(result).toBeNull(),
  },
  rotateWebhookSecret: {
    prepare: async (company) => ({ input: await withWebhook(company) }),
    unknown: () => ({ webhookId: randomUUID() }),
    success: ({ secret }) => expect(secret).toMatch(/^whsec_/),
  },
  listWebhooks: {
    prepare: async (company) => {
      await withWebhook(company);
      return { input: null };
    },
    success: (hooks, _, { id }) => expect(hooks.map(({ url }) => url)).toContain(`https://hooks.invalid/${id}`),
  },
  deleteWebhook: {
    prepare: async (company) => ({ input: await withWebhook(company) }),
    unknown: () => ({ webhookId: randomUUID() }),
    success: (result) => expect(result).toBeNull(),
  },
  sendTestEvent: {
    prepare: async (company) => ({ input: await withWebhook(company) }),
    unknown: () => ({ webhookId: randomUUID() }),
    success: ({ deliveryId }) => expect(deliveryId).not.toBe(''),
  },
  getWebhookLog: {
    prepare: async (company) => {
      const input = await withWebhook(company);
      await withDelivery(company, input.webhookId);
      return { input };
    },
    unknown: () => ({ webhookId: randomUUID() }),
    success: ({ deliveries }, _, { id }) => expect(deliveries.map(({ body }) => body)).toEqual([id]),
  },
  resendDelivery: {
    prepare: async (company) => {
      const { webhookId } = await withWebhook(company);
      return { input: { webhookId, deliveryId: await withDelivery(company, webhookId) } };
    },
    unknown: () => ({ webhookId: randomUUID(), deliveryId: randomUUID() }),
    success: (result) => expect(result).toBeNull(),
  },
  getSession: {
    prepare: nothing,
    success: ({ company }, _, { id }) => expect(company.id).toBe(id),
  },
  getSettings: {
    prepare: nothing,
    success: ({ billing }) => expect(billing).toBe('stripe'),
  },
  getPlans: {
    prepare: nothing,
    success: ({ plans }) => expect(plans).toHaveLength(6),
  },
  createCheckoutSession: {
    prepare: async () => ({ input: { priceId: 'professional_annual' } }),
    success: ({ sessionId, url }) => {
      expect(sessionId).toMatch(/^cs_/);
      expect(url).toMatch(/^http:/);
    },
  },
  syncSubscription: {
    prepare: nothing,
    success: ({ state, active }) => expect({ state, active }).toEqual({ state: 'none', active: false }),
  },
  createPortalSession: {
    prepare: async ({ admin }) => {
      // Whoever has come as far as the payment page has one.
      await app.call('createCheckoutSession', { priceId: 'basic_semiannual' }, { token: admin.token });
      return { input: null };
    },
    success: ({ url }) => expect(url).toMatch(/^http:/),
  },
  getBilling: {
    prepare: nothing,
    success: ({ billing }) => expect(billing).toBe('stripe'),
  },
  previewPlanChange: {
    prepare: async (company) => ({ input: { priceId: await otherPrice(company) } }),
    unpaid: 'no-subscription',
    success: ({ priceId }, { input }) => expect(priceId).toBe(input.priceId),
  },
  changePlan: {
    prepare: async (company) => {
      const priceId = await otherPrice(company);
      const quote = { amountDue: 0, prorationDate: Math.floor(Date.now() / 1000) };
      if (company.id !== ours.id) return { input: { priceId, ...quote } };
      const { amountDue, prorationDate } = await app.call(
        'previewPlanChange',
        { priceId },
        { token: ours.admin.token },
      );
      return { input: { priceId, amountDue, prorationDate } };
    },
    unpaid: 'no-subscription',
    success: ({ status }) => expect(['changed', 'scheduled']).toContain(status),
  },
  cancelSubscription: {
    prepare: paid,
    unpaid: 'no-subscription',
    success: ({ endsAt }) => expect(Date.parse(endsAt)).toBeGreaterThan(Date.now()),
  },
  resumeSubscription: {
    prepare: paid,
    unpaid: 'no-subscription',
    success: (result) => expect(result).toBeNull(),
  },
  listUsers: {
    prepare: nothing,
    success: (users, _, { admin, member }) =>
      expect(users.map(({ uid }) => uid)).toEqual(expect.arrayContaining([admin.uid, member.uid])),
  },
  inviteUser: {
    prepare: async ({ id }) => ({ input: { email: uniqueEmail('invited'), companyId: id } }),
    success: ({ message }, { input }) => expect(message).toBe(`Invitation sent to "${input.email}".`),
  },
  inviteUsers: {
    prepare: async () => ({ input: { emails: [uniqueEmail('invited')] } }),
    success: ({ results }) => expect(results).toMatchObject([{ invited: true }]),
  },
  resendInvitation: {
    prepare: async (company) => ({ input: { uid: await withPerson(company, 'invited') } }),
    unknown: () => ({ uid: randomUUID() }),
    success: ({ message }) => expect(message).toMatch(/^Invitation sent to /),
  },
  withdrawInvitation: {
    prepare: async (company) => ({ input: { uid: await withPerson(company, 'invited') } }),
    unknown: () => ({ uid: randomUUID() }),
    success: ({ message }) => expect(message).toMatch(/ withdrawn\.$/),
  },
  deleteUser: {
    prepare: async (company) => ({ input: { userIdToDelete: await withPerson(company, 'active') } }),
    unknown: () => ({ userIdToDelete: randomUUID() }),
    success: ({ message }) => expect(message).toBe('User successfully removed.'),
  },
  setUserRole: {
    prepare: async (company) => ({ input: { uid: await withPerson(company, 'active'), role: 'admin' } }),
    unknown: () => ({ uid: randomUUID(), role: 'admin' }),
    success: ({ message }) => expect(message).toMatch(/ is now an admin\.$/),
  },
  getCompanyFiles: {
    prepare: async (company) => ({ input: null, document: await withDocument(company) }),
    success: (files, { document }, { id }) => {
      expect(files.map((file) => file.id)).toContain(document?.documentId);
      expect(files.every(({ path }) => path.startsWith(`${id}/`))).toBe(true);
    },
  },
  getGoneDocuments: {
    prepare: async (company) => {
      // Not named as `document`: to another company the answer repeats its own question, as for an unknown one
      // (gone.test.ts).
      const { documentId } = await withDocument(company);
      return { input: { documentIds: [documentId] } };
    },
    success: ({ gone }) => expect(gone).toEqual([]),
  },
  watchFiles: {
    prepare: async (company) => ({ input: null, document: await withDocument(company) }),
    // Of an endless stream the first message stands for the result.
    success: (first, { document }) => expect(JSON.stringify(first)).toContain(document?.documentId),
  },
  getFileLink: {
    prepare: async (company) => {
      const document = await withDocument(company);
      return { input: { gsUri: `gs://footnote/${document.path}` }, document };
    },
    unknown: ({ id }) => ({ gsUri: `gs://footnote/${id}/absent.txt` }),
    success: ({ url }) => expect(url).toMatch(/^http:\/\/footnote\.localhost\//),
  },
  deleteFile: {
    prepare: async (company) => {
      const document = await withDocument(company);
      return { input: { filePath: document.path }, document };
    },
    unknown: ({ id }) => ({ filePath: `${id}/absent.txt` }),
    success: ({ message }, { document }) => expect(message).toContain(document?.name),
  },
  retryFile: {
    prepare: async (company) => {
      const document = await withDocument(company, 'failed');
      return { input: { documentId: document.documentId }, document };
    },
    unknown: () => ({ documentId: randomUUID() }),
    success: (result) => expect(result).toBeNull(),
  },
  setFileTags: {
    prepare: async (company) => {
      const document = await withDocument(company);
      return { input: { documentId: document.documentId, tags: ['Contracts'] }, document };
    },
    unknown: () => ({ documentId: randomUUID(), tags: ['Contracts'] }),
    success: ({ tags }) => expect(tags).toEqual(['Contracts']),
  },
  // What is gone, or another company's, is left out.
  deleteFiles: {
    prepare: async (company) => {
      const document = await withDocument(company);
      return { input: { documentIds: [document.documentId] }, document };
    },
    success: (result) => expect(result).toEqual({ changed: 1, refused: [] }),
  },
  retryFiles: {
    prepare: async (company) => {
      const document = await withDocument(company, 'failed');
      return { input: { documentIds: [document.documentId] }, document };
    },
    success: (result) => expect(result).toEqual({ changed: 1, refused: [] }),
  },
  tagFiles: {
    prepare: async (company) => {
      const document = await withDocument(company);
      return { input: { documentIds: [document.documentId], add: ['Contracts'], remove: [] }, document };
    },
    success: (result) => expect(result).toEqual({ changed: 1, refused: [] }),
  },
  listCollections: {
    prepare: async (company) => {
      await withCollection(company);
      return { input: null };
    },
    success: (result, _, { id }) => {
      expect(result[0]).toMatchObject({ collectionId: id, name: 'Company', access: 'everyone' });
    },
  },
  createCollection: {
    prepare: async (company) => ({
      input: { name: `New ${randomUUID()}`, access: 'restricted', userIds: [company.member.uid] },
    }),
    unknown: () => ({ name: `New ${randomUUID()}`, access: 'restricted', userIds: [randomUUID()] }),
    success: ({ collectionId }) => expect(collectionId).toBeDefined(),
  },
  updateCollection: {
    prepare: async (company) => {
      const input = { collectionId: await withCollection(company), name: `Other ${randomUUID()}` };
      return { input: { ...input, access: 'everyone' } };
    },
    unknown: () => ({ collectionId: randomUUID(), name: `Other ${randomUUID()}`, access: 'everyone' }),
    success: ({ collectionId }) => expect(collectionId).toBeDefined(),
  },
  deleteCollection: {
    prepare: async (company) => ({ input: { collectionId: await withCollection(company), moveTo: company.id } }),
    unknown: (other) => ({ collectionId: randomUUID(), moveTo: other.id }),
    success: (result) => expect(result).toBeNull(),
  },
  moveDocuments: {
    prepare: async (company) => {
      const document = await withDocument(company);
      return { input: { documentIds: [document.documentId], collectionId: company.id }, document };
    },
    unknown: () => ({ documentIds: [randomUUID()], collectionId: randomUUID() }),
    success: (result) => expect(result).toBeNull(),
  },
  listGroups: {
    prepare: async (company) => {
      await withGroup(company);
      return { input: null };
    },
    success: (result) => expect(result.length).toBeGreaterThan(0),
  },
  createGroup: {
    prepare: async (company) => ({ input: { name: `New ${randomUUID()}`, userIds: [company.member.uid] } }),
    unknown: () => ({ name: `New ${randomUUID()}`, userIds: [randomUUID()] }),
    success: ({ groupId }) => expect(groupId).toBeDefined(),
  },
  updateGroup: {
    prepare: async (company) => ({
      input: { groupId: await withGroup(company), name: `Other ${randomUUID()}`, userIds: [] },
    }),
    unknown: () => ({ groupId: randomUUID(), name: `Other ${randomUUID()}`, userIds: [] }),
    success: ({ groupId }) => expect(groupId).toBeDefined(),
  },
  deleteGroup: {
    prepare: async (company) => ({ input: { groupId: await withGroup(company) } }),
    unknown: () => ({ groupId: randomUUID() }),
    success: (result) => expect(result).toBeNull(),
  },
  getUpload: {
    prepare: async (company) => {
      const document = await withDocument(company);
      return { input: { uploadId: document.uploadId }, document };
    },
    unknown: () => ({ uploadId: randomUUID() }),
    success: ({ documentId }, { document }) => expect(documentId).toBe(document?.documentId),
  },
  getStorage: {
    prepare: nothing,
    success: ({ usedBytes, allowedBytes, diskIsLow }) => {
      expect(usedBytes).toBeGreaterThan(0);
      expect(allowedBytes).toBe(app.config.companyStorageBytes);
      expect(diskIsLow).toBe(false);
    },
  },
  getDocument: {
    prepare: async (company) => {
      const document = await withDocument(company);
      return { input: { documentId: document.documentId, version: 1 }, document };
    },
    unknown: () => ({ documentId: randomUUID(), version: 1 }),
    success: ({ name, blocks }, { document }) => {
      expect(name).toBe(document?.name);
      expect(blocks).toBe(1);
    },
  },
  getReadingView: {
    prepare: async (company) => {
      const document = await withDocument(company);
      return { input: { documentId: document.documentId, version: 1, from: 0, limit: 10 }, document };
    },
    unknown: () => ({ documentId: randomUUID(), version: 1, from: 0, limit: 10 }),
    success: ({ blocks }) => expect(blocks[0]?.text).toContain('the green door'),
  },
  query: {
    prepare: async () => ({ input: { history: [{ role: 'user', parts: [{ text: 'Where is the cellar key?' }] }] } }),
    success: ({ answer, sources }, _, { id }) => {
      expect(answer).toContain(id);
      expect(sources[0]?.quote).toContain('behind the green door');
    },
  },
  searchPassages: {
    prepare: async () => ({ input: { query: 'cellar key' } }),
    success: ({ passages }, _, { id }) => expect(passages[0]?.text).toContain(id),
  },
  rateAnswer: {
    prepare: async ({ id }, caller) => ({
      input: { queryId: await insertAnswer(app.app.db, { companyId: id, userId: caller.uid }), rating: 'up' },
    }),
    unknown: () => ({ queryId: randomUUID(), rating: 'up' }),
    success: (result) => expect(result).toBeNull(),
  },
  getSuggestedQuestions: {
    prepare: nothing,
    success: ({ questions }) => expect(Array.isArray(questions)).toBe(true),
  },
  getAnalytics: {
    prepare: async (company) => {
      await withQuestion(company);
      return { input: lately() };
    },
    success: ({ topQuestions }, _, { id }) => expect(topQuestions.map(({ text }) => text).join()).toContain(id),
  },
  setQuestionSolved: {
    prepare: async (company) => ({ input: { questionId: await withQuestion(company), solved: true } }),
    unknown: () => ({ questionId: randomUUID(), solved: true }),
    success: (result) => expect(result).toBeNull(),
  },
  askAgain: {
    prepare: async (company) => ({ input: { questionId: await withQuestion(company) } }),
    unknown: () => ({ questionId: randomUUID() }),
    success: ({ answer }, _, { id }) => expect(answer).toContain(id),
  },
  listFeedback: {
    prepare: async (company) => {
      await withQuestion(company);
      return { input: lately() };
    },
    success: ({ feedback }, _, { id }) => expect(feedback.map(({ question }) => question).join()).toContain(id),
  },
  listAskers: {
    prepare: async (company) => {
      await withQuestion(company);
      return { input: lately() };
    },
    success: ({ people }, _, { member }) => expect(people.map(({ userId }) => userId)).toContain(member.uid),
  },
  exportAnalytics: {
    prepare: async (company) => {
      await withQuestion(company);
      return { input: { ...lately(), table: 'questions' } };
    },
    success: ({ csv }, _, { id }) => expect(csv).toContain(id),
  },
  getAuditLog: {
    prepare: async (company) => {
      await withEvent(company);
      return { input: { text: company.id } };
    },
    success: ({ events }, _, { id }) => expect(events.map(({ target }) => target)).toContain(id),
  },
  exportAuditLog: {
    prepare: async () => ({ input: { format: 'csv' } }),
    success: ({ url }) => expect(url).toContain('/audit/'),
  },
  getAnalyticsSettings: {
    prepare: nothing,
    success: (settings) => expect(settings).toMatchObject({ timeZone: 'UTC', showNames: true }),
  },
  updateAnalyticsSettings: {
    prepare: async () => ({ input: { questionRetentionDays: 365 } }),
    success: ({ questionRetentionDays }) => expect(questionRetentionDays).toBe(365),
  },
  getChatAgent: {
    prepare: async (company) => {
      await withAgent(company);
      return { input: null };
    },
    success: ({ settings }, _, { id }) => expect(settings.greeting).toContain(id),
  },
  saveChatAgent: {
    prepare: async () => ({ input: { settings: { ...usualAgent, greeting: 'Welcome.' } } }),
    success: ({ settings }) => expect(settings.greeting).toBe('Welcome.'),
  },
  restoreChatAgent: {
    prepare: async (company) => ({ input: { version: await withAgent(company) } }),
    unknown: () => ({ version: 1_000_000 }),
    success: ({ settings }, _, { id }) => expect(settings.greeting).toContain(id),
  },
  getCompanySettings: {
    prepare: async ({ id }) => {
      await app.app.db.asSystem((tx) =>
        tx
          .update(companies)
          .set({ name: `Company ${id}` })
          .where(eq(companies.id, id)),
      );
      return { input: null };
    },
    success: ({ name }, _, { id }) => expect(name).toBe(`Company ${id}`),
  },
  updateCompany: {
    prepare: async () => ({ input: { name: 'Nordwind', timeZone: 'UTC', mailLanguage: 'en' } }),
    success: ({ name, timeZone }) => expect([name, timeZone]).toEqual(['Nordwind', 'UTC']),
  },
  updateBrand: {
    prepare: async () => ({ input: { name: 'Library', accent: '#7a1f3f' } }),
    unpaid: 'subscription-required',
    success: ({ brand }) => expect([brand.name, brand.accent]).toEqual(['Library', '#7a1f3f']),
  },
  setSessionDays: {
    prepare: async () => ({ input: { days: 30, idleMinutes: 720 } }),
    success: ({ sessionDays, sessionIdleMinutes }) => expect([sessionDays, sessionIdleMinutes]).toEqual([30, 720]),
  },
  setSecondFactorRequired: {
    prepare: async () => ({ input: { required: false } }),
    success: ({ secondFactorRequired }) => expect(secondFactorRequired).toBe(false),
  },
  getAllowedAddresses: {
    prepare: nothing,
    success: ({ yourAddress }) => expect(yourAddress).toBe('127.0.0.1'),
  },
  saveAllowedAddresses: {
    prepare: async () => ({ input: { ranges: [{ range: '127.0.0.1', note: 'This machine' }] } }),
    success: ({ ranges }) => expect(ranges).toEqual([{ range: '127.0.0.1/32', note: 'This machine' }]),
  },
  removeAllowedAddresses: {
    prepare: nothing,
    success: ({ ranges }) => expect(ranges).toEqual([]),
  },
  setDigest: {
    prepare: async () => ({ input: { failedFiles: true, unanswered: false } }),
    success: ({ digest }) => expect(digest).toEqual({ failedFiles: true, unanswered: false }),
  },
  startExport: {
    prepare: async (company) => {
      await withoutExports(company);
      return { input: null };
    },
    success: ({ exportId }) => expect(exportId).toMatch(/^[0-9a-f-]{36}$/),
  },
  startOwnExport: {
    prepare: async (company) => {
      await withoutExports(company);
      return { input: null };
    },
    success: ({ exportId }) => expect(exportId).toMatch(/^[0-9a-f-]{36}$/),
  },
  getExport: {
    prepare: async (company, { uid }) => ({ input: { exportId: await withExport(company, uid) } }),
    unknown: () => ({ exportId: randomUUID() }),
    success: ({ state, url }) => {
      expect(state).toBe('ready');
      expect(url).toMatch(/^http:\/\/footnote\.localhost\/exports\//);
    },
  },
  listExports: {
    prepare: async (company, { uid }) => {
      await withExport(company, uid);
      return { input: null };
    },
    success: ({ own }) => expect(own?.state).toBe('ready'),
  },
  deleteCompany: {
    prepare: async ({ id }) => {
      const { companyName } = await keptOpen(id);
      return { input: { companyName } };
    },
    success: (result) => expect(result).toBeNull(),
  },
  keepCompany: {
    prepare: async ({ id }) => {
      await keptOpen(id, new Date(Date.now() + 86_400_000));
      return { input: null };
    },
    success: (result) => expect(result).toBeNull(),
  },
  tryChatAgent: {
    prepare: async () => ({ input: { question: 'Where does the cellar key hang?', settings: usualAgent } }),
    unpaid: 'subscription-required',
    success: ({ answer }, _, { id }) => expect(answer).toContain(id),
  },
};

/** Says when the company ends (never), past the calls; gives its name. */
async function keptOpen(id: string, endsAt: Date | null = null): Promise<{ companyName: string }> {
  const [company] = await app.app.db.asSystem((tx) =>
    tx.update(companies).set({ endsAt }).where(eq(companies.id, id)).returning({ companyName: companies.name }),
  );
  return { companyName: company?.companyName ?? '' };
}

async function withoutExports({ id }: Company): Promise<void> {
  // The job that makes one writes its rows in another order than they are deleted in.
  await app.idle();
  await app.app.db.asSystem((tx) => tx.delete(exports).where(eq(exports.companyId, id)));
}

/** Puts a finished export of a person's own data into the tables; gives its id. */
async function withExport(company: Company, personId: string): Promise<string> {
  await withoutExports(company);
  const id = randomUUID();
  const [readyAt, expiresAt] = [new Date(), new Date(Date.now() + 3_600_000)];
  const made = { state: 'ready', size: 22, directoryOffset: 0, readyAt, expiresAt } as const;
  await app.app.db.asSystem((tx) =>
    tx.insert(exports).values({ companyId: company.id, id, personId, startedBy: personId, ...made }),
  );
  return id;
}

async function begunTotp(token: string): Promise<string> {
  const begun = await app.call('beginSecondFactor', { method: 'totp' }, { token });
  return 'secret' in begun ? begun.secret : '';
}

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

async function withSecondFactor({ token }: Person) {
  await app.call('confirmSecondFactor', { code: codeOf(await begunTotp(token)) }, { token });
  return { input: null };
}

/** Sets a company's provider past the calls; gives the e-mail of somebody new in its domain. */
async function withSingleSignOn({ id: companyId }: Company): Promise<string> {
  const sealer = await openSealer(app.config);
  const { issuer, clientId, clientSecret } = sso.client;
  const sealedSecret = await sealer.seal(clientSecret, secretSealedFor(companyId));
  const values = { companyId, issuer, clientId, sealedSecret };
  const domain = { companyId, domain: `${companyId}.example`, token: 'a token', verifiedAt: new Date() };
  await app.app.db.asSystem(async (tx) => {
    await tx.insert(singleSignOns).values(values).onConflictDoNothing();
    await tx.insert(companyDomains).values(domain).onConflictDoNothing();
  });
  return `${randomUUID()}@${companyId}.example`;
}

async function withDomain({ id: companyId }: Company, verifiedAt: Date | null): Promise<string> {
  const domain = `${randomUUID()}.example`;
  const values = { companyId, domain, token: 'a token', verifiedAt };
  await app.app.db.asSystem((tx) => tx.insert(companyDomains).values(values));
  return domain;
}

/** Saves the company's assistant past the calls; gives the version. */
function withAgent({ id: companyId, admin: { uid, email } }: Company): Promise<number> {
  return app.app.db.asSystem(async (tx) => {
    const saved = await tx.$count(agentVersions, eq(agentVersions.companyId, companyId));
    const settings = { ...usualAgent, greeting: `Welcome to ${companyId}` };
    await tx
      .insert(agentVersions)
      .values({ companyId, version: saved + 1, settings, savedBy: uid, savedByEmail: email });
    return saved + 1;
  });
}

test('every call of admins that changes something is in the audit log', () => {
  const changing = Object.entries<Call>(calls).filter(([, call]) => call.access === 'admin' && !call.idempotent);
  expect(changing.map(([name]) => name)).toContain('deleteUser');
  expect(changing.filter(([, call]) => !call.audit).map(([name]) => name)).toEqual([]);
});

const auditedCalls = new Set(Object.values<Call>(calls).map(({ audit }) => audit as string | undefined));

/** What calls have done that the log tells of, in order. */
async function eventsOf({ id }: Company) {
  const events = await app.app.db.asCompany(id, (tx) => tx.select().from(auditEvents).orderBy(auditEvents.at));
  return events.filter(({ action }) => auditedCalls.has(action));
}

/** The same, and who did it. */
async function auditedOf(company: Company): Promise<[string, string | null][]> {
  return (await eventsOf(company)).map(({ action, actorId }) => [action, actorId]);
}

describe.each(Object.keys(calls) as CallName[])('%s', (name) => {
  const call: Call = calls[name];
  const row: AnyRow = rows[name];

  async function asCaller(company: Company, caller: Person, token: string | null = caller.token) {
    const prepared = await row.prepare(company, caller);
    const as = { token: token ?? undefined, cookie: prepared.cookie };
    return { prepared, answer: await attempt(name, prepared.input, as) };
  }

  function expectSuccess({ answer, prepared }: Awaited<ReturnType<typeof asCaller>>, company: Company) {
    expect(answer.code).toBeUndefined();
    row.success(answer.result as never, prepared as never, company);
  }

  test.each(['anonymous', 'member', 'admin'] as const)('%s', async (who) => {
    const role = who === 'anonymous' ? null : who;
    const before = await auditedOf(ours);
    const made = await asCaller(ours, ours[role ?? 'member'], role && ours[role].token);
    const allowed = mayAccess(role, call.access);
    if (allowed) expectSuccess(made, ours);
    // Whoever is refused leaves no trace, and whoever changes something for others exactly one.
    if (call.access !== 'anyone') {
      const audited = (await auditedOf(ours)).slice(before.length);
      expect(audited).toEqual(allowed && call.audit ? [[call.audit, ours[role ?? 'member'].uid]] : []);
    }
    if (!allowed) expect(made.answer.code).toBe(role ? 'permission-denied' : 'unauthenticated');
  });

  test("the other company's admin sees nothing of ours", async () => {
    const { input, document, cookie } = await row.prepare(ours, ours.admin);
    const answer = await attempt(name, input, { token: theirs.admin.token, cookie });
    if (row.unknown) {
      // What is another company's answers exactly as what does not exist.
      const absent = await attempt(name, row.unknown(theirs), { token: theirs.admin.token });
      expect(absent.code).toBeDefined();
      expect(answer).toEqual(absent);
      // And it is still there for us.
      const own = await attempt(name, input, { token: ours.admin.token });
      expect(own.code).toBeUndefined();
    } else if (call.access !== 'anyone') {
      for (const secret of [ours.id, ours.admin.email, ours.member.uid, document?.documentId]) {
        if (secret !== undefined) expect(JSON.stringify(answer)).not.toContain(secret);
      }
    }
  });

  test('an expired token is refused', async () => {
    const { answer } = await asCaller(ours, ours.admin, await expiredToken(ours));
    expect(answer.code).toBe('unauthenticated');
  });

  test('an unpaid company keeps what does not need a subscription', async () => {
    const made = await asCaller(unpaid, unpaid.admin);
    if (row.unpaid) expect(made.answer.code).toBe(row.unpaid);
    else if (call.feature === null || name === 'setUserRole') expectSuccess(made, unpaid);
    else expect(made.answer.code).toBe('subscription-required');
  });
});

const keyHolders = [
  ['a member', 'personal', 'member'],
  ['an admin', 'personal', 'admin'],
  ['the company, as a member', 'company', 'member'],
  ['the company, as an admin', 'company', 'admin'],
] as const;

describe.each(Object.keys(calls) as CallName[])('%s by an API key', (name) => {
  const call: Call = calls[name];
  const row: AnyRow = rows[name];

  const keyFor = async (company: Company, kind: ApiKeyKind, role: Role, scope: ApiKeyScope) => {
    const uid = kind === 'personal' ? company[role].uid : undefined;
    const made = await insertKey(app.app.db, company.id, { uid, role, scope });
    return { ...made, caller: { ...company[role], uid: made.uid, token: made.key } };
  };

  test.each(keyHolders)('of %s, with each scope', async (_, kind, role) => {
    for (const scope of apiKeyScopes) {
      const { caller, keyId } = await keyFor(ours, kind, role, scope);
      const refused = refusalOf(call, role, scope);
      const { input, ...prepared } = refused ? { input: null } : await row.prepare(ours, caller);
      const before = await eventsOf(ours);
      const answer = await attempt(name, input, { token: caller.token });
      expect([scope, answer.code]).toEqual([scope, refused]);
      if (!refused) row.success(answer.result as never, { input, ...prepared } as never, ours);
      // What it does is told as done by this key, and what it is refused leaves no trace.
      const events = (await eventsOf(ours)).slice(before.length);
      const told = events.map(({ action, actorId, via, details }) => [action, actorId, via, details.apiKeyId]);
      expect(told).toEqual(!refused && call.audit ? [[call.audit, caller.uid, 'api-key', keyId]] : []);
    }
  });

  test('is refused without the plan, unpaid, revoked, expired, and while the company ends', async () => {
    const tried = async ({ key }: { key: string }) => (await attempt(name, null, { token: key })).code;
    const { db } = app.app;
    const admin = { role: 'admin', scope: 'admin' } as const;
    const [mine, poor] = [await insertKey(db, ours.id, admin), await insertKey(db, unpaid.id, admin)];
    expect(await tried(poor)).toBe('subscription-required');
    const past = new Date(Date.now() - 1);
    expect(await tried(await insertKey(db, ours.id, { ...admin, revokedAt: past }))).toBe('invalid-api-key');
    expect(await tried(await insertKey(db, ours.id, { ...admin, expiresAt: past }))).toBe('invalid-api-key');
    await app.setSubscription(theirs.id, { state: 'active', plan: 'basic' });
    expect(await tried(await insertKey(db, theirs.id, admin))).toBe('feature-not-in-plan');
    await db.asSystem((tx) =>
      tx
        .update(companies)
        .set({ endsAt: new Date(Date.now() + 60_000) })
        .where(eq(companies.id, ours.id)),
    );
    expect(await tried(mine)).toBe(call.scope === null ? 'not-for-api-keys' : 'company-ending');
  });

  test("of another company's admin finds nothing of ours", async () => {
    if (call.scope === null) return;
    const { key } = await insertKey(app.app.db, theirs.id, { role: 'admin', scope: 'admin' });
    const { input, document } = await row.prepare(ours, ours.admin);
    const answer = await attempt(name, input, { token: key });
    if (row.unknown) expect(answer).toEqual(await attempt(name, row.unknown(theirs), { token: key }));
    for (const secret of [ours.id, ours.admin.email, ours.member.uid, document?.documentId]) {
      if (secret !== undefined && !row.unknown) expect(JSON.stringify(answer)).not.toContain(secret);
    }
  });
});

/** What a key of the plan is told, by nothing but the contract's line; undefined: it may. */
function refusalOf({ access, scope }: Call, role: Role, ofKey: ApiKeyScope): ErrorCode | undefined {
  if (!mayAccess(role, access)) return 'permission-denied';
  if (scope === null) return 'not-for-api-keys';
  return apiKeyScopes.indexOf(ofKey) < apiKeyScopes.indexOf(scope) ? 'api-key-scope' : undefined;
}

describe('whoever has the password and not the second factor', () => {
  test('of their own gets neither a token nor a cookie', async () => {
    const { admin } = await app.signUp();
    await withSecondFactor(admin);
    const input = { email: admin.email, password: goodPassword };
    for (const proof of [{}, { code: '000000' }, { code: 'abcd-efgh-jkmn-pqrs' }]) {
      const { response } = await post('signIn', { ...input, ...proof }, {});
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(response.ok).toBe(false);
      expect(await response.text()).not.toContain('idToken');
    }
  });

  test('that the company asks for reaches nothing but setting one up', async () => {
    const { company, admin } = await app.signUp();
    const member = await app.addMember(company, { role: 'admin' });
    const as = { token: member.token };
    const watching = await watchFiles(createClient(app.url, member.token));
    const refused = app.call('setSecondFactorRequired', { required: true }, { token: admin.token });
    await expect(refused).rejects.toMatchObject({ code: 'own-second-factor-first' });
    await withSecondFactor(admin);
    await app.call('setSecondFactorRequired', { required: true }, { token: admin.token });
    await expect(watching.ended).rejects.toMatchObject({ code: 'session-expired' });
    const open: string[] = [];
    for (const [name, call] of Object.entries<Call>(calls)) {
      const { code } = await attempt(name, null, as);
      if (call.whileEnrolling) open.push(name);
      else expect([name, code]).toEqual([name, 'second-factor-missing']);
    }
    expect(open.sort()).toEqual(
      ['beginSecondFactor', 'confirmSecondFactor', 'getAccountSecurity', 'getSession', 'reauthenticate'].sort(),
    );
    const upload = createClient(app.url, member.token).upload('Note.txt', Buffer.from('A note.'));
    await expect(upload).rejects.toMatchObject({ code: 'second-factor-missing' });
    expect((await app.call('getSession', null, as)).user.mustEnrol).toBe(true);
    const again = await app.call('signIn', { email: member.email, password: goodPassword });
    await expect(app.call('getCompanyFiles', null, { token: again.idToken })).rejects.toMatchObject({
      code: 'second-factor-missing',
    });
    await withSecondFactor({ ...member, token: again.idToken });
    expect(await app.call('getCompanyFiles', null, { token: again.idToken })).toEqual([]);
    const kept = app.call('removeSecondFactor', null, { token: again.idToken });
    await expect(kept).rejects.toMatchObject({ code: 'second-factor-kept' });
    expect(await app.call('listUsers', null, { token: admin.token })).toEqual(
      expect.arrayContaining([expect.objectContaining({ uid: member.uid, hasSecondFactor: true })]),
    );
  });
});

describe("whoever comes from an address that is not on the company's list", () => {
  test('reaches nothing of it by any call, whatever their role; and goes on where they are on it', async () => {
    const away = await newCompany('active');
    const ways = ['signIn', 'refreshSession', 'completeSingleSignOn'] as const;
    const prepared = new Map<string, Prepared<CallName>>();
    for (const name of ways) prepared.set(name, await rows[name].prepare(away, away.member));
    await setAddresses(away, ['203.0.113.0/24', '2001:db8::/32']);
    for (const [name, { access }] of Object.entries<Call>(calls)) {
      for (const { token } of [away.admin, away.member]) {
        for (const accept of ['application/json', 'text/event-stream']) {
          const { code } = await attempt(name, null, { token, accept });
          expect([name, accept, code]).toEqual([name, accept, 'address-not-allowed']);
        }
      }
      const { input, cookie } = prepared.get(name) ?? { input: null };
      const { response, leave } = await post(name, input, { cookie });
      const answer = await response.text();
      leave();
      if (prepared.has(name)) expect([name, answer]).toEqual([name, expect.stringContaining('address-not-allowed')]);
      else expect(answer).not.toContain('address-not-allowed');
      if (access !== 'anyone') expect(answer).toContain('unauthenticated');
      for (const secret of [away.id, away.admin.uid, away.member.uid]) expect(answer).not.toContain(secret);
      // The session that is refused there goes on at an address of the list, by the token that follows the one used up.
      if (name === 'refreshSession') expect(response.headers.getSetCookie().join()).toMatch(/footnote_refresh=[^;]/);
      if (name === 'refreshSession') prepared.set(name, { input, cookie: cookieOf(response) });
      else if (prepared.has(name)) expect(response.headers.getSetCookie().join()).not.toMatch(/footnote_refresh=[^;]/);
    }
    await setAddresses(away, ['127.0.0.1/32']);
    expect((await attempt('getSession', null, { token: away.admin.token })).code).toBeUndefined();
    const goesOn = await attempt('refreshSession', null, { cookie: prepared.get('refreshSession')?.cookie ?? '' });
    expect(goesOn.code).toBeUndefined();
  });
});

describe('uploads, which are no call', () => {
  const begin = (token: string | undefined) =>
    app.fetch('/v1/uploads', {
      method: 'POST',
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        'Tus-Resumable': '1.0.0',
        'Upload-Length': '5',
        'Upload-Metadata': `filename ${Buffer.from('note.md').toString('base64')}`,
      },
    });

  test('begun by admins of paying companies alone', async () => {
    expect((await begin(undefined)).status).toBe(401);
    expect((await begin(await expiredToken(ours))).status).toBe(401);
    expect((await begin(ours.member.token)).status).toBe(403);
    expect((await begin(unpaid.admin.token)).status).toBe(403);
    expect((await begin(ours.admin.token)).status).toBe(201);
  });

  test.each(keyHolders)('begun by an API key of %s, where role, scope and plan allow it', async (_, kind, role) => {
    const keyOf = (company: Company, scope: ApiKeyScope) =>
      insertKey(app.app.db, company.id, { uid: kind === 'personal' ? company[role].uid : undefined, role, scope });
    for (const scope of apiKeyScopes) {
      const allowed = role === 'admin' && scope !== 'read';
      expect([scope, (await begin((await keyOf(ours, scope)).key)).status]).toEqual([scope, allowed ? 201 : 403]);
    }
    expect((await begin((await keyOf(unpaid, 'admin')).key)).status).toBe(403);
  });

  test("another company's upload answers like one that does not exist, to every method", async () => {
    const location = (await begin(ours.admin.token)).headers.get('Location') ?? '';
    for (const method of ['HEAD', 'PATCH', 'DELETE']) {
      const send = (path: string, token: string) =>
        app.fetch(path, {
          method,
          headers: {
            Authorization: `Bearer ${token}`,
            'Tus-Resumable': '1.0.0',
            ...(method === 'PATCH' && { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }),
          },
          ...(method === 'PATCH' && { body: 'hello' }),
        });
      const foreign = await send(location, theirs.admin.token);
      const absent = await send(`/v1/uploads/${randomUUID()}`, theirs.admin.token);
      expect([foreign.status, await foreign.text()]).toEqual([absent.status, await absent.text()]);
      expect(foreign.status).toBe(404);
    }
    const own = await app.fetch(location, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${ours.admin.token}`, 'Tus-Resumable': '1.0.0' },
    });
    expect(own.headers.get('Upload-Offset')).toBe('0');
  });
});

test('a link to an original can not be made for another company by changing it', async () => {
  const files = await app.call('getCompanyFiles', null, { token: ours.admin.token });
  const file = files.find(({ name }) => name === 'House rules.md');
  const gsUri = `gs://${file?.bucket}/${file?.path}`;
  const { url } = await app.call('getFileLink', { gsUri }, { token: ours.member.token });
  expect(await (await app.fetch(url)).text()).toContain(ours.id);
  const [claims = '', signature = ''] = new URL(url).pathname.replace('/files/', '').split('.');
  const swapped = Buffer.from(Buffer.from(claims, 'base64url').toString().replaceAll(ours.id, theirs.id)).toString(
    'base64url',
  );
  for (const token of [`${swapped}.${signature}`, `${claims}.`, claims, `${claims}.${signature}x`]) {
    expect((await app.fetch(`/files/${token}`)).status).toBe(404);
  }
});

/** The rows' common shape: each row's own types meet again in what it has prepared itself. */
interface AnyRow {
  prepare: (
    company: Company,
    caller: Person,
  ) => Promise<{ input: unknown; cookie?: string; document?: InsertedDocument }>;
  unknown?: (company: Company) => unknown;
  unpaid?: ErrorCode;
  success: (result: never, prepared: never, company: Company) => void;
}

interface Answer {
  result?: unknown;
  code?: string;
  message?: string;
}

interface As {
  token?: string;
  cookie?: string | undefined;
  accept?: string;
}

async function attempt(name: string, input: unknown, as: As): Promise<Answer> {
  const { response, leave } = await post(name, input, as);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const line = isStream ? await firstEvent(response) : await response.text();
  leave();
  const body: Wire = JSON.parse(line);
  keepToken(body.result);
  if (body.error) return { code: body.error.details.code, message: body.error.message };
  return { result: body.message ?? body.result };
}

/** A call that ends a person's tokens answers a new one, which the next rows go on with. */
function keepToken(result: unknown): void {
  const { user, idToken }: { user?: { uid?: unknown }; idToken?: unknown } = Object(result);
  for (const { admin, member } of [ours, theirs, unpaid]) {
    for (const person of [admin, member]) {
      if (typeof idToken === 'string' && person.uid === user?.uid) person.token = idToken;
    }
  }
}

interface Wire {
  result?: unknown;
  message?: unknown;
  error?: { message: string; details: { code: string } };
}

async function post(name: string, data: unknown, { token, cookie, accept }: As) {
  const left = new AbortController();
  const response = await app.fetch(`/v1/${name}`, {
    method: 'POST',
    signal: left.signal,
    headers: {
      'content-type': 'application/json',
      ...(name === 'watchFiles' && { accept: 'text/event-stream' }),
      ...(accept !== undefined && { accept }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cookie !== undefined && { cookie: `footnote_refresh=${cookie}` }),
    },
    body: JSON.stringify({ data }),
  });
  return { response, leave: () => left.abort() };
}

async function firstEvent(response: Response): Promise<string> {
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    const event = /^data: (.*)\n\n/m.exec(text)?.[1];
    if (event !== undefined) return event;
  }
  throw new Error(`no event in: ${text}`);
}

async function expiredToken({ id, admin }: Company): Promise<string> {
  const [row] = await app.app.db.asSystem((tx) =>
    tx.select().from(serviceKeys).where(eq(serviceKeys.purpose, 'id-token')),
  );
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ email: admin.email, role: 'admin', companyId: id, auth_time: now - 901 })
    .setProtectedHeader({ alg: 'EdDSA', kid: row?.jwk.kid })
    .setSubject(admin.uid)
    .setIssuer(app.config.publicUrl)
    .setAudience('footnote')
    .setIssuedAt(now - 901)
    .setExpirationTime(now - 1)
    .sign(await importJWK(row?.jwk ?? {}, 'EdDSA'));
}
