import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { type ApiKeyKind, apiKeyScopes } from '#contract/api-keys.ts';
import type { Role } from '#contract/permissions.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies } from '#server/db/schema.ts';
import { callRates, type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import fc from '#server/testing/fast-check.ts';
import { holdTable } from '#server/testing/hold.ts';
import { insertKey } from '#server/testing/keys.ts';
import { connectMcp, postMcp, seenAsRightsChange } from '#server/testing/mcp-client.ts';

// Who gets what by MCP, and what a client can do that means no good.

interface Company {
  id: string;
  admin: Person;
  member: Person;
}

let app: TestApp;
let ours: Company;
let theirs: Company;
let open: string;
let hidden: string;
let collectionId: string;
let key: string;

async function newCompany(): Promise<Company> {
  const { company, admin } = await app.signUp();
  await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
  return { id: company.id, admin, member: await app.addMember(company) };
}

beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe' });
  [ours, theirs] = [await newCompany(), await newCompany()];
  const client = createClient(app.url, ours.admin.token);
  ({ collectionId } = await client.call('createCollection', { name: 'Board', access: 'restricted' }));
  open = (await client.upload('Rules.md', Buffer.from('The cellar key hangs behind the green door.\n'))).documentId;
  const secret = Buffer.from('The cellar budget is 417,300 euros.\n');
  hidden = (await client.upload('Budget.md', secret, 'replace', collectionId)).documentId;
  await app.idle();
  ({ key } = await insertKey(app.app.db, ours.id, { role: 'admin' }));
});
afterAll(() => app.close());

const url = (path = '/mcp/key') => app.url + path;
const message = (name: string, input: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
});
const searching = message('search', { query: 'cellar' });

/** What a single message is answered, whether as JSON or as the one event of a stream. */
async function answerTo(body: string | object, by: Record<string, string | undefined> = {}) {
  const response = await postMcp(url(), body, { key, ...by });
  const text = await response.text();
  const json = text.startsWith('event:') || text.startsWith('data:') ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text;
  return { status: response.status, headers: response.headers, body: json === '' ? null : JSON.parse(json) };
}

const holders: [string, ApiKeyKind, Role][] = [
  ['an admin', 'personal', 'admin'],
  ['a member', 'personal', 'member'],
  ['the company, as an admin', 'company', 'admin'],
  ['the company, as a member', 'company', 'member'],
];

describe('a key', () => {
  test.each(holders)('of %s reads what it sees, with each scope', async (_, kind, role) => {
    for (const scope of apiKeyScopes) {
      const uid = kind === 'personal' ? ours[role].uid : undefined;
      const made = await insertKey(app.app.db, ours.id, { uid, role, scope });
      const client = await connectMcp(url(), made.key);
      const found = JSON.stringify(await client.callTool({ name: 'search', arguments: { query: 'cellar' } }));
      const asked = { question: 'What is the cellar budget?' };
      const answered = JSON.stringify(await client.callTool({ name: 'ask', arguments: asked }));
      const read = await client.callTool({ name: 'fetch', arguments: { id: hidden } });
      const { resources } = await client.listResources();
      await client.close();
      const sees = role === 'admin';
      expect(found).toContain('green door');
      expect(found.includes('417,300')).toBe(sees);
      expect(answered.includes('417,300')).toBe(sees);
      expect(JSON.stringify(read).includes('(file-not-found)')).toBe(!sees);
      expect(resources.map(({ name }) => name)).toEqual(expect.arrayContaining(sees ? ['Budget.md'] : ['Rules.md']));
      expect(resources).toHaveLength(sees ? 2 : 1);
    }
  });

  test('that is kept within collections sees these', async () => {
    const made = await insertKey(app.app.db, ours.id, { collectionIds: [collectionId] });
    const client = await connectMcp(url(), made.key);
    expect(JSON.stringify(await client.callTool({ name: 'fetch', arguments: { id: hidden } }))).toContain('417,300');
    await client.close();
  });

  test('follows what its person may see and is, with the client that is open', async () => {
    const { member } = ours;
    const asAdmin = createClient(app.url, ours.admin.token);
    const made = await insertKey(app.app.db, ours.id, { uid: member.uid });
    const client = await connectMcp(url(), made.key);
    const seen = await seenAsRightsChange(client, asAdmin, { uid: member.uid, collectionId, hidden, word: '417,300' });
    expect(seen).toEqual([false, true, false, true, false]);
    await client.close();
  });

  test("of another company's admin finds nothing of ours", async () => {
    const made = await insertKey(app.app.db, theirs.id, { role: 'admin', scope: 'admin' });
    const client = await connectMcp(url(), made.key);
    const refused = await client.callTool({ name: 'fetch', arguments: { id: randomUUID() } });
    for (const id of [open, hidden]) {
      expect(await client.callTool({ name: 'fetch', arguments: { id } })).toEqual(refused);
      await expect(client.readResource({ uri: `footnote://documents/${id}` })).rejects.toThrow('(file-not-found)');
    }
    expect((await client.callTool({ name: 'search', arguments: { query: 'cellar' } })).structuredContent).toEqual({
      results: [],
    });
    expect((await client.listResources()).resources).toEqual([]);
    await client.close();
  });

  test('is refused without the plan, unpaid, revoked, expired, elsewhere, and while the company ends', async () => {
    const { db } = app.app;
    const company = await newCompany();
    const past = new Date(Date.now() - 1);
    const made = await insertKey(db, company.id, { role: 'admin' });
    const tried = async (of = made) => {
      const { status, body, headers } = await answerTo(searching, { key: of.key });
      return [status, body.error?.data.code ?? /\((.*)\)$/.exec(body.result.content[0].text)?.[1], headers];
    };
    const change = (values: Partial<typeof companies.$inferInsert>) =>
      db.asSystem((tx) => tx.update(companies).set(values).where(eq(companies.id, company.id)));
    const [revoked, code, headers] = await tried(await insertKey(db, company.id, { revokedAt: past }));
    expect([revoked, code]).toEqual([401, 'invalid-api-key']);
    // Nothing that names another way to sign in.
    expect((headers as Headers).get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect((await tried(await insertKey(db, company.id, { expiresAt: past }))).slice(0, 2)).toEqual([
      401,
      'invalid-api-key',
    ]);
    await change({ allowedAddresses: [{ range: '203.0.113.0/24', note: '' }] });
    expect((await tried()).slice(0, 2)).toEqual([403, 'address-not-allowed']);
    await change({ allowedAddresses: null });
    await app.setSubscription(company.id, { state: 'active', plan: 'basic' });
    expect((await tried()).slice(0, 2)).toEqual([403, 'feature-not-in-plan']);
    await app.setSubscription(company.id, { state: 'canceled', plan: 'enterprise' });
    expect((await tried()).slice(0, 2)).toEqual([403, 'subscription-required']);
    await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
    await change({ endsAt: new Date(Date.now() + 60_000) });
    expect((await tried()).slice(0, 2)).toEqual([200, 'company-ending']);
    await change({ endsAt: null, secondFactorRequired: true });
    const personal = await insertKey(db, company.id, { uid: company.member.uid });
    expect((await tried(personal)).slice(0, 2)).toEqual([403, 'second-factor-missing']);
  });

  test('that is revoked while it asks hears nothing more', async () => {
    const made = await insertKey(app.app.db, ours.id, { role: 'admin' });
    const held = await holdTable(app, 'chunks');
    const asking = answerTo(message('ask', { question: 'Where is the cellar key?' }), { key: made.key });
    await held.reached();
    await app.call('revokeApiKey', { keyId: made.keyId }, { token: ours.admin.token });
    const { body } = await asking;
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('(invalid-api-key)') }],
    });
    await held.release();
  });

  test('is the only bearer, and there has to be one', async () => {
    expect(await answerTo(searching, { key: ours.admin.token })).toMatchObject({ status: 401 });
    const none = await postMcp(url(), searching);
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toBe('Bearer');
    expect(await none.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'unauthenticated' } } });
  });
});

describe('a client that means no good', () => {
  test.each([
    ['of halves of characters', message('search', { query: 'cellar \ud83d' }), 200],
    ['that is too large', JSON.stringify(message('search', { query: 'x'.repeat(1024 * 1024) })), 400],
    [
      'that goes too deep',
      message('search', { query: 'cellar', more: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) }),
      400,
    ],
    ['that goes deeper than a stack', `${'['.repeat(500_000)}`, 400],
    ['of many at once', JSON.stringify([searching, searching]), 400],
    ['that is no JSON', '{', 400],
    ['that is nothing', 'null', 400],
    ['with an id as long as a book', { ...searching, id: 'x'.repeat(10_000) }, 400],
  ])('is answered a body %s', async (_, body, status) => {
    const answer = await answerTo(body);
    expect(answer.status).toBe(status);
    expect(answer.body.error?.data?.code).not.toBe('internal');
  });

  test('is refused from a page of another origin, and by other methods', async () => {
    for (const origin of ['https://elsewhere.example', 'null', 'http://localhost:6274']) {
      expect(await answerTo(searching, { origin })).toMatchObject({ status: 403 });
    }
    expect(await answerTo(searching, { origin: new URL(app.config.publicUrl).origin })).toMatchObject({ status: 200 });
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const response = await fetch(url(), { method, headers: { authorization: `Bearer ${key}` } });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
      await response.text();
    }
    // Nothing is listened to, so no stream stays open.
    const listen = { jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params: { notifications: {} } };
    expect(await answerTo(listen)).toMatchObject({ status: 404, body: { id: 7, error: { code: -32601 } } });
  });

  test('is answered whatever it sends, and never that we failed', async () => {
    const method = fc.constantFrom(
      'tools/call',
      'tools/list',
      'resources/read',
      'resources/list',
      'ping',
      'initialize',
      'x',
    );
    const name = fc.constantFrom('search', 'fetch', 'ask', 'toString', '__proto__', '');
    const any = fc.jsonValue({ maxDepth: 3 });
    const input = fc.oneof(any, fc.record({ query: any, id: any, question: any, limit: any }, { requiredKeys: [] }));
    const params = fc.oneof(
      any,
      fc.record({ name, arguments: input, uri: any, cursor: any, _meta: any }, { requiredKeys: [] }),
    );
    const body = fc.record({
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: any,
      method: fc.oneof(method, any),
      params,
    });
    await fc.assert(
      fc.asyncProperty(body, async (each) => {
        const { status, body } = await answerTo(each);
        expect(status).toBeLessThan(500);
        expect(JSON.stringify(body)).not.toMatch(/\(internal\)|"internal"/);
      }),
      { numRuns: 150 },
    );
  });
});

test('what is asked counts as over /v1: one share for both', async () => {
  const limited = await startTestApp({ callRates: callRates(3) });
  const { company } = await limited.signUp();
  const made = await insertKey(limited.app.db, company.id, {});
  const client = createClient(limited.url, made.key);
  for (const query of ['one', 'two']) await client.call('searchPassages', { query });
  const mcp = await connectMcp(`${limited.url}/mcp/key`, made.key);
  const search = () => mcp.callTool({ name: 'search', arguments: { query: 'three' } });
  expect((await search()).isError).toBeFalsy();
  const refused = await search();
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toMatch(/Try again in \d+ s\. \(too-many-requests\)/);
  await expect(client.call('searchPassages', { query: 'four' })).rejects.toMatchObject({ code: 'too-many-requests' });
  await mcp.close();
  await limited.close();
});
