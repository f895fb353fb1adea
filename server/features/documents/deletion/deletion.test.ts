import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { CompanyFile } from '#contract/calls/documents.ts';
import { messages } from '#contract/messages.ts';
import { eq } from '#server/db/drizzle.ts';
import { citations, documents, queries, versions } from '#server/db/schema.ts';
import { type Company, newCompany, test } from '#server/testing/company.ts';
import { holdParser, holdTable } from '#server/testing/hold.ts';
import { openUpload } from '#server/testing/open-upload.ts';

const question = 'Where does the cellar key hang?';
const fact = 'The cellar key hangs behind the green door.';

const bytes = (text = fact) => Buffer.from(`# House rules\n\n${text}\n`);
const gsUri = (company: Company, name: string) => `gs://footnote/${company.id}/${name}`;
const remove = (company: Company, name: string) =>
  company.client.call('deleteFile', { filePath: `${company.id}/${name}` });
const history = [{ role: 'user' as const, parts: [{ text: question }] }];
const ask = (company: Company) => company.client.call('query', { history });
const find = async (company: Company) => (await company.client.call('searchPassages', { query: question })).passages;
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );

async function uploadAndRead(company: Company, name: string, text = fact) {
  const uploaded = await company.client.upload(name, bytes(text));
  await company.app.idle();
  return uploaded;
}

/** No call shows the document any more, nor any word of it. */
async function expectGone(
  company: Company,
  { documentId, version }: { documentId: string; version: number },
  name: string,
) {
  expect((await company.client.call('getCompanyFiles', null)).map(({ id }) => id)).not.toContain(documentId);
  expect(await codeOf(company.client.call('getFileLink', { gsUri: gsUri(company, name) }))).toBe('file-not-found');
  expect(await codeOf(company.client.call('getFileLink', { gsUri: gsUri(company, name), version }))).toBe(
    'file-not-found',
  );
  expect(await codeOf(company.client.call('getDocument', { documentId, version }))).toBe('file-not-found');
  const view = company.client.call('getReadingView', { documentId, version, from: 0, limit: 100 });
  expect(await codeOf(view)).toBe('file-not-found');
  expect(await codeOf(company.client.call('retryFile', { documentId }))).toBe('file-not-found');
  expect(await codeOf(remove(company, name))).toBe('file-not-found');
  await expectUnanswered(company);
}

async function expectUnanswered(company: Company) {
  expect(await find(company)).toEqual([]);
  const answer = await ask(company);
  expect(answer).toMatchObject({ answered: false, sources: [] });
  expect(JSON.stringify(answer)).not.toContain('green door');
  const said: unknown[] = [];
  said.push(await company.client.stream('query', { history }, (message) => said.push(message)));
  expect(JSON.stringify(said)).not.toContain('green door');
}

describe('a deleted file', () => {
  test('is gone from every call at once, before any job has run, and after', async ({ app, company }) => {
    const uploaded = await uploadAndRead(company, 'Rules.md');
    const { url } = await company.client.call('getFileLink', { gsUri: gsUri(company, 'Rules.md') });
    expect(await (await app.fetch(url)).text()).toContain(fact);
    expect((await find(company))[0]?.text).toContain(fact);
    expect((await ask(company)).sources).toHaveLength(1);

    // Erasing is held, so that what is seen is what the call alone has done.
    const erasing = await holdTable(app, 'blocks');
    try {
      expect(await remove(company, 'Rules.md')).toEqual({ message: messages.documents.deleted('Rules.md') });
      expect((await app.fetch(url)).status).toBe(404);
      expect((await app.fetch(url, { method: 'HEAD' })).status).toBe(404);
      await expectGone(company, uploaded, 'Rules.md');
    } finally {
      await erasing.release();
    }
    await app.idle();
    expect((await app.fetch(url)).status).toBe(404);
    await expectGone(company, uploaded, 'Rules.md');
  });

  test('takes its words out of stored answers, and leaves those of other files', async ({ app, company }) => {
    await uploadAndRead(company, 'Rules.md');
    await uploadAndRead(company, 'Keys.md', 'The cellar key hangs in the office.');
    const { queryId, sources } = await ask(company);
    expect(sources.map(({ name }) => name).sort()).toEqual(['Keys.md', 'Rules.md']);
    // The first is part of the answer; another one may have been found beside it.
    const [gone, kept] = sources;
    await remove(company, gone?.name ?? '');
    const [stored] = await app.app.db.asSystem((tx) => tx.select().from(queries).where(eq(queries.id, queryId)));
    const quotes = await app.app.db.asSystem((tx) => tx.select().from(citations).where(eq(citations.queryId, queryId)));
    expect(quotes.map(({ quote }) => quote).sort()).toEqual([kept?.quote, null]);
    expect(stored?.answer).not.toContain(gone?.quote);
    expect(stored?.answer).toContain('(source deleted)');
    expect(stored?.answer.includes(kept?.quote ?? '')).toBe(kept?.supporting !== true);
  });

  test('frees its name: the same name is a new document, and only that answers', async ({ app, company }) => {
    const first = await uploadAndRead(company, 'Rules.md');
    await remove(company, 'Rules.md');
    const second = await company.client.upload('Rules.md', bytes('The attic key hangs on the blue hook.'));
    expect(second).toEqual({ documentId: expect.any(String), version: 1, name: 'Rules.md' });
    expect(second.documentId).not.toBe(first.documentId);
    await app.idle();
    expect(await company.client.call('getCompanyFiles', null)).toMatchObject([
      { id: second.documentId, state: 'ready' },
    ]);
    expect(JSON.stringify([await find(company), await ask(company)])).not.toContain('green door');
    expect(await codeOf(company.client.call('getDocument', { documentId: first.documentId, version: 1 }))).toBe(
      'file-not-found',
    );
  });

  test('is one file of one company: a file of the same name of another stays', async ({ app, company }) => {
    await uploadAndRead(company, 'Rules.md');
    const { id: theirId, client: other } = await newCompany(app);
    const theirs = await other.upload('Rules.md', bytes());
    await app.idle();
    expect(await codeOf(company.client.call('deleteFile', { filePath: `${theirId}/Rules.md` }))).toBe('file-not-found');
    await remove(company, 'Rules.md');
    await app.idle();
    expect(await other.call('getCompanyFiles', null)).toMatchObject([{ id: theirs.documentId, state: 'ready' }]);
    expect((await other.call('query', { history })).answered).toBe(true);
  });

  test('is found by its name however its letters are composed', async ({ company }) => {
    await uploadAndRead(company, 'Übersicht.md'.normalize('NFC'));
    await remove(company, 'Übersicht.md'.normalize('NFD'));
    expect(await company.client.call('getCompanyFiles', null)).toEqual([]);
  });
});

describe('a file that is deleted while', () => {
  async function expectNothingLeft(company: Company, uploaded: { documentId: string; version: number }, name: string) {
    await company.app.idle();
    await expectGone(company, uploaded, name);
    const left = await company.app.app.db.asSystem((tx) =>
      tx.select().from(versions).where(eq(versions.documentId, uploaded.documentId)),
    );
    expect(left).toEqual([]);
  }

  test('it waits to be read is never read', async ({ company }) => {
    // Both workers are busy with files of their own, so the third one waits.
    const holds = [await holdParser()];
    await company.client.upload('One.md', bytes('One.'));
    holds.push(await holdParser());
    await company.client.upload('Two.md', bytes('Two.'));
    await stateOf(company, 'Two.md', 'processing');
    const waiting = await company.client.upload('Three.md', bytes());
    await remove(company, 'Three.md');
    expect((await company.client.call('getCompanyFiles', null)).map(({ name }) => name)).toEqual(['One.md', 'Two.md']);
    for (const hold of holds) await hold.release();
    await expectNothingLeft(company, waiting, 'Three.md');
    expect((await company.client.call('getCompanyFiles', null)).map(({ state }) => state)).toEqual(['ready', 'ready']);
  });

  test('it is parsed stops its parser', async ({ company }) => {
    const parser = await holdParser();
    const uploaded = await company.client.upload('Rules.md', bytes());
    await parser.taken();
    await remove(company, 'Rules.md');
    // The parser is never let go on: this ends because the deletion ends it.
    await expectNothingLeft(company, uploaded, 'Rules.md');
    await expect.poll(() => exists(parser.pid)).toBe(false);
  });

  test.for([
    ['its text is stored', 'blocks'],
    ['its chunks are stored', 'chunks'],
  ] as const)('%s does not wait for that', async ([_, table], { app, company }) => {
    const hold = await holdTable(app, table);
    try {
      const uploaded = await company.client.upload('Rules.md', bytes());
      await hold.reached();
      await remove(company, 'Rules.md');
      expect(await company.client.call('getCompanyFiles', null)).toEqual([]);
      await hold.release();
      await expectNothingLeft(company, uploaded, 'Rules.md');
    } finally {
      await hold.release().catch(() => {});
    }
  });

  test.for(['unary', 'stream'] as const)(
    'an answer from it is written does not appear in it (%s)',
    async (kind, { app, company }) => {
      await uploadAndRead(company, 'Rules.md');
      const said: unknown[] = [];
      // What is found is read from the blocks before it is checked for the last time.
      const hold = await holdTable(app, 'blocks');
      let answer: Promise<unknown>;
      try {
        answer =
          kind === 'unary'
            ? ask(company)
            : company.client.stream('query', { history }, (message) => said.push(message));
        await hold.reached();
        await remove(company, 'Rules.md');
      } finally {
        await hold.release();
      }
      said.push(await answer);
      expect(said.at(-1)).toMatchObject({ answered: false, sources: [] });
      expect(JSON.stringify(said)).not.toContain('green door');
      const stored = await app.app.db.asCompany(company.id, (tx) => tx.select().from(citations));
      expect(stored).toEqual([]);
    },
  );

  test('a new version of it is uploaded ends that upload, wherever its bytes are', async ({ app, company }) => {
    const first = await uploadAndRead(company, 'Rules.md');
    const content = bytes('The attic key hangs on the blue hook.');
    const begin = () => openUpload(app.url, company.token, 'Rules.md', content.byteLength);
    const [sent, stored] = [await begin(), await begin()];
    await sent.send(0, content.subarray(0, 20));
    // As a crash between storing the bytes and writing the rows leaves it.
    const { dataDir } = app.config;
    await writeFile(join(dataDir, 'files', company.id, stored.id), content);
    await rm(join(dataDir, 'uploads', stored.id));
    await remove(company, 'Rules.md');
    await expectGone(company, first, 'Rules.md');
    const reply = await sent.send(20, content.subarray(20));
    expect([reply.status, JSON.parse(await reply.text()).error.details.code]).toEqual([404, 'upload-not-found']);
    await app.idle();
    await expectNothingLeft(company, first, 'Rules.md');
    expect(await company.client.call('getCompanyFiles', null)).toEqual([]);
    expect(await readdir(join(dataDir, 'uploads'))).toEqual([]);
    // One that is begun afterwards is a new file.
    const later = await company.client.upload('Rules.md', content);
    expect(later).toMatchObject({ version: 1 });
    expect(later.documentId).not.toBe(first.documentId);
  });

  test('another file is uploaded, or one to be kept beside it, leaves those alone', async ({ app, company }) => {
    await uploadAndRead(company, 'Rules.md');
    const content = bytes('The attic key hangs on the blue hook.');
    const kept = await openUpload(app.url, company.token, 'Rules.md', content.byteLength, 'keep-both');
    const other = await openUpload(app.url, company.token, 'Keys.md', content.byteLength);
    await remove(company, 'Rules.md');
    expect(await (await kept.send(0, content)).json()).toMatchObject({ version: 1, name: 'Rules.md' });
    expect(await (await other.send(0, content)).json()).toMatchObject({ version: 1, name: 'Keys.md' });
  });

  test('a new version of it is read takes both away', async ({ company }) => {
    const first = await uploadAndRead(company, 'Rules.md');
    const parser = await holdParser();
    const second = await company.client.upload('Rules.md', bytes('The cellar key hangs on the blue hook.'));
    expect(second).toMatchObject({ documentId: first.documentId, version: 2 });
    // One that is stopped and has no file would be given that of another test.
    await parser.taken();
    await remove(company, 'Rules.md');
    await expectNothingLeft(company, first, 'Rules.md');
    expect(JSON.stringify([await find(company), await ask(company)])).not.toContain('blue hook');
  });

  test('it is deleted a second time is deleted once', async ({ app, company }) => {
    await uploadAndRead(company, 'Rules.md');
    const both = await Promise.all([1, 2, 3].map(() => codeOf(remove(company, 'Rules.md'))));
    expect(both.sort()).toEqual(['file-not-found', 'file-not-found', 'no error']);
    await app.idle();
    const left = await app.app.db.asCompany(company.id, (tx) => tx.select().from(documents));
    expect(left).toEqual([]);
  });
});

async function stateOf(company: Company, name: string, state: CompanyFile['state']): Promise<void> {
  for (;;) {
    const files = await company.client.call('getCompanyFiles', null);
    if (files.find((file) => file.name === name)?.state === state) return;
    await wait(10);
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
