import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies, outboxMails } from '#server/db/schema.ts';
import { createPeople } from '#server/features/identity/people.ts';
import { openEmbeddedIdentity } from '#server/ports/identity/embedded.ts';
import { type Person, startTestApp, type TestApp } from './app.ts';
import { png } from './png.ts';

// Every route that is no call, by every method, as every kind of caller. A route without a row fails.

const callers = ['anonymous', 'member', 'admin', 'another company', 'removed', 'outside'] as const;
type Caller = (typeof callers)[number];

interface Row {
  /** Sends the request with these headers of the caller's. */
  send: (headers: Record<string, string>) => Promise<Response>;
  /** The status that each kind of caller gets. */
  answers: Record<Caller, number>;
}

let app: TestApp;
let token: Record<Caller, string | undefined>;
let company: { id: string };
let admin: Person;
let fileUrl: string;
let exportUrl: string;
let logoPath: string;
let auditUrl: string;
/** Of an upload that our admin has begun. */
let begunBefore: string;

beforeAll(async () => {
  app = await startTestApp();
  ({ company, admin } = await app.signUp());
  const member = await app.addMember(company);
  const removed = await app.addMember(company, { role: 'admin' });
  const another = await app.signUp();
  const { db, jobs } = app.app;
  const people = createPeople({ db, jobs, provider: await openEmbeddedIdentity(db, app.config.publicUrl) });
  await db.asCompany(company.id, (tx) => people.removeUser(tx, { companyId: company.id, uid: removed.uid }));
  token = {
    anonymous: undefined,
    member: member.token,
    admin: admin.token,
    'another company': another.token,
    removed: removed.token,
    // Our admin, at an address that is not on the company's list.
    outside: admin.token,
  };
  await createClient(app.url, admin.token).upload('Rules.txt', Buffer.from('The cellar key hangs behind the door.\n'));
  await app.idle();
  const gsUri = `gs://${app.config.bucket}/${company.id}/Rules.txt`;
  fileUrl = (await app.call('getFileLink', { gsUri }, { token: admin.token })).url;
  auditUrl = (await app.call('exportAuditLog', { format: 'csv' }, { token: admin.token })).url;
  const { exportId } = await app.call('startExport', null, { token: admin.token });
  await app.idle();
  exportUrl = (await app.call('getExport', { exportId }, { token: admin.token })).url ?? '';
  begunBefore = (await begin({ authorization: `Bearer ${admin.token}` })).headers.get('location') ?? '';
  // The mail that it is ready stands in the outbox, which is a row, too.
  await db.asSystem((tx) => tx.delete(outboxMails));
  const logo = png({ width: 1, height: 1 }).toString('base64');
  logoPath = (await app.call('updateBrand', { logo }, { token: admin.token })).brand.logoUrl ?? '';
});
// Every row is of a company with a list, and of people at an address of it, but for those outside.
beforeEach(() => setAddress('127.0.0.1/32'));
afterAll(() => app.close());

/** Open to all: nothing of a company is in it, or nobody's address is asked for. */
const toAll = (status: number): Row['answers'] => ({
  anonymous: status,
  member: status,
  admin: status,
  'another company': status,
  removed: status,
  outside: status,
});
/** The link is the right, wherever it is opened that the company's people may come from. */
const toWhoHasIt = (status: number): Row['answers'] => ({ ...toAll(status), outside: 403 });
const toAdmins = (status: number, elsewhere: number): Row['answers'] => ({
  anonymous: 401,
  member: 403,
  admin: status,
  'another company': elsewhere,
  removed: 401,
  outside: 403,
});

const plain =
  (method: string, path: string) =>
  (headers: Record<string, string>): Promise<Response> =>
    app.fetch(path, { method, headers });

async function setAddress(range: string): Promise<void> {
  const allowedAddresses = [{ range, note: '' }];
  await app.app.db.asSystem((tx) => tx.update(companies).set({ allowedAddresses }).where(eq(companies.id, company.id)));
}

const tus = { 'Tus-Resumable': '1.0.0' };
const begin = (headers: Record<string, string>) =>
  app.fetch('/v1/uploads', {
    method: 'POST',
    headers: {
      ...headers,
      ...tus,
      'Upload-Length': '5',
      'Upload-Metadata': `filename ${Buffer.from('note.md').toString('base64')}`,
    },
  });
/** On an upload that our admin has begun. */
const onUpload = (method: string) => async (headers: Record<string, string>) => {
  const begun = await begin({ authorization: `Bearer ${admin.token}` });
  const location = begun.headers.get('location') ?? begunBefore;
  const patch = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  return app.fetch(location, {
    method,
    headers: { ...headers, ...tus, ...(method === 'PATCH' && patch) },
    ...(method === 'PATCH' && { body: 'hello' }),
  });
};
const call = (path: string) => (headers: Record<string, string>) =>
  app.fetch(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"data":null}',
  });

const callsAt = (path: string): Record<string, Row> => ({
  // Which call may be made by whom is the other matrix; here, that both addresses ask.
  [`POST ${path}`]: {
    send: call(path.replace(':project', 'any').replace(':name', 'listUsers')),
    answers: { ...toAdmins(200, 200) },
  },
  ...Object.fromEntries(
    ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method) => [
      `${method} ${path}`,
      { send: plain(method, path.replace(':project', 'any').replace(':name', 'listUsers')), answers: toAll(400) },
    ]),
  ),
});

/** By an address that the answer leads to. */
const visit = (path: string) => (headers: Record<string, string>) => app.fetch(path, { headers, redirect: 'manual' });

/** For keys and apps alone: which of them may what is told in `server/http/mcp/access.test.ts`. */
const mcpAt = (path: string): Record<string, Row> => ({
  [`POST ${path}`]: { send: call(path), answers: toAll(401) },
  ...Object.fromEntries(
    ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method) => [
      `${method} ${path}`,
      { send: plain(method, path), answers: toAll(405) },
    ]),
  ),
});

const open = (path: string): Record<string, Row> => ({
  [`GET ${path}`]: { send: plain('GET', path), answers: toAll(200) },
  [`HEAD ${path}`]: { send: plain('HEAD', path), answers: toAll(200) },
});

const rows: Record<string, Row> = {
  ...open('/healthz'),
  ...open('/readyz'),
  ...open('/metrics'),
  ...open('/.well-known/jwks.json'),
  // What can be called says nothing of anybody.
  ...open('/openapi.json'),
  // For whoever sits at this machine, and in development alone: so is this test.
  ...open('/dev/outbox'),
  ...open('/dev/outbox.json'),
  'GET /dev/outbox/:id': { send: plain('GET', `/dev/outbox/${randomUUID()}`), answers: toAll(404) },
  'HEAD /dev/outbox/:id': { send: plain('HEAD', `/dev/outbox/${randomUUID()}`), answers: toAll(404) },
  // A company's logo, which mails show to whoever gets them.
  'GET /brand/:companyId/:file': { send: (headers) => app.fetch(logoPath, { headers }), answers: toAll(200) },
  'HEAD /brand/:companyId/:file': {
    send: (headers) => app.fetch(logoPath, { method: 'HEAD', headers }),
    answers: toAll(200),
  },
  // As of an original: its admin is still there.
  'GET /audit/:token': { send: (headers) => app.fetch(auditUrl, { headers }), answers: toWhoHasIt(200) },
  // Providers tell of sign-outs by what they have signed, and nothing else is believed.
  'POST /single-sign-on/:companyId/logout': {
    send: (headers) =>
      app.fetch(`/single-sign-on/${company.id}/logout`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ logout_token: 'made up' }),
      }),
    answers: toAll(404),
  },
  // How apps are connected says nothing of anybody; and who asks what is told in `server/features/connected-apps/`.
  ...open('/.well-known/oauth-authorization-server'),
  ...open('/.well-known/oauth-protected-resource/mcp'),
  'GET /oauth/authorize': { send: visit('/oauth/authorize'), answers: toAll(302) },
  'GET /oauth/authorize/:uid': { send: visit('/oauth/authorize/nothing'), answers: toAll(302) },
  'POST /oauth/register': { send: call('/oauth/register'), answers: toAll(400) },
  'POST /oauth/token': { send: plain('POST', '/oauth/token'), answers: toAll(400) },
  'POST /oauth/revoke': { send: plain('POST', '/oauth/revoke'), answers: toAll(400) },
  ...mcpAt('/mcp'),
  ...mcpAt('/mcp/key'),
  ...callsAt('/v1/:name'),
  ...callsAt('/:project/us-east4/:name'),
  // What a browser asks before a page of another origin makes a call; cookies are allowed to none.
  'OPTIONS /*': {
    send: (headers) =>
      app.fetch('/v1/listUsers', {
        method: 'OPTIONS',
        headers: { ...headers, origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
      }),
    answers: toAll(204),
  },
  'GET /files/:token': { send: (headers) => app.fetch(fileUrl, { headers }), answers: toWhoHasIt(200) },
  'HEAD /files/:token': {
    send: (headers) => app.fetch(fileUrl, { method: 'HEAD', headers }),
    answers: toWhoHasIt(200),
  },
  'GET /exports/:token': { send: (headers) => app.fetch(exportUrl, { headers }), answers: toWhoHasIt(200) },
  'HEAD /exports/:token': {
    send: (headers) => app.fetch(exportUrl, { method: 'HEAD', headers }),
    answers: toWhoHasIt(200),
  },
  'POST /v1/uploads': { send: begin, answers: toAdmins(201, 201) },
  'HEAD /v1/uploads': { send: plain('HEAD', '/v1/uploads'), answers: toAdmins(412, 412) },
  'PATCH /v1/uploads': { send: plain('PATCH', '/v1/uploads'), answers: toAdmins(412, 412) },
  'DELETE /v1/uploads': { send: plain('DELETE', '/v1/uploads'), answers: toAdmins(412, 412) },
  'OPTIONS /v1/uploads': { send: plain('OPTIONS', '/v1/uploads'), answers: toAll(204) },
  'POST /v1/uploads/:id': { send: onUpload('POST'), answers: toAdmins(400, 400) },
  'HEAD /v1/uploads/:id': { send: onUpload('HEAD'), answers: toAdmins(200, 404) },
  'PATCH /v1/uploads/:id': { send: onUpload('PATCH'), answers: toAdmins(200, 404) },
  'DELETE /v1/uploads/:id': { send: onUpload('DELETE'), answers: toAdmins(204, 404) },
  'OPTIONS /v1/uploads/:id': { send: onUpload('OPTIONS'), answers: toAll(204) },
};

test('every route has a row, and every row its route', () => {
  const unanswered = routes().filter((route) => !isWeb(route));
  expect(unanswered.toSorted()).toEqual(Object.keys(rows).toSorted());
});

describe.each(Object.keys(rows))('%s', (route) => {
  test.each(callers)('%s', async (caller) => {
    if (caller === 'outside') await setAddress('203.0.113.7/32');
    const row = rows[route];
    const bearer = token[caller];
    const response = await row?.send(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` });
    expect(response?.status).toBe(row?.answers[caller]);
    const body = await response?.text();
    if (caller === 'outside') expect(body).not.toContain('cellar');
    // What is open to all has nothing of a company in it; the link to a file is itself what opens it.
    if (/\/(files|exports|audit)\//.test(route) || caller === 'admin' || caller === 'member') return;
    for (const secret of [company.id, admin.email, admin.uid, 'cellar']) expect(body).not.toContain(secret);
  });
});

test('in production there is no outbox, and in development none for anyone elsewhere', async () => {
  for (const headers of [{ 'x-forwarded-for': '192.0.2.1' }, { forwarded: 'for=192.0.2.1' }, { via: '1.1 proxy' }]) {
    for (const path of ['/dev/outbox', '/dev/outbox.json']) {
      const response = await app.fetch(path, { headers: new Headers(Object.entries(headers)) });
      expect(response.status).toBe(404);
    }
  }
  const production = await startTestApp({ production: true });
  for (const path of ['/dev/outbox', '/dev/outbox.json']) expect((await production.fetch(path)).status).toBe(404);
  await production.close();
});

test('a method hidden in a header is asked for like any other', async () => {
  const location = (await begin({ authorization: `Bearer ${admin.token}` })).headers.get('location') ?? '';
  for (const hidden of ['DELETE', 'PATCH', 'HEAD', 'POST']) {
    for (const path of [location, '/v1/uploads']) {
      const response = await app.fetch(path, {
        method: 'OPTIONS',
        headers: { ...tus, 'X-HTTP-Method-Override': hidden, 'Upload-Length': '5', 'Upload-Offset': '0' },
      });
      expect(response.status).not.toBe(201);
      await response.text();
    }
  }
  const own = await app.fetch(location, {
    method: 'HEAD',
    headers: { ...tus, authorization: `Bearer ${admin.token}` },
  });
  expect(own.headers.get('upload-offset')).toBe('0');
});

test.each([
  '/v2/listUsers',
  '/admin.json',
  '/v1/files',
  `/files/${randomUUID()}`,
  `/exports/${randomUUID()}`,
  '/webhooks/stripe',
])('%s is no way in', async (path) => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    const response = await app.fetch(path, { method, headers: { authorization: `Bearer ${token.admin}` } });
    expect(await response.text()).not.toContain(company.id);
  }
});

/** The web app: the same for everyone, and in the built folder. */
function isWeb(route: string): boolean {
  return /^(GET|HEAD) (\/|\/assets\/.*|\/[\w-]+\.(svg|ico|png|txt|webmanifest))$/.test(route);
}

/** What the router answers, as `METHOD /path`, read from its own print of the tree. */
function routes(): string[] {
  const path: string[] = [];
  return app.app.http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', segment = '', methods = ''] = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
      if (segment === '') return [];
      path.length = indent.length / 4;
      path.push(segment);
      // The tree says `*` where no page of a built web app stands beside it.
      const whole = path.join('').replace('//', '/').replace(/^\*/, '/*');
      return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${whole}`);
    });
}
