import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies, oauthClients, users } from '#server/db/schema.ts';
import { outboundAllowed } from '#server/lib/public-address.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { certificate } from '#server/testing/certificate.ts';
import {
  askToken,
  authorizationUrl,
  beginRequest,
  callback,
  connectApp,
  newVerifier,
  openBrowser,
  refreshFields,
  registerProgram,
} from '#server/testing/connected-apps.ts';
import { goodPassword } from '#server/testing/factories.ts';
import fc from '#server/testing/fast-check.ts';
import { holdTable } from '#server/testing/hold.ts';
import { connectMcp, postMcp, seenAsRightsChange } from '#server/testing/mcp-client.ts';

// What an app may that somebody has connected, as long as they may it themselves; and who may be an app at all.

let app: TestApp;
let company: { id: string; name: string };
let admin: Person;
let hidden: string;
let collectionId: string;
/** Says what programs are. */
const documents = createServer(certificate);
const authorities = getCACertificates();
let documentsAt: string;
const answers = new Map<string, { status?: number; body: string }>();
let asked = 0;

beforeAll(async () => {
  setDefaultCACertificates([...authorities, certificate.cert]);
  documents.on('request', (request, response) => {
    asked += 1;
    const { status = 200, body } = answers.get(request.url ?? '') ?? { status: 404, body: '' };
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' }).end(body);
  });
  await once(documents.listen(0, '127.0.0.1'), 'listening');
  documentsAt = `https://localhost:${(documents.address() as AddressInfo).port}`;
  const allowed = outboundAllowed('localhost');
  if (!allowed) throw new Error('not allowed');
  app = await startTestApp({ billing: 'stripe', outboundAllowed: allowed });
  ({ company, admin } = await app.signUp());
  await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
  const client = createClient(app.url, admin.token);
  ({ collectionId } = await client.call('createCollection', { name: 'Board', access: 'restricted' }));
  const secret = Buffer.from('The cellar budget is 417,300 euros.\n');
  hidden = (await client.upload('Budget.md', secret, 'replace', collectionId)).documentId;
  await app.idle();
});
afterAll(async () => {
  await app.close();
  documents.close();
  setDefaultCACertificates(authorities);
});

const message = (name: string, input: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: input },
});
const searching = message('search', { query: 'cellar' });

/** What a token gets: the status, and the code where it is refused. */
async function tried(token: string) {
  const response = await postMcp(`${app.url}/mcp`, searching, { key: token });
  const text = await response.text();
  return [response.status, /"code":"([a-z-]+)"/.exec(text)?.[1] ?? /\(([a-z-]+)\)/.exec(text)?.[1]];
}
const works = [200, undefined];
const isOver = [401, 'invalid-app-token'];
const newMember = () => app.addMember(company);

describe('an app', () => {
  test('sees what its person sees, and is what they are, at that moment', async () => {
    const member = await newMember();
    const { access_token: token } = await connectApp(app, member);
    const client = await connectMcp(`${app.url}/mcp`, token);
    const asAdmin = createClient(app.url, admin.token);
    const seen = await seenAsRightsChange(client, asAdmin, { uid: member.uid, collectionId, hidden, word: '417,300' });
    expect(seen).toEqual([false, true, false, true, false]);
    await client.close();
  });

  test('of another company finds nothing of ours', async () => {
    const other = await app.signUp();
    await app.setSubscription(other.company.id, { state: 'active', plan: 'enterprise' });
    const { access_token: token } = await connectApp(app, other.admin);
    const client = await connectMcp(`${app.url}/mcp`, token);
    expect(
      (await client.callTool({ name: 'search', arguments: { query: 'cellar budget' } })).structuredContent,
    ).toEqual({
      results: [],
    });
    expect(JSON.stringify(await client.callTool({ name: 'fetch', arguments: { id: hidden } }))).toContain(
      '(file-not-found)',
    );
    await client.close();
  });

  test('ends with its person', async () => {
    const member = await newMember();
    const tokens = await connectApp(app, member);
    expect(await tried(tokens.access_token)).toEqual(works);
    await createClient(app.url, admin.token).call('deleteUser', { userIdToDelete: member.uid });
    expect(await tried(tokens.access_token)).toEqual(isOver);
    expect((await askToken(app, refreshFields(tokens))).body.error).toBe('invalid_grant');
  });

  test('ends when its person signs out everywhere else, and with a new password', async () => {
    for (const name of ['endOtherSessions', 'changePassword'] as const) {
      const member = await newMember();
      const tokens = await connectApp(app, member);
      const client = createClient(app.url, member.token);
      if (name === 'endOtherSessions') await client.call(name, null);
      else await client.call(name, { currentPassword: goodPassword, newPassword: `${goodPassword} anew` });
      expect(await tried(tokens.access_token)).toEqual(isOver);
      expect((await askToken(app, refreshFields(tokens))).body.error).toBe('invalid_grant');
    }
  });

  test('ends in what is open, when it is disconnected', async () => {
    const member = await newMember();
    const { access_token: token } = await connectApp(app, member);
    const client = createClient(app.url, member.token);
    const [connected] = await client.call('listConnectedApps', null);
    // The answer waits for the table, and is under way until then.
    const held = await holdTable(app, 'queries');
    const answer = postMcp(`${app.url}/mcp`, message('ask', { question: 'What is the budget?' }), { key: token });
    await held.reached();
    await client.call('disconnectApp', { appId: connected?.appId ?? '' });
    const said = await (await answer).text();
    await held.release();
    expect(said).toContain('invalid-app-token');
    expect(await client.call('listConnectedApps', null)).toEqual([]);
    await expect(client.call('disconnectApp', { appId: connected?.appId ?? '' })).rejects.toMatchObject({
      code: 'app-not-found',
    });
  });

  test('is nobody else’s to list or to disconnect', async () => {
    const member = await newMember();
    const { access_token: token } = await connectApp(app, member);
    const [mine] = await createClient(app.url, member.token).call('listConnectedApps', null);
    const other = createClient(app.url, (await newMember()).token);
    expect(await other.call('listConnectedApps', null)).toEqual([]);
    await expect(other.call('disconnectApp', { appId: mine?.appId ?? '' })).rejects.toMatchObject({
      code: 'app-not-found',
    });
    const keys = createClient(app.url, admin.token);
    await expect(keys.call('revokeApiKey', { keyId: mine?.appId ?? '' })).rejects.toMatchObject({
      code: 'api-key-not-found',
    });
    expect(JSON.stringify(await keys.call('listApiKeys', null))).not.toContain('Test Desk');
    expect(await tried(token)).toEqual(works);
  });

  test('is refused without the plan, unpaid, elsewhere, while the company ends, and without the second factor', async () => {
    const { company, admin } = await app.signUp();
    const { db } = app.app;
    await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
    const { access_token: token } = await connectApp(app, admin);
    const change = (values: Partial<typeof companies.$inferInsert>) =>
      db.asSystem((tx) => tx.update(companies).set(values).where(eq(companies.id, company.id)));
    expect(await tried(token)).toEqual(works);
    await app.setSubscription(company.id, { state: 'active', plan: 'basic' });
    expect(await tried(token)).toEqual([403, 'feature-not-in-plan']);
    await app.setSubscription(company.id, { state: 'canceled', plan: 'enterprise' });
    expect(await tried(token)).toEqual([403, 'subscription-required']);
    await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
    await change({ allowedAddresses: [{ range: '203.0.113.0/24', note: '' }] });
    expect(await tried(token)).toEqual([403, 'address-not-allowed']);
    await change({ allowedAddresses: null, endsAt: new Date(Date.now() + 86_400_000) });
    expect((await tried(token))[1]).toBe('company-ending');
    await change({ endsAt: null, secondFactorRequired: true });
    expect((await tried(token))[1]).toBe('second-factor-missing');
    await change({ secondFactorRequired: false });
    expect(await tried(token)).toEqual(works);
    await db.asSystem((tx) => tx.update(users).set({ state: 'invited' }).where(eq(users.id, admin.uid)));
    expect(await tried(token)).toEqual(isOver);
  });

  test('is counted as keys are, and told of in the audit log', async () => {
    const { company, admin } = await app.signUp();
    await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
    const { access_token: token } = await connectApp(app, admin);
    await tried(token);
    const client = createClient(app.url, admin.token);
    const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const { keys } = await client.call('getAnalytics', { from: date(-1), to: date(1) });
    expect(keys).toMatchObject([{ kind: 'app', asked: 0, searched: 1 }]);
    const [connected] = await client.call('listConnectedApps', null);
    await client.call('disconnectApp', { appId: connected?.appId ?? '' });
    const { events } = await client.call('getAuditLog', {});
    for (const action of ['app-connected', 'app-disconnected'])
      expect(events.find((each) => each.action === action)).toMatchObject({ target: 'Test Desk' });
  });
});

test('whoever comes without a token hears at /mcp where to get one, and at /mcp/key does not', async () => {
  const hears = async (path: string, key?: string) =>
    (await postMcp(app.url + path, searching, key === undefined ? {} : { key })).headers.get('www-authenticate');
  const at = `resource_metadata="${app.config.publicUrl}/.well-known/oauth-protected-resource/mcp", scope="read"`;
  expect(await hears('/mcp')).toBe(`Bearer ${at}`);
  expect(await hears('/mcp', 'nothing')).toBe(`Bearer error="invalid_token", ${at}`);
  expect(await hears('/mcp/key')).toBe('Bearer');
  expect(await hears('/mcp/key', 'nothing')).toBe('Bearer error="invalid_token"');
});

describe('a program that registers', () => {
  test.each([
    ['by http elsewhere', ['http://desk.example/callback']],
    ['by a scheme of its own', ['desk://callback']],
    ['by a script', ['javascript:alert(1)']],
    ['with a password', ['https://a:b@desk.example/callback']],
    ['with a fragment', ['https://desk.example/callback#part']],
    ['at a name that only looks like this machine', ['http://localhost.desk.example/callback']],
    ['by https at this machine', ['https://127.0.0.1/callback']],
    ['with what no address has', ['https://desk.example/\0']],
    ['with what a browser leaves out', ['https://de\tsk.example/\n']],
    ['nowhere', []],
    ['at too many', Array.from({ length: 11 }, (_, n) => `https://desk.example/${n}`)],
    ['too far away', [`https://desk.example/${'a'.repeat(512)}`]],
  ])('%s is refused', async (_, redirect_uris) => {
    const answer = await registerProgram(app, { redirect_uris });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  test('is told what it is, whatever it wanted to be', async () => {
    const answer = await registerProgram(app, {
      token_endpoint_auth_method: 'client_secret_post',
      logo_uri: 'x',
      scope: 'admin',
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      client_id: expect.stringMatching(/^app_[\w-]{24}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Test Desk',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'read',
    });
    // Any port that is free will do on the person's own machine, and nothing else.
  });

  test.each(['', ' ', 'a'.repeat(81), 'Desk\u202eksed', 'De\u200bsk', 'De\nsk', 7, null])(
    'as %j is refused',
    async (name) => {
      const answer = await registerProgram(app, { client_name: name });
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_client_metadata' }]);
    },
  );

  test('with anything at all gets an answer of the protocol, and leaves nothing behind that it may not', async () => {
    const keys = fc.constantFrom(
      'client_name',
      'redirect_uris',
      'grant_types',
      'response_types',
      'jwks',
      '__proto__',
      'scope',
    );
    const anything = fc.oneof(fc.jsonValue(), fc.dictionary(keys, fc.oneof(fc.jsonValue(), fc.array(fc.webUrl()))));
    await fc.assert(
      fc.asyncProperty(anything, async (said) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await app.fetch('/oauth/register', { method: 'POST', headers, body: JSON.stringify(said) });
        const body = (await answer.json()) as Record<string, unknown>;
        expect([201, 400, 413]).toContain(answer.status);
        if (answer.status !== 201)
          expect(body).toEqual({ error: expect.any(String), error_description: expect.any(String) });
      }),
      { numRuns: 150 },
    );
    const kept = await app.app.db.asSystem((tx) => tx.select().from(oauthClients));
    for (const { redirectUris } of kept)
      for (const each of redirectUris)
        expect(each).toMatch(/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/])/);
  });

  test.each([
    ['{', 'application/json', 400],
    [JSON.stringify({ redirect_uris: [callback], more: 'a'.repeat(9000) }), 'application/json', 413],
    ['redirect_uris=x', 'application/x-www-form-urlencoded', 415],
  ])('by %.20j is refused', async (body, type, status) => {
    const answer = await app.fetch('/oauth/register', { method: 'POST', headers: { 'content-type': type }, body });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: 'invalid_client_metadata' });
  });

  test('too often is told to wait', async () => {
    const limited = await startTestApp({
      rates: { ...app.config.rates, appRegistrationsPerHour: 2, appRequestsPerMinute: 1 },
    });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await registerProgram(limited)).status);
    expect(statuses).toEqual([201, 201, 429]);
    expect((await askToken(limited, { grant_type: 'refresh_token' })).status).toBe(400);
    expect((await askToken(limited, { grant_type: 'refresh_token' })).status).toBe(429);
    await limited.close();
  });
});

describe('a program whose id is where it says what it is', () => {
  const said = (id: string, more: object = {}) =>
    JSON.stringify({ client_id: id, client_name: 'Desk of documents', redirect_uris: [callback], ...more });
  const begin = (clientId: string) =>
    beginRequest(openBrowser(app), authorizationUrl({ clientId, challenge: newVerifier().challenge }));

  test('is connected without registering, and its document is read once', async () => {
    const id = `${documentsAt}/desk.json`;
    answers.set('/desk.json', { body: said(id) });
    const member = await newMember();
    const before = asked;
    const { access_token: token } = await connectApp(app, member, { clientId: id });
    expect(await tried(token)).toEqual(works);
    await connectApp(app, await newMember(), { clientId: id });
    expect(asked).toBe(before + 1);
    expect(await createClient(app.url, member.token).call('listConnectedApps', null)).toMatchObject([
      { name: 'Desk of documents', address: '127.0.0.1:33333' },
    ]);
  });

  test.each([
    ['that says another id', { body: said('https://elsewhere.example/desk.json') }],
    ['that is no JSON', { body: '<html>' }],
    ['that is not there', { status: 404, body: '' }],
    ['that is elsewhere by now', { status: 302, body: '' }],
    ['that is too large', { body: JSON.stringify({ more: 'a'.repeat(20_000) }) }],
  ])('with a document %s is refused', async (_, answer) => {
    const path = `/${encodeURIComponent(_)}.json`;
    answers.set(path, answer);
    await expect(begin(documentsAt + path)).rejects.toThrow('problem=invalid_client');
  });

  test.each([
    ['a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['a key', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['an address by http', { redirect_uris: ['http://desk.example/'] }],
    ['a name that turns', { client_name: 'Desk\u202eksed' }],
  ])('that has %s is refused', async (_, more) => {
    const path = `/${encodeURIComponent(_)}.json`;
    answers.set(path, { body: said(documentsAt + path, more) });
    await expect(begin(documentsAt + path)).rejects.toThrow('problem=invalid_client');
  });

  test.each([
    'http://desk.example/desk.json',
    'https://desk.example',
    'https://desk.example/a/../desk.json',
    'https://a@desk.example/desk.json',
    'https://desk.example/desk.json#part',
    'https://127.0.0.1/desk.json',
    'https://[::1]/desk.json',
    'https://169.254.169.254/latest',
  ])('at %s is nowhere', async (id) => {
    const before = asked;
    await expect(begin(id)).rejects.toThrow('problem=invalid_client');
    expect(asked).toBe(before);
  });
});
