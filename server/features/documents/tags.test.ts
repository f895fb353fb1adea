import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { type InsertedDocument, insertDocument } from '#server/testing/factories.ts';
import { documentsWithTags } from './tags.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function withFiles(count: number) {
  const { company, token } = await app.signUp();
  const made: InsertedDocument[] = [];
  for (let i = 0; i < count; i++) made.push(await insertDocument(app.app.db, company));
  const client = createClient(app.url, token);
  return {
    company,
    ids: made.map(({ documentId }) => documentId),
    set: (documentId: string, ...tags: string[]) => client.call('setFileTags', { documentId, tags }),
    files: () => client.call('getCompanyFiles', null),
    remove: (id: string) =>
      client.call('deleteFile', { filePath: made.find((each) => each.documentId === id)?.path ?? '' }),
    withTags: async (...tags: string[]) =>
      (await app.app.db.asCompany(company.id, (tx) => documentsWithTags(tx, tags))).sort(),
  };
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );

test('a file is listed with its tags, as they were written, each once', async () => {
  const { ids, set, files } = await withFiles(1);
  const [id = ''] = ids;
  expect((await files())[0]?.tags).toEqual([]);
  expect(await set(id, ' Human   Resources ', 'ＨＲ', 'hr', 'Gehälter', 'Gehälter'.normalize('NFD'), '📎')).toEqual({
    tags: ['Human Resources', 'ＨＲ', 'Gehälter', '📎'],
  });
  expect((await files())[0]?.tags).toEqual(['Human Resources', 'ＨＲ', 'Gehälter', '📎']);
  await set(id);
  expect((await files())[0]?.tags).toEqual([]);
});

test('what is no tag, or too many, is refused', async () => {
  const { ids, set, files } = await withFiles(1);
  const [id = ''] = ids;
  for (const bad of ['', '   ', 'x'.repeat(51), 'a\nb', 'a\u0000', '\u200b\u202e']) {
    expect(await codeOf(set(id, bad)), JSON.stringify(bad)).toBe('invalid-input');
  }
  expect(await codeOf(set(id, ...Array.from({ length: 21 }, (_, i) => `tag ${i}`)))).toBe('invalid-input');
  expect(await codeOf(set(randomUUID(), 'tag'))).toBe('file-not-found');
  expect((await files())[0]?.tags).toEqual([]);
  expect((await set(id, ...Array.from({ length: 20 }, (_, i) => `${i}`.repeat(25).slice(0, 50)))).tags).toHaveLength(
    20,
  );
});

test('files are found by all the tags that are asked for, in their own company and while they live', async () => {
  const one = await withFiles(3);
  const other = await withFiles(1);
  const [a = '', b = '', c = ''] = one.ids;
  await one.set(a, 'Contracts', '2026');
  await one.set(b, 'contracts');
  await one.set(c, '2026');
  await other.set(other.ids[0] ?? '', 'Contracts');
  expect(await one.withTags('CONTRACTS')).toEqual([a, b].sort());
  expect(await one.withTags('contracts', '2026')).toEqual([a]);
  expect(await one.withTags('contracts', 'other')).toEqual([]);
  expect(await one.withTags()).toEqual([a, b, c].sort());
  await one.remove(a);
  expect(await one.withTags('contracts')).toEqual([b]);
  expect(await codeOf(one.set(a, 'again'))).toBe('file-not-found');
  expect(await codeOf(other.set(b, 'theirs'))).toBe('file-not-found');
});
