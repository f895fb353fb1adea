import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { createClient } from '#client/client.ts';
import { eq, sql } from '#server/db/drizzle.ts';
import { auditEvents, exports, users } from '#server/db/schema.ts';
import { type Company, test } from '#server/testing/company.ts';
import { insertAnswer } from '#server/testing/factories.ts';
import { holdTable } from '#server/testing/hold.ts';
import { readZip } from '#server/testing/read-zip.ts';

const question = 'Where does the cellar key hang?';
const rules = Buffer.from('# House rules\n\nThe cellar key hangs behind the green door.\n');
const plan = Buffer.from('The pier is rebuilt in April.\n');

async function made(company: Company, call: 'startExport' | 'startOwnExport' = 'startExport', token = company.token) {
  const { exportId } = await company.app.call(call, null, { token });
  await company.app.idle();
  return company.app.call('getExport', { exportId }, { token });
}

async function download(company: Company, url: string | undefined, headers: Record<string, string> = {}) {
  const reply = await company.app.fetch(url ?? '', { headers });
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
}

const lines = (content: Buffer | undefined) =>
  String(content ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** What is on the disk for exports of the company: `<exportId>/<name>`. */
const madeFiles = async (company: Company) => {
  const folder = join(company.app.config.dataDir, 'exports', company.id);
  return (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.includes('/'));
};

async function clear(company: Company): Promise<void> {
  await company.app.app.db.asSystem((tx) => company.app.app.jobs.enqueue(tx, 'clear-exports', {}));
  await company.app.idle();
}

describe('the export of a company', () => {
  test('has its originals and everything else, and says what is what', async ({ app, company }) => {
    const { client, admin } = company;
    await client.upload('Rules.md', Buffer.from('# House rules\n\nNothing yet.\n'));
    await client.upload('Rules.md', rules);
    const member = await app.addMember(company);
    const { groupId } = await client.call('createGroup', { name: 'Leads', userIds: [member.uid] });
    const { collectionId } = await client.call('createCollection', {
      name: 'Board',
      access: 'restricted',
      groupIds: [groupId],
    });
    const { keyId, key } = await client.call('createApiKey', {
      name: 'Nightly',
      kind: 'company',
      role: 'admin',
      scope: 'write',
    });
    const { webhookId, secret } = await client.call('createWebhook', {
      url: 'https://example.org/hook',
      events: ['document.deleted'],
    });
    await createClient(app.url, key).upload('Harbour › plan.txt', plan, 'replace', collectionId);
    const listed = await client.call('getCompanyFiles', null);
    expect(listed.map(({ uploadedByKey }) => uploadedByKey)).toEqual(['Nightly', undefined]);
    await app.idle();
    const { queryId } = await client.call('query', { history: [{ role: 'user', parts: [{ text: question }] }] });
    await client.call('rateAnswer', { queryId, rating: 'up' });

    const ready = await made(company);
    expect(ready).toMatchObject({ state: 'ready', documents: 3, documentsDone: 3, bytesDone: ready.bytes });
    expect(Date.parse(ready.expiresAt ?? '') - Date.parse(ready.readyAt ?? '')).toBe(24 * 3_600_000);
    const { reply, bytes } = await download(company, ready.url);
    expect(reply.headers.get('content-type')).toBe('application/zip');
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; .*Example%20Company%20[-\d]+\.zip/);
    expect(bytes.length).toBe(ready.size);

    const zip = await readZip(bytes);
    expect(zip.get('documents/Rules.md')).toEqual(rules);
    expect(zip.get('documents/Harbour/plan.txt')).toEqual(plan);
    expect(String(zip.get('earlier-versions/Rules (version 1).md'))).toContain('Nothing yet.');
    const readme = String(zip.get('README.txt'));
    zip.delete('README.txt');
    for (const path of zip.keys()) expect(readme).toContain(path.replace(/^(documents|earlier-versions)\/.*/, '$1/'));

    const documents = lines(zip.get('documents.ndjson'));
    expect(documents.map(({ name }) => name).sort()).toEqual(['Harbour › plan.txt', 'Rules.md']);
    const ours = documents.find(({ name }) => name === 'Rules.md');
    expect(ours).toMatchObject({
      collectionId: company.id,
      currentVersion: 2,
      versions: [{ version: 1 }, { path: 'documents/Rules.md' }],
    });
    expect(lines(zip.get('questions.ndjson'))).toMatchObject([
      {
        queryId,
        question,
        answered: true,
        rating: 'up',
        person: { email: admin.email },
        sources: [{ n: 1, name: 'Rules.md', quote: 'The cellar key hangs behind the green door.' }],
      },
    ]);
    expect(documents.find(({ name }) => name !== 'Rules.md')).toMatchObject({ collectionId });
    expect(lines(zip.get('collections.ndjson'))).toMatchObject([
      { collectionId, name: 'Board', access: 'restricted', userIds: [], groupIds: [groupId] },
    ]);
    expect(documents.find(({ name }) => name !== 'Rules.md').versions).toMatchObject([
      { uploadedBy: null, uploadedByKey: 'Nightly' },
    ]);
    const [keyLine, ...otherKeys] = lines(zip.get('api-keys.ndjson'));
    expect(keyLine).toMatchObject({
      keyId,
      name: 'Nightly',
      kind: 'company',
      role: 'admin',
      revokedAt: null,
      uid: null,
    });
    expect(otherKeys).toEqual([]);
    expect(String(zip.get('api-keys.ndjson'))).not.toContain(key);
    expect(lines(zip.get('webhooks.ndjson'))).toMatchObject([{ webhookId, url: 'https://example.org/hook' }]);
    expect(String(zip.get('webhooks.ndjson'))).not.toContain(secret);
    expect(lines(zip.get('groups.ndjson'))).toMatchObject([{ groupId, name: 'Leads', userIds: [member.uid] }]);
    const people = lines(zip.get('people.ndjson')).map(({ email, role }) => [email, role]);
    expect(people.sort()).toEqual(
      [
        [admin.email, 'admin'],
        [member.email, 'member'],
      ].sort(),
    );
    const actions = lines(zip.get('audit.ndjson')).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['signed-up', 'file-uploaded', 'question-asked', 'export-started']));
    expect(JSON.parse(String(zip.get('settings.json')))).toMatchObject({ company: { name: 'Example Company' } });
  });

  test('can be downloaded in parts, whose sum is the whole', async ({ app, company }) => {
    await company.client.upload('Rules.md', rules);
    await company.client.upload('Plan.txt', plan);
    await app.idle();
    const { url, size = 0 } = await made(company);
    const whole = (await download(company, url)).bytes;
    for (const step of [1000, 77, size - 1]) {
      const parts: Buffer[] = [];
      for (let start = 0; start < size; start += step) {
        const { reply, bytes } = await download(company, url, { Range: `bytes=${start}-${start + step - 1}` });
        expect(reply.status).toBe(206);
        parts.push(bytes);
      }
      expect(Buffer.concat(parts).equals(whole)).toBe(true);
    }
    const tail = await download(company, url, { Range: 'bytes=-22' });
    expect(tail.bytes).toEqual(whole.subarray(-22));
    expect((await download(company, url, { Range: `bytes=${size}-` })).reply.status).toBe(416);
    const tag = tail.reply.headers.get('etag') ?? '';
    expect((await download(company, url, { 'If-None-Match': tag })).reply.status).toBe(304);
    const other = await download(company, url, { Range: 'bytes=0-9', 'If-Range': '"another"' });
    expect([other.reply.status, other.bytes.length]).toEqual([200, size]);
    const head = await app.fetch(url ?? '', { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(size));
  });

  test('is one at a time, and a second one takes the place of the first', async ({ app, company }) => {
    const hold = await holdTable(app, 'queries');
    const { exportId } = await company.client.call('startExport', null);
    await hold.reached();
    await expect(company.client.call('startExport', null)).rejects.toMatchObject({ code: 'export-running' });
    const running = await company.client.call('getExport', { exportId });
    expect(running).toMatchObject({ state: 'running' });
    expect(running.url).toBeUndefined();
    await hold.release();
    await app.idle();
    const { url } = await company.client.call('getExport', { exportId });
    const second = await made(company);
    expect((await download(company, second.url)).reply.status).toBe(200);
    expect((await download(company, url)).reply.status).toBe(404);
    expect((await madeFiles(company)).filter((name) => name.startsWith(exportId))).toEqual([]);
  });

  test('is told by mail in the company’s language, in every state of the subscription, and is audited', async ({
    app,
    company,
  }) => {
    await company.client.call('updateCompany', { mailLanguage: 'de' });
    await app.setSubscription(company.id, { state: 'canceled', plan: 'basic' });
    await made(company);
    await app.idle();
    const mails: { to: string; subject: string; text: string }[] = await (await app.fetch('/dev/outbox.json')).json();
    const mail = mails.find(({ to }) => to === company.admin.email);
    expect(mail?.subject).toContain('Export');
    expect(mail?.text).toContain('/admin/settings/data');
    const audited = await app.app.db.asCompany(company.id, (tx) => tx.select().from(auditEvents));
    expect(audited.map(({ action }) => action)).toEqual(expect.arrayContaining(['export-started', 'export-opened']));
  });

  test('is for admins who have just signed in', async ({ app, company }) => {
    const member = await app.addMember(company);
    const { exportId, url } = await made(company);
    const asMember = { token: member.token };
    await expect(app.call('getExport', { exportId }, asMember)).rejects.toMatchObject({ code: 'export-not-found' });
    expect((await app.call('listExports', null, asMember)).company).toBeUndefined();
    await app.app.db.asSystem((tx) => tx.update(users).set({ role: 'member' }).where(eq(users.id, company.admin.uid)));
    expect((await download(company, url)).reply.status).toBe(404);
  });

  test('ends with its day, with nothing left of it', async ({ app, company }) => {
    const { url, exportId } = await made(company);
    expect(await madeFiles(company)).not.toEqual([]);
    await app.app.db.asSystem((tx) =>
      tx.update(exports).set({ expiresAt: sql`now()` }).where(eq(exports.id, exportId)),
    );
    expect((await download(company, url)).reply.status).toBe(404);
    expect((await company.client.call('listExports', null)).company).toBeUndefined();
    await clear(company);
    expect(await madeFiles(company)).toEqual([]);
  });

  test('has nothing of a document that is deleted, before and after it was ready', async ({ app, company }) => {
    await company.client.upload('Rules.md', rules);
    await company.client.upload('Plan.txt', plan);
    await app.idle();
    await company.client.call('query', { history: [{ role: 'user', parts: [{ text: question }] }] });
    const { exportId, url } = await made(company);
    const hold = await holdTable(app, 'queries');
    const deleting = company.client.call('deleteFile', { filePath: `${company.id}/Rules.md` });
    await hold.reached();
    await hold.release();
    await deleting;
    // Whoever has the link gets nothing any more, or what was made anew without it.
    const { reply, bytes } = await download(company, url);
    if (reply.status === 200) expect(bytes.includes('green door')).toBe(false);
    else expect(reply.status).toBe(404);
    await app.idle();
    const renewed = await company.client.call('getExport', { exportId });
    const zip = await readZip((await download(company, renewed.url)).bytes);
    expect([...zip.keys()].filter((path) => path.startsWith('documents/'))).toEqual(['documents/Plan.txt']);
    for (const content of zip.values()) expect(content.includes('green door')).toBe(false);
    expect(lines(zip.get('documents.ndjson')).map(({ name }) => name)).toEqual(['Plan.txt']);
  });
});

describe('a link to an export', () => {
  test('is dead as soon as its person has lost their session, and forged ones are', async ({ app, company }) => {
    const signedIn = await app.call('signIn', { email: company.admin.email, password: company.admin.password });
    const { url = '' } = await made(company, 'startExport', signedIn.idToken);
    const [claims = '', signature = ''] = new URL(url).pathname.replace('/exports/', '').split('.');
    for (const token of [`${claims}.`, claims, `${claims}.${signature}x`, 'x.y'])
      expect((await app.fetch(`/exports/${token}`)).status).toBe(404);
    expect((await download(company, url)).reply.status).toBe(200);
    await company.client.call('changePassword', {
      currentPassword: company.admin.password,
      newPassword: 'another quiet heron 12',
    });
    expect((await download(company, url)).reply.status).toBe(404);
  });
});

describe('a person’s own data', () => {
  test('is theirs alone, and nothing of others is in it', async ({ app, company }) => {
    await company.client.upload('Rules.md', rules);
    await app.idle();
    const member = await app.addMember(company);
    const asMember = { token: member.token };
    await app.call('query', { history: [{ role: 'user', parts: [{ text: question }] }] }, asMember);
    await insertAnswer(app.app.db, { companyId: company.id, userId: company.admin.uid });
    const ready = await made(company, 'startOwnExport', member.token);
    const zip = await readZip((await download(company, ready.url)).bytes);
    expect([...zip.keys()].sort()).toEqual([
      'README.txt',
      'activity.ndjson',
      'api-keys.ndjson',
      'profile.json',
      'questions.ndjson',
      'sessions.ndjson',
    ]);
    expect(JSON.parse(String(zip.get('profile.json')))).toMatchObject({ email: member.email, role: 'member' });
    expect(lines(zip.get('questions.ndjson'))).toMatchObject([{ question, sources: [{ name: 'Rules.md' }] }]);
    expect(lines(zip.get('sessions.ndjson'))).toMatchObject([{ endedAt: null, address: expect.any(String) }]);
    const activity = lines(zip.get('activity.ndjson'));
    expect(activity.map(({ action }) => action)).toEqual(expect.arrayContaining(['signed-in', 'question-asked']));
    expect(activity.every(({ actor_id }) => actor_id === member.uid)).toBe(true);
    // Not even for an admin.
    const asAdmin = company.client.call('getExport', { exportId: ready.exportId });
    await expect(asAdmin).rejects.toMatchObject({ code: 'export-not-found' });
    expect((await company.client.call('listExports', null)).own).toBeUndefined();
  });
});

test('an export whose job is lost has failed', async ({ app, company }) => {
  const { admin } = company;
  const lost = { companyId: company.id, id: crypto.randomUUID(), personId: null, startedBy: admin.uid };
  await app.app.db.asSystem((tx) => tx.insert(exports).values({ ...lost, state: 'running' }));
  await clear(company);
  expect(await company.client.call('listExports', null)).toMatchObject({ company: { state: 'failed' } });
});
