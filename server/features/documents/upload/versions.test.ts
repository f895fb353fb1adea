import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eq, sql } from '#server/db/drizzle.ts';
import { chunks, uploads } from '#server/db/schema.ts';
import { type Company, newCompany, test } from '#server/testing/company.ts';
import { holdParser } from '#server/testing/hold.ts';
import { openUpload } from '#server/testing/open-upload.ts';

const gsUri = (company: Company) => `gs://footnote/${company.id}/Rules.md`;
const put = (company: Company, text: string, name = 'Rules.md', ifExists?: 'replace' | 'keep-both') =>
  company.client.upload(name, Buffer.from(`# House rules\n\n${text}\n`), ifExists);
const green = 'The cellar key hangs behind the green door.';
const blue = 'The cellar key hangs on the blue hook.';
const history = [{ role: 'user' as const, parts: [{ text: 'Where does the cellar key hang?' }] }];
const ask = (company: Company) => company.client.call('query', { history });
const textsFound = async (company: Company) =>
  (await company.client.call('searchPassages', { query: 'Where does the cellar key hang?' })).passages.map(
    ({ text }) => text,
  );
const files = (company: Company) => company.client.call('getCompanyFiles', null);
const original = async (company: Company, version?: number) => {
  const { url } = await company.client.call('getFileLink', {
    gsUri: gsUri(company),
    ...(version !== undefined && { version }),
  });
  return (await company.app.fetch(url)).text();
};

describe('a file of the same name', () => {
  test('is version 2: the first answers until it is read, then it alone', async ({ app, company }) => {
    const first = await put(company, green);
    await app.idle();
    const parser = await holdParser();
    expect(await put(company, blue)).toEqual({ documentId: first.documentId, version: 2, name: 'Rules.md' });
    await expect.poll(() => files(company)).toMatchObject([{ state: 'processing', version: 2, currentVersion: 1 }]);
    expect((await ask(company)).sources).toMatchObject([{ version: 1, quote: green }]);
    expect(await textsFound(company)).toEqual([expect.stringContaining(green)]);
    expect(await original(company)).toContain(green);

    await parser.release();
    await app.idle();
    expect(await files(company)).toMatchObject([{ state: 'ready', version: 2, currentVersion: 2 }]);
    expect((await ask(company)).sources).toMatchObject([{ version: 2, quote: blue }]);
    expect(await textsFound(company)).toEqual([expect.stringContaining(blue)]);
    expect(await original(company)).toContain(blue);
  });

  test('leaves an old citation opening what it cited, and telling that it is superseded', async ({ app, company }) => {
    const { documentId } = await put(company, green);
    await app.idle();
    const cite = new URL((await ask(company)).sources[0]?.url ?? '', app.url).searchParams.get('cite') ?? '';
    await put(company, `A new introduction.\n\n${blue}`);
    await app.idle();
    expect(await company.client.call('getDocument', { documentId, version: 1, cite })).toMatchObject({
      version: 1,
      currentVersion: 2,
      citation: { quote: green, block: 1 },
    });
    const { blocks } = await company.client.call('getReadingView', { documentId, version: 1, from: 0, limit: 10 });
    expect(blocks.map(({ text }) => text)).toContain(green);
    expect(await original(company, 1)).toContain(green);
    // It is no citation of the new version.
    expect((await company.client.call('getDocument', { documentId, version: 2, cite })).citation).toBeUndefined();
  });

  test('that can not be read leaves the first one answering, and says why', async ({ app, company }) => {
    const { documentId } = await put(company, green, 'Rules.pdf.md');
    await app.idle();
    expect(await company.client.upload('Rules.pdf.md', Buffer.from('%PDF-1.7\n broken'))).toMatchObject({
      documentId,
      version: 2,
    });
    await app.idle();
    expect(await files(company)).toMatchObject([
      { state: 'failed', version: 2, currentVersion: 1, reason: expect.stringContaining('damaged') },
    ]);
    expect((await ask(company)).sources).toMatchObject([{ version: 1, quote: green }]);
    await put(company, blue, 'Rules.pdf.md');
    await app.idle();
    expect(await files(company)).toMatchObject([{ state: 'ready', version: 3, currentVersion: 3 }]);
    expect((await ask(company)).sources).toMatchObject([{ version: 3, quote: blue }]);
  });

  test('that is read before an older one stays the one that answers', async ({ app, company }) => {
    const slow = await holdParser();
    const { documentId } = await put(company, green);
    // Until then the second one could be given it.
    await slow.taken();
    await put(company, blue);
    await expect.poll(() => files(company)).toMatchObject([{ state: 'ready', version: 2 }]);
    await slow.release();
    await app.idle();
    expect(await files(company)).toMatchObject([{ state: 'ready', version: 2, currentVersion: 2 }]);
    expect(await textsFound(company)).toEqual([expect.stringContaining(blue)]);
    expect((await company.client.call('getDocument', { documentId, version: 1 })).state).toBe('ready');
    const searched = await app.app.db.asCompany(company.id, (tx) =>
      tx.select({ version: chunks.version }).from(chunks).where(eq(chunks.documentId, documentId)),
    );
    expect(searched).toEqual([{ version: 2 }]);
  });

  test('is the same one however its letters are composed, and is listed as it came first', async ({ app, company }) => {
    const { documentId } = await put(company, green, 'Übersicht.md'.normalize('NFD'));
    expect(await put(company, blue, 'Übersicht.md'.normalize('NFC'))).toMatchObject({ documentId, version: 2 });
    await app.idle();
    expect(await files(company)).toMatchObject([{ name: 'Übersicht.md'.normalize('NFD') }]);
  });

  test('of many at once is a version each, and the last of them answers', async ({ app, company }) => {
    const uploaded = await Promise.all(
      Array.from({ length: 5 }, (_, i) => put(company, `The cellar key is number ${i}.`)),
    );
    expect(new Set(uploaded.map(({ documentId }) => documentId)).size).toBe(1);
    expect(uploaded.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5]);
    await app.idle();
    expect(await files(company)).toMatchObject([{ state: 'ready', version: 5, currentVersion: 5 }]);
    const last = uploaded.findIndex(({ version }) => version === 5);
    expect(await textsFound(company)).toEqual([expect.stringContaining(`number ${last}.`)]);
  });
});

describe('the same content again', () => {
  const uploadFiles = async (company: Company) =>
    (await readdir(join(company.app.config.dataDir, 'files', company.id))).length;
  const ingested = async (company: Company) => {
    const { rows } = await company.app.app.db.asSystem((tx) =>
      tx.execute(sql`select id from pgboss.job where name = 'ingest-version' and data->>'companyId' = ${company.id}`),
    );
    return rows.length;
  };

  test('under its name is there already: nothing is stored or read, and whoever asks hears so', async ({
    app,
    company,
  }) => {
    const { documentId } = await put(company, green);
    expect(await put(company, green)).toEqual({ documentId, version: 1, name: 'Rules.md', unchanged: true });
    await app.idle();
    expect(await put(company, green)).toEqual({ documentId, version: 1, name: 'Rules.md', unchanged: true });
    await app.idle();
    expect(await files(company)).toMatchObject([{ id: documentId, version: 1, state: 'ready' }]);
    expect([await uploadFiles(company), await ingested(company)]).toEqual([1, 1]);
    // A client that has lost the reply.
    const content = Buffer.from(`# House rules\n\n${green}\n`);
    const upload = await openUpload(app.url, company.token, 'Rules.md', content.byteLength);
    await upload.send(0, content);
    expect(await upload.offset()).toBe(content.byteLength);
    const answer = { documentId, version: 1, name: 'Rules.md', unchanged: true };
    expect(await company.client.call('getUpload', { uploadId: upload.id })).toEqual(answer);
    expect(await files(company)).toHaveLength(1);
    // It is no upload under way any more, and goes with the document.
    await company.client.call('deleteFile', { filePath: `${company.id}/Rules.md` });
    await app.idle();
    await expect(upload.offset()).rejects.toThrow('404');
    const left = await app.app.db.asCompany(company.id, (tx) => tx.select().from(uploads));
    expect(left).toEqual([]);
  });

  test('by several at once is made once', async ({ app, company }) => {
    const made = await Promise.all(Array.from({ length: 6 }, () => put(company, green)));
    expect(made.filter(({ unchanged }) => unchanged !== true)).toHaveLength(1);
    expect(new Set(made.map(({ documentId, version }) => `${documentId} ${version}`)).size).toBe(1);
    await app.idle();
    expect([await uploadFiles(company), await ingested(company)]).toEqual([1, 1]);
  });

  test('after another, or after it could not be read, is a new version', async ({ app, company }) => {
    await put(company, green);
    await put(company, blue);
    expect(await put(company, green)).toMatchObject({ version: 3 });
    const broken = Buffer.from('%PDF-1.7\n broken');
    await company.client.upload('Broken.pdf', broken);
    await app.idle();
    expect(await company.client.upload('Broken.pdf', broken)).toEqual({
      documentId: expect.any(String),
      version: 2,
      name: 'Broken.pdf',
    });
  });

  test('under another name, or in another company, is a file of its own', async ({ app, company }) => {
    const { documentId } = await put(company, green);
    const other = await put(company, green, 'Copy.md');
    expect(other).toMatchObject({ version: 1, name: 'Copy.md' });
    expect(other.documentId).not.toBe(documentId);
    const { client: stranger } = await newCompany(app);
    const theirs = await stranger.upload('Rules.md', Buffer.from(`# House rules\n\n${green}\n`));
    expect(theirs.unchanged).toBeUndefined();
    expect(theirs.documentId).not.toBe(documentId);
    // What goes with one is not what the other has.
    await app.idle();
    await company.client.call('deleteFile', { filePath: `${company.id}/Rules.md` });
    await app.idle();
    expect((await ask(company)).sources).toMatchObject([{ name: 'Copy.md', quote: green }]);
    expect(await uploadFiles(company)).toBe(1);
  });
});

describe('a file that is to be kept beside one of its name', () => {
  test('gets the next name that is free; where none has it, its own', async ({ company }) => {
    expect(await put(company, green, 'Rules.md', 'keep-both')).toMatchObject({ version: 1, name: 'Rules.md' });
    expect(await put(company, blue, 'Rules.md', 'keep-both')).toMatchObject({ version: 1, name: 'Rules (2).md' });
    await put(company, blue, 'Rules (3).md');
    expect(await put(company, green, 'Rules.md', 'keep-both')).toMatchObject({ name: 'Rules (4).md' });
    expect((await files(company)).map(({ name, version }) => `${name} ${version}`)).toEqual([
      'Rules (2).md 1',
      'Rules (3).md 1',
      'Rules (4).md 1',
      'Rules.md 1',
    ]);
  });

  test('gets another one than those that come at once', async ({ company }) => {
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, i) => put(company, `Key ${i}.`, 'Rules.md', 'keep-both')),
    );
    expect(new Set(made.map(({ documentId }) => documentId)).size).toBe(5);
    const expected = ['Rules.md', ...Array.from({ length: 4 }, (_, i) => `Rules (${i + 2}).md`)];
    expect(made.map(({ name }) => name).sort()).toEqual(expected.sort());
  });

  test('finds it behind however many', async ({ app, company }) => {
    await put(company, green);
    await app.app.db.asSystem((tx) =>
      tx.execute(sql`
        insert into documents (company_id, id, name, name_key, newest_version)
        select ${company.id}::uuid, gen_random_uuid(), name, name, 1
        from (select format('Rules (%s).md', n) as name from generate_series(2, 130) as n) as taken`),
    );
    expect(await put(company, blue, 'Rules.md', 'keep-both')).toMatchObject({ name: 'Rules (131).md' });
  });

  test('is listed as the first version of a file while it is uploaded', async ({ app, company }) => {
    await put(company, green);
    await openUpload(app.url, company.token, 'Rules.md', 100, 'keep-both');
    expect(await files(company)).toMatchObject([{ state: 'uploading', version: 1 }, { version: 1 }]);
  });

  test('is asked for in no other words', async ({ app, company }) => {
    await expect(openUpload(app.url, company.token, 'Rules.md', 10, 'keep')).rejects.toThrow('ifExists must be');
    await expect(openUpload(app.url, company.token, 'Rules.md', 10, '')).rejects.toThrow('ifExists must be');
  });
});

test('a version that does not exist is not found', async ({ app, company }) => {
  const { documentId } = await put(company, green);
  await app.idle();
  const none = 'This file does not exist';
  await expect(company.client.call('getDocument', { documentId, version: 2 })).rejects.toThrow(none);
  await expect(company.client.call('getReadingView', { documentId, version: 2, from: 0, limit: 1 })).rejects.toThrow(
    none,
  );
  await expect(company.client.call('getFileLink', { gsUri: gsUri(company), version: 2 })).rejects.toThrow(none);
  await expect(company.client.call('getDocument', { documentId, version: 0 })).rejects.toThrow('not valid');
});
