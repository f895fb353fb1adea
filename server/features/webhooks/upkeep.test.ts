import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { collections, webhookCollections } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { meanwhile } from '#server/testing/hold.ts';
import { tell } from './outbox.ts';
import { wakeWebhooks } from './upkeep.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('waking webhooks and telling them of something at the same time do not wait for each other', async () => {
  const { company, admin } = await app.signUp();
  const client = createClient(app.url, admin.token);
  const newHook = async () => {
    const input = { url: 'https://hooks.invalid/in', events: ['document.deleted' as const] };
    return (await client.call('createWebhook', input)).webhookId;
  };
  const [first = '', second = ''] = [await newHook(), await newHook()].sort();
  // A row that is written anew comes last where nothing says in which order they are read.
  await client.call('updateWebhook', { webhookId: first, on: true });
  const { db, jobs } = app.app;
  const deleted = { type: 'document.deleted', documentId: crypto.randomUUID(), collectionId: null } as const;
  // Told by something that has no queue at hand: both wait to be woken.
  await db.asCompany(company.id, (tx) => tell(tx, null, company.id, [deleted]));

  const send = (webhookId: string) => (tx: Tx) =>
    jobs.enqueue(tx, 'deliver-webhook', { companyId: company.id, webhookId }, { singletonKey: webhookId });
  const wake = () => wakeWebhooks({ db, jobs, clock: () => new Date() });
  expect(await meanwhile(db, company.id, wake, [send(first), send(second)])).toBe('done');
});

test('a webhook is kept within a collection while that is being deleted', async () => {
  const { company, admin } = await app.signUp();
  const client = createClient(app.url, admin.token);
  const { collectionId } = await client.call('createCollection', { name: 'Board', access: 'everyone' });
  const input = { url: 'https://hooks.invalid/in', events: ['document.ready' as const], collectionIds: [collectionId] };
  const { webhookId } = await client.call('createWebhook', input);
  const update = () => client.call('updateWebhook', { webhookId, collectionIds: [collectionId] });
  const deleting = [
    (tx: Tx) => tx.select().from(collections).where(eq(collections.id, collectionId)).for('update'),
    (tx: Tx) => tx.delete(webhookCollections).where(eq(webhookCollections.collectionId, collectionId)),
  ] as const;
  expect(await meanwhile(app.app.db, company.id, update, [...deleting])).toBe('done');
});
