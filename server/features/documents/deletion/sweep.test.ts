import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import { termsFolder } from '#server/ports/search/lance.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertDocument } from '#server/testing/factories.ts';
import { holdParser } from '#server/testing/hold.ts';
import { openUpload, resumeUpload } from '#server/testing/open-upload.ts';

let app: TestApp;
let companyId: string;
let token: string;
let client: Client;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const signedUp = await app.signUp();
  companyId = signedUp.company.id;
  token = signedUp.token;
  client = createClient(app.url, token);
});

async function sweep(): Promise<void> {
  await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'sweep', {}));
  await app.idle();
}
const run = (statement: ReturnType<typeof sql>) => app.app.db.asSystem((tx) => tx.execute(statement));
const files = () => client.call('getCompanyFiles', null);
const uploadFolder = () => join(app.config.dataDir, 'uploads');
const objects = async () =>
  (await readdir(join(app.config.dataDir, 'files', companyId)).catch(() => [])).filter((name) => !name.startsWith('.'));
const longAgo = new Date(Date.now() - 25 * 3_600_000);

describe('a file without an end', () => {
  test('whose job is lost is ended, and can be tried again', async () => {
    const { documentId } = await insertDocument(app.app.db, { id: companyId });
    for (const state of ['queued', 'processing']) {
      await run(sql`update versions set state = ${state}, finished_at = null where document_id = ${documentId}`);
      await sweep();
      expect(await files()).toMatchObject([
        { id: documentId, state: 'failed', reason: expect.stringMatching(/again/) },
      ]);
    }
    await client.call('retryFile', { documentId });
  });

  test('whose job has spent its attempts is ended', async () => {
    const parser = await holdParser();
    const { documentId } = await client.upload('Rules.md', Buffer.from('The key is green.'));
    await expect.poll(async () => (await files())[0]?.state).toBe('processing');
    // What the queue does when the process dies in the last of them.
    await run(sql`update pgboss.job set state = 'failed' where data->>'documentId' = ${documentId}`);
    await run(sql`update versions set attempt = attempt + 1 where document_id = ${documentId}`);
    await parser.release();
    await sweep();
    expect(await files()).toMatchObject([{ state: 'failed' }]);
  });

  test('whose job waits or runs is left alone, however long', async () => {
    const parser = await holdParser();
    const { documentId } = await client.upload('Rules.md', Buffer.from('The key is green.'));
    await expect.poll(async () => (await files())[0]?.state).toBe('processing');
    await run(sql`update versions set uploaded_at = now() - interval '3 days' where document_id = ${documentId}`);
    await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'sweep', {}));
    await expect
      .poll(async () => (await run(sql`select id from pgboss.job where name = 'sweep' and state < 'completed'`)).rows)
      .toEqual([]);
    expect(await files()).toMatchObject([{ state: 'processing' }]);
    await parser.release();
    await app.idle();
    expect(await files()).toMatchObject([{ state: 'ready' }]);
  });

  test('is none that has one', async () => {
    await client.upload('Rules.md', Buffer.from('The key is green.'));
    await app.idle();
    const before = await files();
    await run(sql`delete from pgboss.job where name = 'ingest-version'`);
    await sweep();
    expect(await files()).toEqual(before);
  });
});

describe('what a deletion has left', () => {
  test('because its job failed for good is erased', async () => {
    const { documentId } = await client.upload('Rules.md', Buffer.from('The key is green.'));
    await app.idle();
    await run(sql`update documents set deleted_at = now() - interval '1 hour' where id = ${documentId}`);
    await sweep();
    expect((await run(sql`select id from documents where id = ${documentId}`)).rows).toEqual([]);
    expect(await objects()).toEqual([]);
  });

  test('in the search table, because rewriting it failed for good, is erased', async () => {
    await client.upload('Rules.md', Buffer.from('The key is green.'));
    await app.idle();
    const data = join(app.config.dataDir, 'search', termsFolder, `${companyId}.lance`, 'data');
    const before = await readdir(data);
    await client.call('deleteFile', { filePath: `${companyId}/Rules.md` });
    await app.idle();
    await writeFile(join(data, before[0] ?? 'left.lance'), 'what a rewriting that failed has left');
    await run(sql`update pgboss.job set state = 'failed' where name = 'erase-search'`);
    await sweep();
    expect((await readdir(data)).filter((name) => before.includes(name))).toEqual([]);
  });
});

describe('an upload that nobody goes on with', () => {
  test('is given up after a day, and not before', async () => {
    const young = await openUpload(app.url, token, 'Young.md', 10);
    const old = await openUpload(app.url, token, 'Old.md', 10);
    await old.send(0, Buffer.from('half'));
    await utimes(join(uploadFolder(), old.id), longAgo, longAgo);
    await run(sql`update uploads set created_at = ${longAgo.toISOString()} where id = ${old.id}`);
    await sweep();
    await expect(old.offset()).rejects.toThrow('404');
    expect(await young.offset()).toBe(0);
    expect(await readdir(uploadFolder())).toEqual([young.id]);
  });

  test('goes on however old it is, where its last piece is young', async () => {
    const upload = await openUpload(app.url, token, 'Slow.md', 10);
    await run(sql`update uploads set created_at = ${longAgo.toISOString()} where id = ${upload.id}`);
    await upload.send(0, Buffer.from('half'));
    await sweep();
    expect(await upload.offset()).toBe(4);
  });

  test('whose bytes were stored when the process died leaves none of them', async () => {
    const upload = await openUpload(app.url, token, 'Cut.md', 10);
    // As a crash between storing the bytes and writing the rows leaves it.
    const folder = join(app.config.dataDir, 'files', companyId);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, upload.id), 'ten bytes.');
    await run(sql`update uploads set created_at = ${longAgo.toISOString()} where id = ${upload.id}`);
    await rm(join(uploadFolder(), upload.id));
    await sweep();
    expect(await objects()).toEqual([]);
    expect((await run(sql`select id from uploads where id = ${upload.id}`)).rows).toEqual([]);
    await expect(resumeUpload(app.url, token, upload.id).offset()).rejects.toThrow('404');
  });

  test('without a row, as a crash at its very start leaves it, is removed', async () => {
    await mkdir(uploadFolder(), { recursive: true });
    const left = join(uploadFolder(), 'left');
    await writeFile(left, 'bytes');
    await utimes(left, longAgo, longAgo);
    await sweep();
    expect(await readdir(uploadFolder())).not.toContain('left');
  });
});

test('copies that the parsers of a killed process were reading are removed, and no others', async () => {
  const gone = spawnSync('true').pid;
  const folders = [`${gone}-old`, `${gone}-young`, `${process.pid}-old`].map((name) =>
    join(tmpdir(), `footnote-parse-${name}`),
  );
  for (const folder of folders) {
    await mkdir(folder);
    await writeFile(join(folder, 'input.md'), 'The key is green.');
    if (folder.endsWith('old')) await utimes(folder, longAgo, longAgo);
  }
  await sweep();
  const left = (await readdir(tmpdir())).filter((name) => folders.includes(join(tmpdir(), name)));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  expect(left.sort()).toEqual([`footnote-parse-${gone}-young`, `footnote-parse-${process.pid}-old`].sort());
});
