import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { termsFolder } from '#server/ports/search/lance.ts';
import { type Company, newCompany, test } from '#server/testing/company.ts';
import { insertDocument } from '#server/testing/factories.ts';
import { holdParser, meanwhile } from '#server/testing/hold.ts';
import { openUpload, resumeUpload } from '#server/testing/open-upload.ts';

async function sweep(company: Company): Promise<void> {
  await company.app.app.db.asSystem((tx) => company.app.app.jobs.enqueue(tx, 'sweep', {}));
  await company.app.idle();
}
const run = (company: Company, statement: ReturnType<typeof sql>) =>
  company.app.app.db.asSystem((tx) => tx.execute(statement));
const files = (company: Company) => company.client.call('getCompanyFiles', null);
const uploadFolder = (company: Company) => join(company.app.config.dataDir, 'uploads');
const objects = async (company: Company) =>
  (await readdir(join(company.app.config.dataDir, 'files', company.id)).catch(() => [])).filter(
    (name) => !name.startsWith('.'),
  );
const longAgo = new Date(Date.now() - 25 * 3_600_000);

describe('a file without an end', () => {
  test('whose job is lost is ended, and can be tried again', async ({ app, company }) => {
    const { documentId } = await insertDocument(app.app.db, { id: company.id });
    for (const state of ['queued', 'processing']) {
      await run(
        company,
        sql`update versions set state = ${state}, finished_at = null where document_id = ${documentId}`,
      );
      await sweep(company);
      expect(await files(company)).toMatchObject([
        { id: documentId, state: 'failed', reason: expect.stringMatching(/again/) },
      ]);
    }
    await company.client.call('retryFile', { documentId });
  });

  test('is told of company by company, so that nobody who tells several of something waits for it', async ({
    app,
    company,
  }) => {
    const { db, jobs } = app.app;
    const [a, b] = [company, await newCompany(app)].sort((one, other) => (one.id < other.id ? -1 : 1));
    if (!a || !b) throw new Error('no companies');
    const input = { url: 'https://hooks.invalid/in', events: ['document.failed' as const] };
    // Whatever the sweep reads first is the company whose webhook others tell last.
    let [first, second] = ['', ''];
    do {
      for (const [{ client }, webhookId] of [
        [b, first],
        [a, second],
      ] as const)
        if (webhookId) await client.call('deleteWebhook', { webhookId });
      first = (await b.client.call('createWebhook', input)).webhookId;
      second = (await a.client.call('createWebhook', input)).webhookId;
    } while (first > second);
    for (const { id } of [a, b]) {
      const { documentId } = await insertDocument(db, { id });
      await run(
        company,
        sql`update versions set state = 'queued', finished_at = null where document_id = ${documentId}`,
      );
    }
    const send = (companyId: string, webhookId: string) => (tx: Tx) =>
      jobs.enqueue(tx, 'deliver-webhook', { companyId, webhookId }, { singletonKey: webhookId });
    const sending = [send(b.id, first), send(a.id, second)] as const;
    expect(await meanwhile(db, company.id, () => sweep(company), [...sending])).toBe('done');
    const { rows } = await run(
      company,
      sql`select from pgboss.job where name = 'sweep' and (retry_count > 0 or state <> 'completed')`,
    );
    expect(rows).toEqual([]);
  });

  test('whose job has spent its attempts is ended', async ({ company }) => {
    const parser = await holdParser();
    const { documentId } = await company.client.upload('Rules.md', Buffer.from('The key is green.'));
    await expect.poll(async () => (await files(company))[0]?.state).toBe('processing');
    // What the queue does when the process dies in the last of them.
    await run(company, sql`update pgboss.job set state = 'failed' where data->>'documentId' = ${documentId}`);
    await run(company, sql`update versions set attempt = attempt + 1 where document_id = ${documentId}`);
    await parser.release();
    await sweep(company);
    expect(await files(company)).toMatchObject([{ state: 'failed' }]);
  });

  test('whose job waits or runs is left alone, however long', async ({ app, company }) => {
    const parser = await holdParser();
    const { documentId } = await company.client.upload('Rules.md', Buffer.from('The key is green.'));
    await expect.poll(async () => (await files(company))[0]?.state).toBe('processing');
    await run(
      company,
      sql`update versions set uploaded_at = now() - interval '3 days' where document_id = ${documentId}`,
    );
    await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'sweep', {}));
    await expect
      .poll(
        async () =>
          (await run(company, sql`select id from pgboss.job where name = 'sweep' and state < 'completed'`)).rows,
      )
      .toEqual([]);
    expect(await files(company)).toMatchObject([{ state: 'processing' }]);
    await parser.release();
    await app.idle();
    expect(await files(company)).toMatchObject([{ state: 'ready' }]);
  });

  test('is none that has one', async ({ app, company }) => {
    await company.client.upload('Rules.md', Buffer.from('The key is green.'));
    await app.idle();
    const before = await files(company);
    await run(company, sql`delete from pgboss.job where name = 'ingest-version'`);
    await sweep(company);
    expect(await files(company)).toEqual(before);
  });
});

describe('what a deletion has left', () => {
  test('because its job failed for good is erased', async ({ app, company }) => {
    const { documentId } = await company.client.upload('Rules.md', Buffer.from('The key is green.'));
    await app.idle();
    await run(company, sql`update documents set deleted_at = now() - interval '1 hour' where id = ${documentId}`);
    await sweep(company);
    expect((await run(company, sql`select id from documents where id = ${documentId}`)).rows).toEqual([]);
    expect(await objects(company)).toEqual([]);
  });

  test('in the search table, because rewriting it failed for good, is erased', async ({ app, company }) => {
    await company.client.upload('Rules.md', Buffer.from('The key is green.'));
    await app.idle();
    const tables = join(app.config.dataDir, 'search', termsFolder);
    const folder = async () => (await readdir(tables)).find((name) => name.startsWith(company.id)) ?? '';
    const filled = await folder();
    await company.client.call('deleteFile', { filePath: `${company.id}/Rules.md` });
    await app.idle();
    expect(await folder()).not.toBe(filled);
    const left = join(tables, await folder(), 'data', 'left.lance');
    await mkdir(dirname(left), { recursive: true });
    await writeFile(left, 'what a rewriting that failed has left');
    await run(company, sql`update pgboss.job set state = 'failed' where name = 'erase-search'`);
    await sweep(company);
    await expect(stat(left)).rejects.toThrow('ENOENT');
  });
});

describe('an upload that nobody goes on with', () => {
  test('is given up after a day, and not before', async ({ app, company }) => {
    const young = await openUpload(app.url, company.token, 'Young.md', 10);
    const old = await openUpload(app.url, company.token, 'Old.md', 10);
    await old.send(0, Buffer.from('half'));
    await utimes(join(uploadFolder(company), old.id), longAgo, longAgo);
    await run(company, sql`update uploads set created_at = ${longAgo.toISOString()} where id = ${old.id}`);
    await sweep(company);
    await expect(old.offset()).rejects.toThrow('404');
    expect(await young.offset()).toBe(0);
    expect(await readdir(uploadFolder(company))).toEqual([young.id]);
  });

  test('goes on however old it is, where its last piece is young', async ({ app, company }) => {
    const upload = await openUpload(app.url, company.token, 'Slow.md', 10);
    await run(company, sql`update uploads set created_at = ${longAgo.toISOString()} where id = ${upload.id}`);
    await upload.send(0, Buffer.from('half'));
    await sweep(company);
    expect(await upload.offset()).toBe(4);
  });

  test('whose bytes were stored when the process died leaves none of them', async ({ app, company }) => {
    const upload = await openUpload(app.url, company.token, 'Cut.md', 10);
    // As a crash between storing the bytes and writing the rows leaves it.
    const folder = join(app.config.dataDir, 'files', company.id);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, upload.id), 'ten bytes.');
    await run(company, sql`update uploads set created_at = ${longAgo.toISOString()} where id = ${upload.id}`);
    await rm(join(uploadFolder(company), upload.id));
    await sweep(company);
    expect(await objects(company)).toEqual([]);
    expect((await run(company, sql`select id from uploads where id = ${upload.id}`)).rows).toEqual([]);
    await expect(resumeUpload(app.url, company.token, upload.id).offset()).rejects.toThrow('404');
  });

  test('without a row, as a crash at its very start leaves it, is removed', async ({ company }) => {
    await mkdir(uploadFolder(company), { recursive: true });
    const left = join(uploadFolder(company), 'left');
    await writeFile(left, 'bytes');
    await utimes(left, longAgo, longAgo);
    await sweep(company);
    expect(await readdir(uploadFolder(company))).not.toContain('left');
  });
});

test('copies that the parsers of a killed process were reading are removed, and no others', async ({ company }) => {
  const gone = spawnSync('true').pid;
  const folders = [`${gone}-old`, `${gone}-young`, `${process.pid}-old`].map((name) =>
    join(tmpdir(), `footnote-parse-${name}`),
  );
  for (const folder of folders) {
    await mkdir(folder);
    await writeFile(join(folder, 'input.md'), 'The key is green.');
    if (folder.endsWith('old')) await utimes(folder, longAgo, longAgo);
  }
  await sweep(company);
  const left = (await readdir(tmpdir())).filter((name) => folders.includes(join(tmpdir(), name)));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  expect(left.sort()).toEqual([`footnote-parse-${gone}-young`, `footnote-parse-${process.pid}-old`].sort());
});
