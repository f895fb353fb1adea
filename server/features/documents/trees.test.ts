import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import { eq } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertDocument } from '#server/testing/factories.ts';
import { waitedFor } from '#server/testing/hold.ts';

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
async function besideAnAnswer({ companyId, first, second }: Two, change: () => Promise<unknown>): Promise<unknown> {
  const changed = await app.app.db.asCompany(companyId, async (tx) => {
    const hold = (id: string) =>
      tx.select({ id: documents.id }).from(documents).where(eq(documents.id, id)).for('share');
    await hold(first);
    const outcome = change().then(
      () => 'done',
      (error: unknown) => error,
    );
    await waitedFor(tx);
    await hold(second);
    return { outcome };
  });
  return changed.outcome;
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
