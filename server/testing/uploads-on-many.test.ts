import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '#client/client.ts';
import { sql } from '#server/db/drizzle.ts';
import { startTestApp, type TestApp } from './app.ts';
import { type Company, newCompany } from './company.ts';
import { folderLike } from './folder-like.ts';
import { readZip } from './read-zip.ts';
import { startTestS3 } from './s3.ts';
import { answerOf, locationOf, type RawTus, rawTus } from './tus.ts';

// Several processes with one database and one store that speaks S3: any of them goes on with any upload. Of the folder
// that they would share nothing is needed for that, so each has one of its own here.

// Each sends 20 MB through three programs.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const mib = 1024 * 1024;
const s3 = await startTestS3();
const { simulator, place } = s3;
const store = new S3Client({ ...place, forcePathStyle: true });
let one: TestApp;
let other: TestApp;
beforeAll(async () => {
  one = await startTestApp({ files: place });
  const dataDir = await folderLike(one.config.dataDir);
  other = await startTestApp({ files: place, databaseUrl: one.config.databaseUrl, dataDir });
});
afterAll(async () => {
  await other.close();
  await rm(other.config.dataDir, { recursive: true });
  await one.close();
  store.destroy();
  await s3.close();
});

let company: Company;
/** The same person at the other process. */
let there: RawTus;
beforeEach(async () => {
  company = await newCompany(one);
  there = rawTus(other, company.token);
  simulator.requests.length = 0;
});

/**
 * Of no format that is known: that it can't be read is told at once, and what it costs to read it is not the question.
 */
const bytes = randomBytes(20 * mib).fill(0, 0, 4096);
const rules = Buffer.from('# House rules\n\nThe cellar key hangs behind the green door.\n');

/** Everything of a company in the store: objects, what they are made of, and uploads in parts. */
async function inStore(): Promise<string[]> {
  const { Contents = [] } = await store.send(new ListObjectsV2Command({ Bucket: place.bucket, Prefix: place.prefix }));
  const { Uploads = [] } = await store.send(
    new ListMultipartUploadsCommand({ Bucket: place.bucket, Prefix: place.prefix }),
  );
  const keys = [...Contents, ...Uploads.map(({ Key = '' }) => ({ Key: `${Key} (parts)` }))];
  return keys.map(({ Key = '' }) => Key.slice(place.prefix.length)).filter((key) => key.includes(company.id));
}

/** How often parts were begun of what this company uploads; a start tries it, too. */
const begun = () =>
  simulator.requests.filter((request) => /^POST .*\?uploads/.test(request) && request.includes(company.id)).length;

/** A piece of which so much comes that a part is stored, and then nothing more. */
async function hang(tus: RawTus, location: string): Promise<ClientRequest> {
  const request = tus.open('PATCH', location, { 'Upload-Offset': '0', 'Content-Length': String(bytes.length) });
  onTestFinished(() => void request.destroy());
  request.write(bytes.subarray(0, 9 * mib));
  await expect.poll(kept, { timeout: 120_000 }).toBeGreaterThanOrEqual(8 * mib);
  return request;
}

/** Bytes that are written down. */
async function kept(): Promise<number> {
  const { rows } = await one.app.db.asSystem((tx) =>
    tx.execute<{ offset: string }>(sql`select "offset" from upload_bytes where company_id = ${company.id}`),
  );
  return Number(rows[0]?.offset ?? 0);
}

/** The other process goes on with it to its end. */
async function goOn(location: string): Promise<void> {
  const offset = await there.offset(location);
  expect(offset).toBeGreaterThanOrEqual(8 * mib);
  const last = await there.patch(location, offset, bytes.subarray(offset));
  expect([last.status, JSON.parse(last.body)]).toMatchObject([200, { version: 1, name: 'Plan.pdf' }]);
}

/** It is there byte for byte, was begun once, and nothing else is left. */
async function expectWhole(): Promise<void> {
  const { url } = await createClient(other.url, company.token).call('getFileLink', {
    gsUri: `gs://footnote/${company.id}/Plan.pdf`,
  });
  const original = Buffer.from(await (await other.fetch(url)).arrayBuffer());
  expect(digest(original)).toBe(digest(bytes));
  expect(begun()).toBe(1);
  expect(await inStore()).toEqual([expect.stringMatching(new RegExp(`^${company.id}/[^/]+$`))]);
}

test('an upload that was begun at one goes on at the other while its first connection hangs', async () => {
  const location = locationOf(await company.tus.begin('Plan.pdf', { size: bytes.length }));
  const hanging = await hang(company.tus, location);
  const ended = once(hanging, 'close');
  await goOn(location);
  await ended;
  await expectWhole();
  // Asked again, either answers that it is finished.
  for (const tus of [company.tus, there]) expect(await tus.offset(location)).toBe(bytes.length);
});

test('one that each of them has a piece of becomes one file, and counts once towards what may be stored', async () => {
  const used = async () => (await company.client.call('getStorage', null)).usedBytes;
  const location = locationOf(await company.tus.begin('Plan.pdf', { size: bytes.length }));
  expect(await used()).toBe(bytes.length);
  for (let at = 0, turn = 0; at < bytes.length; at += 3 * mib, turn++) {
    const tus = turn % 2 === 0 ? company.tus : there;
    await tus.patch(location, at, bytes.subarray(at, at + 3 * mib));
  }
  await expectWhole();
  expect(await used()).toBe(bytes.length);
});

test('one that ended at the other is ended here: its bytes are gone', async () => {
  const location = locationOf(await company.tus.begin('Plan.pdf', { size: bytes.length }));
  await hang(company.tus, location);
  expect((await there.remove(location)).status).toBe(204);
  expect((await company.tus.head(location)).status).toBe(404);
  expect(await inStore()).toEqual([]);
});

test('two that send the same piece at once: one is taken, the other is told to ask', async () => {
  const location = locationOf(await company.tus.begin('Plan.pdf', { size: bytes.length }));
  const piece = bytes.subarray(0, 9 * mib);
  const both = await Promise.all([company.tus.patch(location, 0, piece), there.patch(location, 0, piece)]);
  expect(both.some(({ status }) => status === 204)).toBe(true);
  expect(await there.offset(location)).toBe(9 * mib);
  await there.patch(location, 9 * mib, bytes.subarray(9 * mib));
  await expectWhole();
});

test('a process whose connection of locks breaks ends what it was writing, and the other goes on', async () => {
  const location = locationOf(await company.tus.begin('Plan.pdf', { size: bytes.length }));
  const hanging = await hang(company.tus, location);
  const ended = answerOf(hanging).catch(() => null);
  await one.app.db.asSystem((tx) =>
    tx.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid()`),
  );
  await ended;
  await goOn(location);
  await expectWhole();
});

test('one that nobody goes on with is given up after a day, and its bytes with it', async () => {
  const location = locationOf(await company.tus.begin('Plan.pdf', { size: bytes.length }));
  await company.tus.patch(location, 0, bytes.subarray(0, 9 * mib));
  expect(await inStore()).toHaveLength(2);
  await one.app.db.asSystem(async (tx) => {
    await tx.execute(
      sql`update upload_bytes set touched_at = now() - interval '25 hours' where company_id = ${company.id}`,
    );
    await one.app.jobs.enqueue(tx, 'sweep', {});
  });
  await one.idle();
  expect((await there.head(location)).status).toBe(404);
  expect(await inStore()).toEqual([]);
});

test('a company that ends leaves nothing of what it was uploading', async () => {
  const location = locationOf(await company.tus.begin('Plan.pdf', { size: bytes.length }));
  await company.tus.patch(location, 0, bytes.subarray(0, 9 * mib));
  await company.client.call('deleteCompany', { companyName: company.name });
  await one.app.db.asSystem(async (tx) => {
    await tx.execute(sql`update companies set ends_at = now() where id = ${company.id}`);
    await one.app.jobs.enqueue(tx, 'end-companies', {});
  });
  await one.idle();
  expect(await inStore()).toEqual([]);
  expect(await kept()).toBe(0);
});

test('an export that one has made is downloaded from the other', async () => {
  await company.client.upload('Rules.md', rules);
  await one.idle();
  const { exportId } = await company.client.call('startExport', null);
  await one.idle();
  const made = await createClient(other.url, company.token).call('getExport', { exportId });
  expect(made?.state).toBe('ready');
  const zip = Buffer.from(await (await other.fetch(made?.url ?? '')).arrayBuffer());
  expect((await readZip(zip)).get('documents/Rules.md')).toEqual(rules);
});

test('a process that is killed midway: another one goes on with what it has stored', async () => {
  const killed = await startProcess();
  const tus = rawTus({ url: killed.url, fetch: (path, init) => fetch(killed.url + path, init) }, company.token);
  const location = locationOf(await tus.begin('Plan.pdf', { size: bytes.length }));
  await hang(tus, location);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  await goOn(location);
  await expectWhole();
});

async function startProcess(): Promise<{ child: ChildProcess; url: string }> {
  const folder = await folderLike(one.config.dataDir);
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      // Who has signed in at one is known at all of them.
      PUBLIC_URL: one.config.publicUrl,
      DATA_DIR: folder,
      DATABASE_URL: one.config.databaseUrl,
      FILES_URL: `s3://${place.bucket}/${place.prefix.slice(0, -1)}`,
      S3_ENDPOINT: place.endpoint,
      S3_REGION: place.region,
      AWS_ACCESS_KEY_ID: place.credentials?.accessKeyId,
      AWS_SECRET_ACCESS_KEY: place.credentials?.secretAccessKey,
      BILLING: 'off',
      LOG_LEVEL: 'error',
      MIN_FREE_DISK_MB: '0',
    },
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true });
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listening on (http:[^)]+)/.exec(line)?.[1];
    if (!url) continue;
    child.stdout.resume();
    return { child, url };
  }
  throw new Error('the server ended before it served');
}

function digest(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
