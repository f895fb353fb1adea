import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer as createOther, type Server } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createConnection, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished } from 'vitest';
import { backUp } from '#server/backup/backup.ts';
import { migrateTo, migrationOf } from '#server/db/migrate.ts';
import { openSealer } from '#server/lib/sealed.ts';
import { diskFiles } from '#server/ports/files/disk.ts';
import type { S3Place } from '#server/ports/files/s3/place.ts';
import { certificate } from '#server/testing/certificate.ts';
import { test } from '#server/testing/company.ts';
import { startPooler } from '#server/testing/pooler.ts';
import { createTestDatabase } from '#server/testing/postgres.ts';
import { startTestS3 } from '#server/testing/s3.ts';
import { startSmtpServer } from '#server/testing/smtp.ts';
import { examineAddress } from './address.ts';
import { examineClock } from './clock.ts';
import { examineConnections } from './connections.ts';
import { examineDatabase, type WithConnection } from './database.ts';
import { examine } from './doctor.ts';
import { examineFiles } from './files.ts';
import { examineMail } from './mail.ts';
import { examinePlaces } from './places.ts';
import { examineService } from './service.ts';

const day = 86_400_000;
const through =
  (connection: pg.PoolConfig): WithConnection =>
  (work) =>
    work(connection);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-doctor-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('finds nothing wrong with a service on one machine that runs as it is', async ({ app, company }) => {
  await company.client.call('beginSecondFactor', { method: 'totp' });
  const port = Number(new URL(app.url).port);
  const findings = await examine({ ...app.config, port, host: '127.0.0.1' }, through(app.app.db.connection));
  const state = Object.fromEntries(findings.map((each) => [each.about, each.state]));
  expect(state).toMatchObject({ Service: 'right', Address: 'right', Mail: 'right', Database: 'right', Key: 'right' });
  expect(findings.filter((each) => each.state === 'wrong')).toEqual([]);
  expect(findings.find(({ about }) => about === 'Key')?.says).toBe('It opens all 1 secrets in the database.');
});

describe('the service', () => {
  test('that does not run is not known, and another program in its place is wrong', async () => {
    const other = createOther((_, reply) => void reply.writeHead(404, { connection: 'close' }).end());
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await examineService({ host: '127.0.0.1', port })).toMatchObject([{ state: 'wrong' }]);
    other.close();
    await once(other, 'close');
    expect(await examineService({ host: '127.0.0.1', port })).toMatchObject([{ state: 'unknown' }]);
  });
});

describe('the address', () => {
  const usual = getCACertificates('default');
  const alive = { '/healthz': { status: 'ok' }, '/readyz': { status: 'ready' } };

  /** What browsers see at the public address. */
  async function proxy(answers: Record<string, object>): Promise<string> {
    const server: Server = createServer(certificate, ({ url = '' }, reply) => {
      reply.statusCode = url in answers ? 200 : 404;
      reply.setHeader('connection', 'close').end(JSON.stringify(answers[url] ?? {}));
    });
    await once(server.listen(0, 'localhost'), 'listening');
    onTestFinished(() => void server.close());
    return `https://localhost:${(server.address() as AddressInfo).port}`;
  }

  const examined = async (publicUrl: string, now?: Date) =>
    Object.fromEntries(
      (await examineAddress({ host: '0.0.0.0', publicUrl, trustProxy: 'loopback' }, now)).map((each) => [
        each.about,
        each,
      ]),
    );

  test('that leads here by a good certificate is right, and one that ends soon is worth a thought', async () => {
    setDefaultCACertificates([certificate.cert]);
    onTestFinished(() => setDefaultCACertificates(usual));
    const url = await proxy(alive);
    const right = { TLS: { state: 'right' }, Address: { state: 'right' }, Proxy: { state: 'right' } };
    expect(await examined(url)).toMatchObject(right);
    const ending = new Date('2126-10-20T00:00:00Z');
    expect(await examined(url, ending)).toMatchObject({ TLS: { state: 'notice', todo: expect.any(String) } });
  });

  test('with a certificate that nobody knows, with none, or with nothing behind it is wrong', async () => {
    const unknown = await examined(await proxy(alive));
    expect(unknown).toMatchObject({ TLS: { state: 'wrong', says: expect.stringContaining('self-signed') } });
    expect(await examined('http://localhost:9')).toMatchObject({
      TLS: { state: 'wrong' },
      Address: { state: 'wrong' },
    });
  });

  test('that leads to something else, or shows what only this machine may see, is wrong', async () => {
    setDefaultCACertificates([certificate.cert]);
    onTestFinished(() => setDefaultCACertificates(usual));
    expect(await examined(await proxy({}))).toMatchObject({ Address: { state: 'wrong' } });
    const open = { ...alive, '/readyz': { status: 'ready', ports: { mail: 'SMTP' } } };
    expect(await examined(await proxy(open))).toMatchObject({
      Address: { state: 'wrong', says: 'Everybody can read what only this machine may.' },
    });
  });

  test('that is a number is asked for by no name: a name is what its certificate is chosen by', async () => {
    const named: string[] = [];
    const SNICallback = (name: string, done: (error: null) => void) => {
      named.push(name);
      done(null);
    };
    const server = createServer({ ...certificate, SNICallback }, (_, reply) => void reply.end());
    await once(server.listen(0), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      const { TLS } = await examined(`https://${host}:${port}`);
      expect(TLS).toMatchObject({ state: 'wrong', says: expect.stringContaining('self-signed') });
    }
    expect(named.filter((name) => name !== 'localhost')).toEqual([]);
    expect(named).toContain('localhost');
  });

  test.for([[false], [true]])('with TRUST_PROXY %s is worth a thought', async ([trustProxy = false]) => {
    const findings = await examineAddress({ host: '0.0.0.0', publicUrl: 'https://localhost:9', trustProxy });
    expect(findings.find(({ about }) => about === 'Proxy')).toMatchObject({ state: 'notice' });
  });
});

describe('the mail server', () => {
  const here = { production: false, host: 'localhost', publicUrl: 'http://localhost:3000' };

  test.for([
    ['at this machine', here, 'right'],
    ['in production', { ...here, production: true }, 'wrong'],
    ['where other machines reach it', { ...here, host: '0.0.0.0' }, 'wrong'],
  ] as const)('is not needed only where mails are shown: %s', async ([, config, state]) => {
    expect(await examineMail(config)).toMatchObject([{ state }]);
  });

  test('is right where it takes us, and is sent nothing', async () => {
    const inbox = await startSmtpServer({ user: { name: 'footnote', password: 'quiet-heron' } });
    onTestFinished(() => inbox.close());
    const from = 'Footnote <no-reply@footnote.test>';
    expect(await examineMail({ ...here, smtp: { url: inbox.url, from } })).toMatchObject([{ state: 'right' }]);
    expect(inbox.mails).toEqual([]);
    const url = inbox.url.replace('quiet-heron', 'loud-heron');
    const [finding] = await examineMail({ ...here, smtp: { url, from } });
    expect(finding).toMatchObject({ state: 'wrong', todo: expect.stringContaining('SMTP_URL') });
    expect(JSON.stringify(finding)).not.toContain('heron');
  });
});

/** Where nothing of ours lies beside the database. */
const place = {
  databaseUrl: 'postgresql://named',
  dataDir: '/nowhere',
  host: '0.0.0.0',
  publicUrl: 'https://footnote.test',
};

describe('the database', () => {
  function as(address: string | undefined, { user, password }: { user: string; password: string }): pg.PoolConfig {
    const url = new URL(address ?? '');
    return { host: url.searchParams.get('host') ?? '', database: url.pathname.slice(1), user, password };
  }

  test('with a role that may do everything is worth a thought', async ({ app }) => {
    const { administrator } = inject('postgres');
    const [role] = await examineDatabase(place, through(as(app.config.databaseUrl, administrator)));
    expect(role).toMatchObject({ state: 'notice' });
  });

  test('that lets nobody in is wrong, and its password is not told', async ({ app }) => {
    const stranger = { user: 'stranger', password: 'quiet-heron' };
    const found = await examineDatabase(place, through(as(app.config.databaseUrl, stranger)));
    expect(found).toMatchObject([{ about: 'Database', state: 'wrong' }]);
    expect(JSON.stringify(found)).not.toContain('heron');
  });

  test('behind a pooler that gives each transaction another connection is wrong', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const pooler = await startPooler(database.connection, 'transaction');
    onTestFinished(() => pooler.close());
    const [found, ...others] = await examineDatabase(place, through(pooler.connection));
    expect(found).toMatchObject({ state: 'wrong', says: expect.stringContaining('pool_mode = session') });
    expect(others).toEqual([]);
  });

  test('that gives fewer connections at once than a process takes is worth a thought', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const name = `few_${randomUUID().replaceAll('-', '')}`;
    await database.administer(`create role ${name} login password '${name}' connection limit 3`);
    onTestFinished(() => database.administer(`drop role ${name}`));
    const few = through({ ...database.connection, user: name, password: name });
    const config = { ...place, role: 'web', databaseConnections: 2, searchPlace: undefined } as const;
    expect(await examineConnections(config, few)).toMatchObject([
      { state: 'notice', says: 'The database gives 3 more at once; a process takes up to 6.' },
    ]);
    expect(await examineConnections(config, through(database.connection))).toMatchObject([{ state: 'right' }]);
    expect(await examineConnections({ ...config, databaseUrl: undefined }, few)).toEqual([]);
  });

  test('whose secrets were sealed with another key is wrong', async ({ app, company }) => {
    await company.client.call('beginSecondFactor', { method: 'totp' });
    await openSealer({ dataDir: join(folder, 'another') });
    const config = { ...app.config, dataDir: join(folder, 'another') };
    const found = await examineDatabase(
      { ...config, databaseUrl: 'postgresql://named' },
      through(app.app.db.connection),
    );
    expect(found.find(({ about }) => about === 'Key')).toMatchObject({
      state: 'wrong',
      todo: expect.stringContaining('secret.key'),
    });
  });

  test('whose secrets were sealed with a key that is gone is wrong, and no key is made', async ({ app, company }) => {
    await company.client.call('beginSecondFactor', { method: 'totp' });
    const config = { ...app.config, dataDir: join(folder, 'emptied'), databaseUrl: 'postgresql://named' };
    const found = await examineDatabase(config, through(app.app.db.connection));
    expect(found.find(({ about }) => about === 'Key')).toMatchObject({ state: 'wrong' });
    expect(existsSync(config.dataDir)).toBe(false);
  });
});

test('a database of an older version says so, and that secrets and the backup are looked at after a start', async () => {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.drop());
  const client = new pg.Client(database.connection);
  await client.connect();
  // Had second factors, and nothing yet that came after.
  await migrateTo(client, await migrationOf(24));
  await client.end();
  const found = await examineDatabase({ ...place, secretKey: 'k'.repeat(32) }, through(database.connection));
  expect(found).toMatchObject([
    { about: 'Database', state: 'right' },
    { about: 'Key', state: 'unknown', says: expect.stringContaining('older version') },
    { about: 'Backup', state: 'unknown', says: expect.stringContaining('older version') },
  ]);
});

test('a database that a newer version has worked on is wrong', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await database.administer(`update drizzle.__drizzle_migrations set created_at = 9e12`);
  const found = await examineDatabase(place, through(database.connection));
  expect(found).toMatchObject([{ state: 'wrong', says: expect.stringContaining('A newer version of Footnote') }]);
});

describe('the disk', () => {
  const config = () => ({
    dataDir: folder,
    erasureLedger: join(folder, 'erased.txt'),
    minFreeDiskBytes: 0,
    host: '0.0.0.0',
    publicUrl: 'https://footnote.test',
  });
  const examined = async (more: Partial<ReturnType<typeof config>> = {}) =>
    Object.fromEntries((await examinePlaces({ ...config(), ...more })).map((each) => [each.about, each.state]));

  test('that is full, and with the ledger on it is told', async () => {
    expect(await examined()).toEqual({ Disk: 'right', Ledger: 'notice' });
    expect(await examined({ minFreeDiskBytes: 1e18 })).toMatchObject({ Disk: 'wrong' });
    expect(await examined({ host: 'localhost', publicUrl: 'http://localhost:3000' })).toMatchObject({
      Ledger: 'unknown',
    });
    expect(await examined({ erasureLedger: '/proc/erased.txt' })).toMatchObject({ Ledger: 'right' });
  });

  test('is also the one that originals were moved to by a link', async () => {
    const dataDir = join(folder, 'moved');
    await mkdir(dataDir);
    await symlink('/proc', join(dataDir, 'files'));
    expect(await examined({ dataDir, minFreeDiskBytes: 1 })).toMatchObject({ Disk: 'wrong' });
  });
});

test('a backup is right until it is older than two nights, wherever it was made', async ({ app }) => {
  const { connection } = app.app.db;
  const examined = async (now: Date, place = { host: '0.0.0.0', publicUrl: 'https://footnote.test' }) =>
    (await examineDatabase({ ...app.config, ...place }, through(connection), now)).find(
      ({ about }) => about === 'Backup',
    );
  const now = new Date();
  expect(await examined(now)).toMatchObject({ state: 'wrong', says: expect.stringContaining('None is known of') });
  expect(await examined(now, { host: 'localhost', publicUrl: 'http://localhost:3000' })).toMatchObject({
    state: 'unknown',
  });
  const made = join(folder, 'backup');
  await backUp({
    connection,
    files: diskFiles({ root: join(app.config.dataDir, 'files') }),
    folder: made,
    passphrase: null,
    secretKeyPath: join(folder, 'secret.key'),
  });
  expect(await examined(now)).toMatchObject({ state: 'right', says: expect.stringContaining(made) });
  expect(await examined(new Date(now.getTime() + 2.5 * day))).toMatchObject({ state: 'notice' });
});

test('a file store that keeps its word is right, and one that refuses is wrong in a sentence that says what to set', async () => {
  const s3 = await startTestS3();
  onTestFinished(() => s3.close());
  expect(await examineFiles({ dataDir: folder })).toEqual([]);
  expect(await examineFiles({ dataDir: folder, files: s3.place })).toMatchObject([{ state: 'right' }]);
  const written = s3.simulator.requests.filter((request) => request.startsWith('PUT'));
  const removed = s3.simulator.requests.filter((request) => request.startsWith('DELETE'));
  expect([written.length > 0, removed.length > 0]).toEqual([true, true]);
  const files = { ...s3.place, bucket: 'no-such-bucket' };
  expect(await examineFiles({ dataDir: folder, files })).toMatchObject([
    { about: 'File store', state: 'wrong', says: expect.stringMatching(/no bucket no-such-bucket .* FILES_URL/) },
  ]);
});

test('a place for search tables is looked at with the engine, and nothing is left there', async () => {
  const s3 = await startTestS3();
  onTestFinished(() => s3.close());
  const searchPlace: S3Place = { ...s3.place, setting: 'SEARCH_URL' };
  expect(await examineFiles({ dataDir: folder, searchPlace })).toMatchObject([
    { about: 'Search store', state: 'right', says: expect.stringContaining('s3://originals/company/') },
  ]);
  const written = s3.simulator.requests.filter((request) => /^PUT .*engine-/.test(request));
  expect(written.length).toBeGreaterThan(0);
  const client = new S3Client({ ...s3.place, forcePathStyle: true });
  onTestFinished(() => client.destroy());
  expect((await client.send(new ListObjectsV2Command({ Bucket: s3.place.bucket }))).Contents ?? []).toEqual([]);
  const wrong = { ...searchPlace, bucket: 'no-such-bucket' };
  expect(await examineFiles({ dataDir: folder, searchPlace: wrong })).toMatchObject([
    { about: 'Search store', state: 'wrong', says: expect.stringMatching(/no bucket no-such-bucket .* SEARCH_URL/) },
  ]);
});

test('a clock that is away from the database’s is wrong by half a minute', async ({ app }) => {
  const { config } = app;
  expect(await examineClock(config)).toMatchObject([{ state: 'right' }]);
  expect(await examineClock(config, () => Date.now() + 10_000)).toMatchObject([{ state: 'notice' }]);
  expect(await examineClock(config, () => Date.now() - 40_000)).toMatchObject([{ state: 'wrong' }]);
});

test('a clock is held against the database’s as that tells it, however long the proxy takes', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { host = '', user, password, database: name } = database.connection;
  const told = Promise.withResolvers<void>();
  const relay = createTcpServer((socket) => {
    const behind = createConnection(join(host, '.s.PGSQL.5432'));
    socket.pipe(behind).pipe(socket);
    socket.on('close', () => told.resolve());
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void relay.close());
  let late = 0;
  const proxy = createOther(async (_, reply) => {
    await told.promise;
    late = 40_000;
    reply.sendDate = false;
    reply.setHeader('connection', 'close').end();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  const config = {
    databaseUrl: `postgresql://${user}:${password}@127.0.0.1:${portOf(relay)}/${name}`,
    host: '0.0.0.0',
    publicUrl: `http://localhost:${portOf(proxy)}`,
  };
  expect(await examineClock(config, () => Date.now() + late)).toMatchObject([{ state: 'right' }]);
});

test('the command says what is wrong with the settings, and ends with 1', { timeout: 60_000 }, () => {
  const script = join(import.meta.dirname, '../../scripts/doctor.ts');
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: join(folder, 'data') };
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8', env });
  expect({ status, stdout }).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('✗ Settings    SMTP_URL and'),
  });
});
