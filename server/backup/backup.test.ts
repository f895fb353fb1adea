import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { createClient } from '#client/client.ts';
import { openDatabase } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { readErasureLedger } from '#server/lib/erasure-ledger.ts';
import { secretKeyPath } from '#server/lib/sealed.ts';
import { diskFiles } from '#server/ports/files/disk.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { type Company, newCompany, test } from '#server/testing/company.ts';
import { holdParser, holdReading, holdTable } from '#server/testing/hold.ts';
import { addressOf } from '#server/testing/outside-postgres.ts';
import { createTestDatabase } from '#server/testing/postgres.ts';
import { backUp, verifyBackup } from './backup.ts';
import { restore } from './restore.ts';

const log = pino({ level: 'silent' });
const passphrase = 'seven quiet lanterns';
let folders: string;
beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'footnote-backups-'));
});
afterAll(() => rm(folders, { recursive: true }));

const question = 'Where does the cellar key hang?';
const rules = '# House rules\n\nThe cellar key hangs behind the green door.\n';

async function upload(company: Company, name: string, text: string) {
  const uploaded = await company.client.upload(name, Buffer.from(text));
  await company.app.idle();
  return uploaded;
}

function backUpOf({ app }: Company, name: string, { files = filesOf(app.config.dataDir), sealed = false } = {}) {
  const { connection } = app.app.db;
  const secretKey = secretKeyPath(app.config.dataDir);
  return backUp({
    connection,
    files,
    folder: join(folders, name),
    passphrase: sealed ? passphrase : null,
    secretKeyPath: secretKey,
  });
}

const filesOf = (dataDir: string) => diskFiles({ root: join(dataDir, 'files') });

/** A database and a folder that hold nothing. */
async function emptyPlace() {
  const database = await createTestDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query('drop schema public, drizzle, pgboss cascade; create schema public');
  await client.end();
  const dataDir = await mkdtemp(join(folders, 'data-'));
  onTestFinished(() => database.drop());
  return { connection: database.connection, dataDir };
}

type Place = Awaited<ReturnType<typeof emptyPlace>>;

async function restoreTo(
  { connection, dataDir }: Place,
  name: string,
  { erased = [], files = filesOf(dataDir) }: { erased?: string[]; files?: Pick<FileStore, 'put' | 'list'> } = {},
) {
  const search = await openLanceSearch({ root: join(dataDir, 'search'), log, vectorModel: undefined });
  const folder = join(folders, name);
  const secretKey = secretKeyPath(dataDir);
  const options = { connection, files, search, folder, passphrase, erased, log, secretKeyPath: secretKey };
  return restore(options).finally(() => search.close());
}

/** The service on what was restored, seen by an admin who signs in as before. */
async function serve({ connection, dataDir }: Place, { admin }: Company) {
  const app = await startTestApp({ dataDir, databaseUrl: addressOf(connection) });
  onTestFinished(() => app.close());
  await app.idle();
  const { idToken } = await app.call('signIn', { email: admin.email, password: admin.password });
  return { app, client: createClient(app.url, idToken) };
}

const namesOf = async (client: Company['client']) =>
  (await client.call('getCompanyFiles', null)).map(({ name, state }) => `${name}: ${state}`).sort();

test('what is backed up while it runs comes back elsewhere: sign-ins, answers, originals, what was waiting', async ({
  company,
}) => {
  const first = await upload(company, 'Rules.md', rules);
  await upload(company, 'Old.md', 'The attic key hangs on the blue hook.\n');
  const history = [{ role: 'user' as const, parts: [{ text: question }] }];
  const before = await company.client.call('query', { history });
  await backUpOf(company, 'the-one-before');
  const parser = await holdParser();
  await company.client.upload('Waiting.md', Buffer.from('The boiler is serviced in May.\n'));
  const made = await backUpOf(company, 'whole', { sealed: true });
  await parser.release();
  expect(made).toMatchObject({ originals: 3, lost: [] });

  // What is deleted after the backup stays deleted, since the ledger lies outside of it.
  await company.client.call('deleteFile', { filePath: `${company.id}/Old.md` });
  const erased = await readErasureLedger(company.app.config.erasureLedger);
  const place = await emptyPlace();
  const report = await restoreTo(place, 'whole', { erased });
  expect(report).toMatchObject({
    rows: made.rows,
    originals: 3,
    deletedAgain: [{ companyId: company.id, name: 'Old.md' }],
    asked: [{ companyId: company.id, question, isFound: true }],
  });

  // What second factors are sealed with.
  expect(await readFile(secretKeyPath(place.dataDir), 'utf8')).toBe(
    await readFile(secretKeyPath(company.app.config.dataDir), 'utf8'),
  );
  const { app, client } = await serve(place, company);
  // Of the place that it came to nothing is backed up yet.
  expect(await (await app.fetch('/metrics')).text()).toMatch(/^footnote_last_backup_timestamp_seconds 0$/m);
  expect(await namesOf(client)).toEqual(['Rules.md: ready', 'Waiting.md: ready']);
  const after = await client.call('query', { history });
  expect(after.sources.map(({ quote }) => quote)).toEqual(before.sources.map(({ quote }) => quote));
  expect(after.sources[0]?.documentId).toBe(first.documentId);
  const { url } = await client.call('getFileLink', { gsUri: `gs://footnote/${company.id}/Rules.md` });
  expect(await (await app.fetch(url)).text()).toBe(rules);
  // Numbers that rows are given go on where they were.
  await client.call('inviteUser', { email: 'new@example.com', companyId: company.id });
});

test('a document that is deleted while the backup is made does not come back', async ({ company }) => {
  await upload(company, 'Gone.md', rules);
  await upload(company, 'Stays.md', 'The attic key hangs on the blue hook.\n');
  const disk = filesOf(company.app.config.dataDir);
  let isFirst = true;
  const files = {
    ...disk,
    async get(key: string) {
      if (isFirst) {
        isFirst = false;
        await company.client.call('deleteFile', { filePath: `${company.id}/Gone.md` });
        await company.app.idle();
      }
      return disk.get(key);
    },
  };
  await backUpOf(company, 'meanwhile', { files });
  const place = await emptyPlace();
  const report = await restoreTo(place, 'meanwhile', {
    erased: await readErasureLedger(company.app.config.erasureLedger),
  });
  expect(report.deletedAgain).toEqual([{ companyId: company.id, name: 'Gone.md' }]);
  const { client } = await serve(place, company);
  expect(await namesOf(client)).toEqual(['Stays.md: ready']);
});

test('a company that has ended since the backup ends again', async ({ app, company }) => {
  await upload(company, 'Rules.md', rules);
  const other = await newCompany(app);
  await backUpOf(company, 'ended');
  const place = await emptyPlace();
  const report = await restoreTo(place, 'ended', { erased: [company.id] });
  expect(report.endedAgain).toEqual([{ companyId: company.id, name: company.name }]);
  const { app: restored } = await serve(place, other);
  expect(await filesOf(place.dataDir).list(`${company.id}/`)).toEqual([]);
  const { email, password } = company.admin;
  await expect(restored.call('signIn', { email, password })).rejects.toMatchObject({ code: 'invalid-credentials' });
});

test('an original that is lost is said, and the rest is backed up', async ({ company }) => {
  await upload(company, 'Rules.md', rules);
  const disk = filesOf(company.app.config.dataDir);
  const [key = ''] = await disk.list(`${company.id}/`);
  await disk.delete(key);
  expect(await backUpOf(company, 'lost')).toMatchObject({ lost: [key] });
  await disk.put(key, Readable.from([Buffer.from('something else')]));
  expect(await backUpOf(company, 'changed')).toMatchObject({ lost: [key] });
});

test('of what a killed backup has left the next one begins anew, of a running one nothing is touched', async ({
  company,
}) => {
  await upload(company, 'Rules.md', rules);
  const { files, ...reading } = holdReading(filesOf(company.app.config.dataDir));
  const running = backUpOf(company, 'twice', { files, sealed: true });
  await reading.reached();
  // As a kill at this moment leaves it.
  await cp(join(folders, 'twice.unfinished'), join(folders, 'killed.unfinished'), { recursive: true });
  await expect(backUpOf(company, 'twice')).rejects.toThrow('Another backup is being written to');
  await reading.release();
  await running;
  await verifyBackup(join(folders, 'twice'), passphrase);

  // Not sealed, so that a file that stayed would be told from its own.
  await backUpOf(company, 'killed');
  const names = await readdir(join(folders, 'killed'), { recursive: true });
  expect(names.filter((name) => name.endsWith('.age'))).toEqual([]);
  expect(names).toContain('manifest.json');
});

test('one that fails leaves nothing, so that the next of its name is made', async ({ company }) => {
  await upload(company, 'Rules.md', rules);
  const disk = filesOf(company.app.config.dataDir);
  const files = { ...disk, get: () => Promise.reject(new Error('the store is away')) };
  await expect(backUpOf(company, 'failed', { files })).rejects.toThrow('the store is away');
  expect((await readdir(folders)).filter((name) => name.startsWith('failed'))).toEqual([]);
  await backUpOf(company, 'failed');
  await expect(backUpOf(company, 'failed')).rejects.toThrow('is there already');
  await verifyBackup(join(folders, 'failed'), null);
});

test.for([
  ['rows', (app: TestApp) => holdTable(app, 'queries')],
  ['originals', undefined],
] as const)(
  'one whose connection to the database breaks while it copies %s ends in a sentence, and leaves nothing',
  async ([what, holdRows], { company, app }) => {
    await upload(company, 'Rules.md', rules);
    const { files, ...reading } = holdReading(filesOf(app.config.dataDir));
    const hold = holdRows ? await holdRows(app) : reading;
    const name = `torn-${what}`;
    const made = expect(backUpOf(company, name, { files, sealed: true })).rejects.toThrow(
      /^The connection to the database broke\. Nothing is left of this backup: make it again\.$/,
    );
    await hold.reached();
    await endSessions(app.app.db.connection, 'backup', join(folders, name));
    await hold.release();
    await made;
    expect((await readdir(folders)).filter((each) => each.startsWith(name))).toEqual([]);
    await backUpOf(company, name);
    await verifyBackup(join(folders, name), null);
  },
);

test('a restore whose connection breaks while it copies ends in a sentence, and begins anew', async ({ company }) => {
  await upload(company, 'Rules.md', rules);
  await backUpOf(company, 'torn-restore');
  const place = await emptyPlace();
  const disk = filesOf(place.dataDir);
  let isFirst = true;
  const files = {
    ...disk,
    async put(key: string, content: Readable) {
      if (isFirst) await endSessions(place.connection);
      isFirst = false;
      await disk.put(key, content);
    },
  };
  await expect(restoreTo(place, 'torn-restore', { files })).rejects.toThrow(
    /^The connection to the database broke\. Run the restore again: it begins anew\.$/,
  );
  await restoreTo(place, 'torn-restore');
  const { client } = await serve(place, company);
  expect(await namesOf(client)).toEqual(['Rules.md: ready']);
});

/** As a database that is stopped ends sessions: those that hold this lock, or all of others. */
async function endSessions(connection: pg.ClientConfig, ...lock: [kind: string, of: string] | []): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  const holding = `and pid in (select pid from pg_locks
    where locktype = 'advisory' and classid = hashtext($1)::oid and objid = hashtext($2)::oid)`;
  const { rows } = await client.query<{ ended: boolean }>(
    `select pg_terminate_backend(pid, 10000) as ended from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() ${lock.length > 0 ? holding : ''}`,
    lock,
  );
  expect(rows).toEqual([{ ended: true }]);
  await client.end();
}

test('nobody reads a sealed backup without its passphrase, and damage is noticed', async ({ company }) => {
  await upload(company, 'Rules.md', rules);
  await backUpOf(company, 'sealed', { sealed: true });
  const folder = join(folders, 'sealed');
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths) expect((await readFile(path)).includes('green door')).toBe(false);
  await expect(verifyBackup(folder, null)).rejects.toThrow('Set BACKUP_PASSPHRASE');
  await expect(verifyBackup(folder, 'another passphrase')).rejects.toThrow('not the passphrase');

  const list = join(folder, 'manifest.json.age');
  const sealed = await readFile(list);
  await writeFile(list, sealed.subarray(0, sealed.length - 20));
  await expect(verifyBackup(folder, passphrase)).rejects.toThrow("manifest.json in the backup can't be read");

  await backUpOf(company, 'open');
  const open = join(folders, 'open');
  const original = (await readdir(join(open, 'originals', company.id), { recursive: true, withFileTypes: true })).find(
    (entry) => entry.isFile(),
  );
  const path = join(original?.parentPath ?? '', original?.name ?? '');
  expect(await readFile(path, 'utf8')).toBe(rules);
  await writeFile(path, rules.replace('green', 'black'));
  await expect(verifyBackup(open, null)).rejects.toThrow('is not what was written');
  await writeFile(path, rules);
  await verifyBackup(open, null);
  const table = join(open, 'tables', 'companies.copy.gz');
  const rows = await readFile(table);
  await writeFile(table, rows.subarray(0, rows.length - 12));
  await expect(verifyBackup(open, null)).rejects.toThrow("companies.copy in the backup can't be read");
  await writeFile(table, gzipSync(Buffer.concat([gunzipSync(rows), Buffer.from('one more\n')])));
  await expect(verifyBackup(open, null)).rejects.toThrow('is not what was written');
  const manifest = await readFile(join(open, 'manifest.json'));
  await writeFile(join(open, 'manifest.json'), manifest.subarray(0, manifest.length - 20));
  await expect(verifyBackup(open, null)).rejects.toThrow('no backup that this version can read');
  await writeFile(join(open, 'manifest.json'), manifest);
  await rm(path);
  await writeFile(table, rows);
  await expect(verifyBackup(open, null)).rejects.toThrow('The backup lacks');
  await expect(backUpOf(company, 'open')).rejects.toThrow('is there already');
});

test('a restore that was cut off is not started on, and begins anew', async ({ company }) => {
  await upload(company, 'Rules.md', rules);
  await upload(company, 'Keys.md', 'The attic key hangs on the blue hook.\n');
  await backUpOf(company, 'cut-off');
  const place = await emptyPlace();
  const disk = filesOf(place.dataDir);
  let placed = 0;
  const cutOff = {
    ...disk,
    async put(key: string, content: Readable) {
      if (++placed === 2) throw new Error('the power is cut');
      await disk.put(key, content);
    },
  };
  await expect(restoreTo(place, 'cut-off', { files: cutOff })).rejects.toThrow('the power is cut');
  await expect(openDatabase(place.connection, { name: 'cut off', log })).rejects.toThrow('has not come to its end');
  await restoreTo(place, 'cut-off');
  const { client } = await serve(place, company);
  expect(await namesOf(client)).toEqual(['Keys.md: ready', 'Rules.md: ready']);
});

test('what the schedule had enqueued is left to the schedule of the place that it comes to', async ({ company }) => {
  await upload(company, 'Rules.md', rules);
  // As the schedule enqueues, without a key, whatever its queue asks of others.
  await company.app.app.db.asSystem((tx) =>
    tx.execute(sql`insert into pgboss.job (name, data, start_after)
      values ('count-questions', '{}', now() + interval '1 hour'), ('sweep', '{}', now() + interval '1 hour')`),
  );
  await backUpOf(company, 'scheduled');
  const place = await emptyPlace();
  await restoreTo(place, 'scheduled');
  const { client } = await serve(place, company);
  expect(await namesOf(client)).toEqual(['Rules.md: ready']);
});

test('a job that this version does not know any more is left out', async ({ company }) => {
  await upload(company, 'Rules.md', rules);
  await backUpOf(company, 'older');
  const folder = join(folders, 'older');
  const older = [{ name: 'polish-brass', data: {}, singletonKey: 'all', startAfterSeconds: 0 }];
  const text = JSON.stringify(older);
  await writeFile(join(folder, 'jobs.json'), text);
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const jobs = { name: 'jobs.json', bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, jobs }));
  const place = await emptyPlace();
  await restoreTo(place, 'older');
  const { client } = await serve(place, company);
  expect(await namesOf(client)).toEqual(['Rules.md: ready']);
});

test('a database of a version that has no place yet for when it was backed up is backed up', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await database.administer('drop table last_backup');
  const { connection } = database;
  const folder = join(folders, 'before-update');
  await backUp({
    connection,
    files: filesOf(folders),
    folder,
    passphrase: null,
    secretKeyPath: secretKeyPath(folders),
  });
  await verifyBackup(folder, null);
});

test('a place that is not empty, or a backup of a newer version, is refused', async ({ company }) => {
  await upload(company, 'Rules.md', rules);
  await backUpOf(company, 'refused');
  const { connection } = company.app.app.db;
  await expect(restoreTo({ connection, dataDir: company.app.config.dataDir }, 'refused')).rejects.toThrow(
    'has tables already',
  );
  const place = await emptyPlace();
  await filesOf(place.dataDir).put('some/thing', Readable.from([]));
  await expect(restoreTo(place, 'refused')).rejects.toThrow('documents in DATA_DIR or FILES_URL already');
  const path = join(folders, 'refused', 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...manifest, migration: { hash: 'unknown', createdAt: 9e12 } }));
  await expect(restoreTo(await emptyPlace(), 'refused')).rejects.toThrow('another version');
});
