import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { collections, webhookCollections, webhookDeliveries, webhooks } from '#server/db/schema.ts';
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

test('old events of a webhook are given up while that is being removed', async () => {
  const { company, admin } = await app.signUp();
  const client = createClient(app.url, admin.token);
  const input = { url: 'https://hooks.invalid/in', events: ['document.deleted' as const] };
  const { webhookId } = await client.call('createWebhook', input);
  const { db, jobs } = app.app;
  const deleted = () => ({ type: 'document.deleted', documentId: crypto.randomUUID(), collectionId: null }) as const;
  await db.asCompany(company.id, (tx) => tell(tx, null, company.id, [deleted(), deleted()]));
  const [first, second] = await db.asSystem((tx) =>
    tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId)),
  );
  // The webhook first, and what hangs on it in an order of the database's own.
  const removing = [
    async (tx: Tx) => {
      await tx.select().from(webhooks).where(eq(webhooks.id, webhookId)).for('update');
      await tx.delete(webhookDeliveries).where(eq(webhookDeliveries.id, second?.id ?? ''));
    },
    (tx: Tx) => tx.delete(webhookDeliveries).where(eq(webhookDeliveries.id, first?.id ?? '')),
  ] as const;
  const wake = () => wakeWebhooks({ db, jobs, clock: () => new Date(Date.now() + 10 * 86_400_000) });
  expect(await meanwhile(db, company.id, wake, [...removing])).toBe('done');
});
