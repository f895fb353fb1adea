import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished } from 'vitest';
import { backUp } from '#server/backup/backup.ts';
import { restore } from '#server/backup/restore.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { secretKeyPath } from '#server/lib/sealed.ts';
import { s3Files } from '#server/ports/files/s3.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import { startTestApp } from './app.ts';
import { type Company, companyTest, newCompany } from './company.ts';
import { createTestDatabase } from './postgres.ts';
import { startTestS3 } from './s3.ts';
import { locationOf } from './tus.ts';

// The whole product with its originals in a store that speaks S3.

const s3 = await startTestS3();
const { simulator } = s3;
afterAll(() => s3.close());
const test = companyTest({ config: { files: s3.place } });

const rules = '# House rules\n\nThe cellar key hangs behind the green door.\n';
const failure = { status: 500, code: 'InternalError' };

function storeFails(which = /./) {
  simulator.onRequest((request) => (which.test(request) ? failure : undefined));
  onTestFinished(() => simulator.onRequest(() => undefined));
}

const storeAnswers = () => simulator.onRequest(() => undefined);

function files(prefix = s3.place.prefix) {
  const opened = s3Files({ ...s3.place, prefix });
  onTestFinished(() => opened.close());
  return opened;
}

const linkOf = async (company: Company, name: string) =>
  (await company.client.call('getFileLink', { gsUri: `gs://footnote/${company.id}/${name}` })).url;

test('an original is read, shown in ranges, and erased', async ({ company }) => {
  const { app, client } = company;
  expect(app.app.ports.files).toBe('s3');
  await client.upload('Rules.md', Buffer.from(rules));
  await app.idle();
  expect(await client.call('getCompanyFiles', null)).toMatchObject([{ name: 'Rules.md', state: 'ready' }]);
  expect(await files().list(`${company.id}/`)).toHaveLength(1);
  expect(await readdir(join(app.config.dataDir, 'uploads'))).toEqual([]);
  expect(await readdir(app.config.dataDir)).not.toContain('files');

  const url = await linkOf(company, 'Rules.md');
  expect(await (await app.fetch(url)).text()).toBe(rules);
  const part = await app.fetch(url, { headers: { Range: 'bytes=2-6' } });
  expect([part.status, await part.text()]).toEqual([206, 'House']);

  await client.call('deleteFile', { filePath: `${company.id}/Rules.md` });
  await app.idle();
  expect(await files().list(`${company.id}/`)).toEqual([]);
});

test('a store that fails at the last piece loses nothing: the upload goes on when it answers', async ({ company }) => {
  const { tus, app, client } = company;
  const location = locationOf(await tus.begin('Rules.md', { size: rules.length }));
  storeFails(/^PUT/);
  const refused = await tus.patch(location, 0, Buffer.from(rules));
  expect([refused.status, refused.code]).toEqual([503, 'unavailable']);
  storeAnswers();
  // The piece is not kept, and is sent again.
  expect(await tus.offset(location)).toBe(0);
  storeFails(/x-id=GetObject/);
  const unread = await tus.patch(location, 0, Buffer.from(rules));
  expect([unread.status, unread.code]).toEqual([503, 'unavailable']);
  expect((await tus.head(location)).status).toBe(503);
  storeAnswers();
  // It is kept, and only has to become a document.
  expect(await tus.offset(location)).toBe(rules.length);
  await app.idle();
  expect(await client.call('getCompanyFiles', null)).toMatchObject([{ name: 'Rules.md', state: 'ready' }]);
  expect(await (await app.fetch(await linkOf(company, 'Rules.md'))).text()).toBe(rules);
});

test('while the store fails answers go on, links say so, and what is deleted is gone at once and erased later', async ({
  company,
}) => {
  const { app, client } = company;
  await client.upload('Rules.md', Buffer.from(rules));
  await app.idle();
  const url = await linkOf(company, 'Rules.md');
  storeFails();
  const history = [{ role: 'user' as const, parts: [{ text: 'Where does the cellar key hang?' }] }];
  expect((await client.call('query', { history })).sources).toHaveLength(1);
  expect((await app.fetch(url)).status).toBe(503);
  await client.call('deleteFile', { filePath: `${company.id}/Rules.md` });
  expect(await client.call('getCompanyFiles', null)).toEqual([]);
  expect((await app.fetch(url)).status).toBe(404);
  // The list is asked for while nothing can be erased yet: the erasure is tried again by itself at any moment.
  storeFails(/^DELETE/);
  expect(await files().list(`${company.id}/`)).toHaveLength(1);
  storeAnswers();
  await app.idle();
  expect(await files().list(`${company.id}/`)).toEqual([]);
});

/** Originals can't be fetched any more once an upload has ended: its own two looks at what it has stored go well. */
function fetchingFailsAfterUpload() {
  let fetched = 0;
  simulator.onRequest((request) => (/x-id=GetObject/.test(request) && ++fetched > 2 ? failure : undefined));
  onTestFinished(storeAnswers);
}

test('a file that can not be fetched is read when the store answers again', async ({ company }) => {
  const { app, client } = company;
  const before = simulator.requests.length;
  fetchingFailsAfterUpload();
  await client.upload('Rules.md', Buffer.from(rules));
  await expect
    .poll(() => simulator.requests.slice(before).filter((request) => request.startsWith('GET')).length)
    .toBeGreaterThan(5);
  expect((await client.call('getCompanyFiles', null))[0]?.state).not.toBe('failed');
  storeAnswers();
  await app.idle();
  expect(await client.call('getCompanyFiles', null)).toMatchObject([{ name: 'Rules.md', state: 'ready' }]);
});

test('a file that can not be fetched for long says so, and is read when it is tried again', async ({ company }) => {
  const { app, client } = company;
  fetchingFailsAfterUpload();
  const { documentId } = await client.upload('Rules.md', Buffer.from(rules));
  const stateOf = async () => (await client.call('getCompanyFiles', null))[0]?.state;
  await expect.poll(stateOf, { timeout: 120_000 }).toBe('failed');
  storeAnswers();
  await client.call('retryFile', { documentId });
  await app.idle();
  expect(await stateOf()).toBe('ready');
});

test('a backup reads originals from the store, and a restore puts them into another place of it', async ({ app }) => {
  const company = await newCompany(app);
  await company.client.upload('Rules.md', Buffer.from(rules));
  await app.idle();
  const folder = await mkdtemp(join(tmpdir(), 'footnote-s3-backup-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const to = { folder: join(folder, 'made'), passphrase: null, secretKeyPath: secretKeyPath(app.config.dataDir) };
  const made = await backUp({ ...to, connection: app.app.db.connection, files: files() });
  expect(made.lost).toEqual([]);

  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query('drop schema public, drizzle, pgboss cascade; create schema public');
  await client.end();
  const log = pino({ level: 'silent' });
  const search = await openLanceSearch({ root: join(folder, 'search'), log, vectorModel: undefined });
  onTestFinished(() => search.close());
  const options = {
    ...to,
    secretKeyPath: join(folder, 'secret.key'),
    connection: database.connection,
    search,
    log,
    erased: [],
  };
  await expect(restore({ ...options, files: files() })).rejects.toThrow('documents in DATA_DIR or FILES_URL already');
  await restore({ ...options, files: files('restored/') });
  expect((await files('restored/').list('')).sort()).toEqual((await files().list('')).sort());
});

test('a start with a place that is wrong is refused in one sentence', async () => {
  const start = startTestApp({ files: { ...s3.place, bucket: 'no-such-bucket' } });
  await expect(start).rejects.toThrow(CannotStart);
  await expect(start).rejects.toThrow(
    /^There is no bucket no-such-bucket at .*: make it, or set FILES_URL to another\.$/,
  );
});
