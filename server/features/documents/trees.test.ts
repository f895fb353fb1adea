import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertDocument } from '#server/testing/factories.ts';
import { meanwhile } from '#server/testing/hold.ts';
import { holdTrees } from './trees.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Two {
  client: Client;
  companyId: string;
  /** In the order in which an answer holds them. */
  first: string;
  second: string;
}

/** Of these two the second stands first in the table. */
async function twoDocuments(values: (second: string) => Partial<typeof documents.$inferInsert>): Promise<Two> {
  const { company, admin } = await app.signUp();
  const { db } = app.app;
  const ids = [await insertDocument(db, company), await insertDocument(db, company)].map((each) => each.documentId);
  const [first = '', second = ''] = ids.sort();
  // A row that is written anew comes last.
  await db.asSystem((tx) => tx.update(documents).set(values(second)).where(eq(documents.id, first)));
  return { client: createClient(app.url, admin.token), companyId: company.id, first, second };
}

/** What comes of a change while an answer that comes from both is being stored. */
function besideAnAnswer({ companyId, first, second }: Two, change: () => Promise<unknown>): Promise<unknown> {
  const hold = (id: string) => (tx: Tx) =>
    tx.select({ id: documents.id }).from(documents).where(eq(documents.id, id)).for('share');
  return meanwhile(app.app.db, companyId, change, [hold(first), hold(second)]);
}

test('a mail is deleted with its attachment while an answer comes from both', async () => {
  const two = await twoDocuments((parentId) => ({ parentId }));
  const input = { documentIds: [two.second] };
  expect(await besideAnAnswer(two, () => two.client.call('deleteFiles', input))).toBe('done');
  expect(await two.client.call('getCompanyFiles', null)).toEqual([]);
});

test('documents are moved while an answer comes from them', async () => {
  const two = await twoDocuments(() => ({ tags: [] }));
  const { collectionId } = await two.client.call('createCollection', { name: 'Board', access: 'everyone' });
  const input = { documentIds: [two.second, two.first], collectionId };
  expect(await besideAnAnswer(two, () => two.client.call('moveDocuments', input))).toBe('done');
});

test('a collection is deleted while an answer comes from what is in it', async () => {
  const two = await twoDocuments(() => ({ tags: [] }));
  const { collectionId } = await two.client.call('createCollection', { name: 'Board', access: 'everyone' });
  await two.client.call('moveDocuments', { documentIds: [two.second], collectionId });
  await two.client.call('moveDocuments', { documentIds: [two.first], collectionId });
  const input = { collectionId, moveTo: two.companyId };
  expect(await besideAnAnswer(two, () => two.client.call('deleteCollection', input))).toBe('done');
});

test('a mail is replaced and brought elsewhere while an answer comes from it and its attachment', async () => {
  const two = await twoDocuments((parentId) => ({ parentId }));
  const { collectionId } = await two.client.call('createCollection', { name: 'Board', access: 'everyone' });
  const upload = () => two.client.upload(`${two.second}.txt`, Buffer.from('Anew.'), 'replace', collectionId);
  expect(await besideAnAnswer(two, upload)).toBe('done');
});

test('of documents all is held that is attached to them, each once, and nothing that is deleted', async () => {
  const { company } = await app.signUp();
  const { db } = app.app;
  const insert = async (values: Partial<typeof documents.$inferInsert> = {}) => {
    const { documentId } = await insertDocument(db, company);
    await db.asSystem((tx) =>
      tx
        .update(documents)
        .set({ tags: [], ...values })
        .where(eq(documents.id, documentId)),
    );
    return documentId;
  };
  const mail = await insert();
  const inner = await insert({ parentId: mail });
  const innermost = await insert({ parentId: inner });
  const gone = await insert({ parentId: mail, deletedAt: new Date() });
  const hold = (...ids: string[]) => db.asCompany(company.id, (tx) => holdTrees(tx, company.id, ids));
  expect(await hold(mail, mail, inner)).toEqual([mail, inner, innermost]);
  expect(await hold(gone)).toEqual([]);
  expect(await hold()).toEqual([]);
});
