import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { apiKeys, oauthClients, oauthRecords } from '#server/db/schema.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  answerRequest,
  askToken,
  authorizationUrl,
  beginRequest,
  callback,
  codeFields,
  connectApp,
  createProgram,
  newClientId,
  newVerifier,
  openBrowser,
  refreshFields,
} from '#server/testing/connected-apps.ts';
import { eras, postMcp } from '#server/testing/mcp-client.ts';

// How programs elsewhere are connected: by the official client, and step by step where it must not work.

let app: TestApp;
let company: { id: string };
let admin: Person;

beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe' });
  ({ company, admin } = await app.signUp());
  await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
  const text = Buffer.from('The cellar key hangs behind the green door.\n');
  await createClient(app.url, admin.token).upload('Rules.md', text);
  await app.idle();
});
afterAll(() => app.close());

const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
/** What is answered to a token there. */
const statusOf = async (token: string, path = '/mcp') =>
  (await postMcp(app.url + path, listing, { key: token })).status;
const connected = () => connectApp(app, admin);

describe('the official client', () => {
  test.each(eras)('registers, is allowed, asks, renews, and is disconnected (%s)', async (era) => {
    const program = createProgram();
    const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
    const fetch = ((url: string | URL, init?: RequestInit) => app.fetch(String(url), init)) as typeof globalThis.fetch;
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${app.config.publicUrl}/mcp`), { authProvider: program, fetch });
    const client = () => new Client({ name: 'a test', version: '1.0.0' }, { versionNegotiation: { mode } });
    const first = transport();
    await expect(client().connect(first)).rejects.toThrow(UnauthorizedError);

    const { sentTo } = program;
    expect(sentTo?.searchParams.get('resource')).toBe(`${app.config.publicUrl}/mcp`);
    expect(sentTo?.searchParams.get('scope')).toBe('read');
    const browser = openBrowser(app);
    const request = await beginRequest(browser, String(sentTo));
    const { body } = await browser.call('getAppRequest', { requestId: request }, admin.token);
    expect(body).toEqual({ result: { name: 'Official Desk', address: '127.0.0.1:33333', onThisMachine: true } });
    const back = await answerRequest(browser, request, { token: admin.token });
    expect(back.searchParams.get('state')).toBe('a state of its own');
    await first.finishAuth(back.searchParams);

    const open = client();
    await open.connect(transport());
    const search = () => open.callTool({ name: 'search', arguments: { query: 'cellar key' } });
    expect(JSON.stringify(await search())).toContain('green door');

    // As when its time is over: the client renews it by itself, and goes on.
    const before = (await program.tokens()) as { access_token: string };
    await app.app.db.asSystem((tx) => tx.delete(oauthRecords).where(eq(oauthRecords.kind, 'AccessToken')));
    expect(JSON.stringify(await search())).toContain('green door');
    expect(await program.tokens()).not.toMatchObject({ access_token: before.access_token });

    const mine = createClient(app.url, admin.token);
    const listed = (await mine.call('listConnectedApps', null)).find(({ name }) => name === 'Official Desk');
    expect(listed).toMatchObject({ address: '127.0.0.1:33333', lastUsedAt: expect.any(String) });
    await mine.call('disconnectApp', { appId: listed?.appId ?? '' });
    await expect(search()).rejects.toThrow(UnauthorizedError);
    await open.close();
  });
});

describe('a token', () => {
  test('reads at /mcp, and is nothing anywhere else', async () => {
    const tokens = await connected();
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'read' });
    const { access_token: token } = tokens;
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(token, '/mcp/key')).toBe(401);
    const asked = { method: 'POST', body: '{"data":null}' };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (const path of ['/v1/getSession', '/v1/getCompanyFiles', '/footnote/us-east4/getCompanyFiles'])
      expect((await app.fetch(path, { ...asked, headers })).status).toBe(401);
    const tus = { ...headers, 'tus-resumable': '1.0.0', 'upload-length': '1', 'content-type': 'text/plain' };
    expect((await app.fetch('/v1/uploads', { method: 'POST', headers: tus })).status).toBe(401);
    // What renews it reads nothing, and a key or a session is no token of an app.
    expect(await statusOf(tokens.refresh_token)).toBe(401);
    expect(await statusOf(admin.token)).toBe(401);
  });

  test('says nothing in the database that anybody could show', async () => {
    const { access_token, refresh_token, code } = await connected();
    const rows = JSON.stringify(await app.app.db.asSystem((tx) => tx.select().from(oauthRecords)));
    expect(rows).toContain('AccessToken');
    for (const secret of [access_token, refresh_token, code]) expect(rows).not.toContain(secret);
  });

  test('is not good for long, nor for another address', async () => {
    const { access_token: token } = await connected();
    const ofKind = eq(oauthRecords.kind, 'AccessToken');
    await app.app.db.asSystem((tx) => tx.update(oauthRecords).set({ expiresAt: new Date() }).where(ofKind));
    expect(await statusOf(token)).toBe(401);
    const other = await connected();
    await app.app.db.asSystem((tx) =>
      tx
        .update(oauthRecords)
        .set({ payload: { aud: 'https://elsewhere.example/mcp' } })
        .where(ofKind),
    );
    expect(await statusOf(other.access_token)).toBe(401);
  });

  test('is renewed once by what renews it; a second time ends the app', async () => {
    const first = await connected();
    const renewed = await askToken(app, refreshFields(first));
    expect(renewed.status).toBe(200);
    expect(await statusOf(renewed.body.access_token)).toBe(200);
    expect((await askToken(app, refreshFields(first))).body.error).toBe('invalid_grant');
    for (const token of [first.access_token, renewed.body.access_token]) expect(await statusOf(token)).toBe(401);
    const next = { clientId: first.clientId, refresh_token: renewed.body.refresh_token };
    expect((await askToken(app, refreshFields(next))).body.error).toBe('invalid_grant');
  });

  test('is renewed once by several at once', async () => {
    const first = await connected();
    const answers = await Promise.all(Array.from({ length: 6 }, () => askToken(app, refreshFields(first))));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { body } of answers) if (body.access_token) expect(await statusOf(body.access_token)).toBe(401);
  });

  test('is given back by its program', async () => {
    const { access_token, refresh_token, clientId } = await connected();
    const revoke = (client_id: string) =>
      app.fetch('/oauth/revoke', { method: 'POST', body: new URLSearchParams({ token: refresh_token, client_id }) });
    await revoke(await newClientId(app));
    expect(await statusOf(access_token)).toBe(200);
    expect((await revoke(clientId)).status).toBe(200);
    expect(await statusOf(access_token)).toBe(401);
  });
});

describe('a code', () => {
  test('is of use once: a second time ends what it has given', async () => {
    const tokens = await connected();
    expect((await askToken(app, codeFields(tokens))).body.error).toBe('invalid_grant');
    expect(await statusOf(tokens.access_token)).toBe(401);
  });

  test('is for its own program, its own address, and whoever began', async () => {
    const clientId = await newClientId(app);
    const { verifier, challenge } = newVerifier();
    const codeNow = async () => {
      const browser = openBrowser(app);
      const request = await beginRequest(browser, authorizationUrl({ clientId, challenge }));
      const back = await answerRequest(browser, request, { token: admin.token });
      expect(back.searchParams.get('iss')).toBe(app.config.publicUrl);
      return back.searchParams.get('code') ?? '';
    };
    const fields = codeFields({ clientId, code: await codeNow(), verifier });
    const { code_verifier: _, ...unproved } = fields;
    const wrong: Record<string, string>[] = [
      { ...fields, client_id: await newClientId(app) },
      { ...fields, redirect_uri: 'http://127.0.0.1:4/callback' },
      { ...fields, code_verifier: newVerifier().verifier },
      unproved,
      { ...fields, resource: 'https://elsewhere.example/mcp' },
    ];
    for (const each of wrong) {
      const { status, body } = await askToken(app, { ...each, code: await codeNow() });
      expect([status, body.access_token]).toEqual([400, undefined]);
    }
    const { status, body } = await askToken(app, { ...fields, client_id: 'a\0b', code: await codeNow() });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });
});

describe('a request', () => {
  const request = async (more: Record<string, string | null>) => {
    const { challenge } = newVerifier();
    const url = authorizationUrl({ clientId: await newClientId(app), challenge }, more);
    const answer = await openBrowser(app).open(url);
    return new URL(answer.headers.get('location') ?? 'none:');
  };

  test.each([
    ['without PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with no method', { code_challenge_method: null }, 'invalid_request'],
    ['for another address', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['for /v1', { resource: 'http://footnote.localhost/v1' }, 'invalid_target'],
    ['for a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['that nobody is to be asked about', { prompt: 'none' }, 'consent_required'],
    ['with words to show', { code_challenge: '"><script>alert(1)</script>' }, 'invalid_request'],
    ['with what no database holds', { state: 'a\0b' }, 'invalid_request'],
    ['of a program with such a name', { client_id: 'a\0b' }, 'invalid_request'],
  ])('%s is told to the person, and leads nowhere else', async (_, more, error) => {
    const to = await request(more);
    expect(to.href).toBe(`${app.config.publicUrl}/connect-app?problem=${error}`);
  });

  test.each([
    ['of nobody', { client_id: 'app_unknown' }],
    ['to another address', { redirect_uri: 'https://elsewhere.example/callback' }],
    ['to another path of the address', { redirect_uri: `${callback}/more` }],
    ['to no address', { redirect_uri: null }],
  ])('%s leads nowhere but to our page', async (_, more) => {
    const to = await request(more);
    expect(to.origin + to.pathname).toBe(`${app.config.publicUrl}/connect-app`);
    expect(to.searchParams.get('problem')).toMatch(/^invalid_/);
  });

  test.each([
    ['/', {}],
    ['/', { response_type: 'token' }],
    ['/', { prompt: 'none' }],
    ['/', { prompt: 'none', response_mode: 'form_post' }],
    ['/%2e', { prompt: 'none' }],
    ['/nobodys', {}],
    ['/nobodys', { response_mode: 'form_post' }],
    ['/%00', {}],
  ])('at another way of writing the address (%s, %j) leads nowhere else', async (end, more) => {
    const clientId = await newClientId(app);
    const url = authorizationUrl({ clientId, challenge: newVerifier().challenge }, more);
    const answer = await openBrowser(app).open(url.replace('?', `${end}?`));
    expect(answer.headers.get('location')).toMatch(new RegExp(`^${app.config.publicUrl}/connect-app[?]`));
  });

  test('is answered by the browser that has brought it, once', async () => {
    const clientId = await newClientId(app);
    const url = authorizationUrl({ clientId, challenge: newVerifier().challenge });
    const theirs = openBrowser(app);
    const requestId = await beginRequest(theirs, url);
    const mine = openBrowser(app);
    await beginRequest(mine, url);
    for (const name of ['getAppRequest', 'allowApp', 'refuseApp'])
      for (const browser of [mine, openBrowser(app)]) {
        const { body } = await browser.call(name, { requestId }, admin.token);
        expect(body.error).toMatchObject({ details: { code: 'app-request-ended' } });
      }
    // Whoever brought it can't go on without an answer, either.
    const onward = await theirs.open(`/oauth/authorize/${requestId}`);
    expect(onward.headers.get('location')).not.toContain('code=');
    const again = await beginRequest(theirs, url);
    await answerRequest(theirs, again, { token: admin.token });
    const { body } = await theirs.call('allowApp', { requestId: again }, admin.token);
    expect(body.error).toMatchObject({ details: { code: 'app-request-ended' } });
  });

  test('that is refused is told so, and nothing is connected', async () => {
    const { challenge } = newVerifier();
    const browser = openBrowser(app);
    const clientId = await newClientId(app, { client_name: 'Unwanted' });
    const requestId = await beginRequest(browser, authorizationUrl({ clientId, challenge }));
    const back = await answerRequest(browser, requestId, { token: admin.token, as: 'refuseApp' });
    expect(back.searchParams.get('error')).toBe('access_denied');
    const rows = await app.app.db.asSystem((tx) => tx.select().from(apiKeys).where(eq(apiKeys.clientId, clientId)));
    expect(rows).toEqual([]);
  });

  test('of one person is nothing to the next in the same browser', async () => {
    const member = await app.addMember(company as never);
    const clientId = await newClientId(app);
    const browser = openBrowser(app);
    for (const { uid, token } of [admin, member]) {
      const { challenge } = newVerifier();
      const requestId = await beginRequest(browser, authorizationUrl({ clientId, challenge }));
      const back = await answerRequest(browser, requestId, { token });
      expect(back.searchParams.get('code')).toMatch(/^\S{43}$/);
      const ofThem = and(eq(apiKeys.clientId, clientId), eq(apiKeys.userId, uid));
      expect(await app.app.db.asSystem((tx) => tx.$count(apiKeys, ofThem))).toBe(1);
    }
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('footnote_app_none'))).toEqual([]);
  });
});

describe('what nobody needs any more', () => {
  test('is swept: requests, tokens, apps that never came, programs that nobody has connected', async () => {
    const { db, jobs } = app.app;
    const kept = await connected();
    const unused = await newClientId(app);
    const day = new Date(Date.now() - 2 * 86_400_000);
    await db.asSystem(async (tx) => {
      await tx.update(oauthClients).set({ createdAt: day });
      await tx.update(oauthRecords).set({ expiresAt: day }).where(eq(oauthRecords.kind, 'Interaction'));
    });
    await db.asSystem((tx) => jobs.enqueue(tx, 'keep-identity', {}));
    await app.idle();
    const left = await db.asSystem((tx) => tx.select().from(oauthClients));
    expect(left.map(({ id }) => id)).toContain(kept.clientId);
    expect(left.map(({ id }) => id)).not.toContain(unused);
    expect(await db.asSystem((tx) => tx.$count(oauthRecords, eq(oauthRecords.kind, 'Interaction')))).toBe(0);
    expect(await statusOf(kept.access_token)).toBe(200);
  });
});
