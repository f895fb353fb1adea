import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { waitedFor } from '#server/testing/hold.ts';
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

  const toWebhook = (webhookId: string) => [{ companyId: company.id, webhookId }, { singletonKey: webhookId }] as const;
  const woken = await db.asCompany(company.id, async (tx) => {
    await jobs.enqueue(tx, 'deliver-webhook', ...toWebhook(first));
    const waking = wakeWebhooks({ db, jobs, clock: () => new Date() }).then(
      () => 'woken',
      (error) => error,
    );
    await waitedFor(tx);
    await jobs.enqueue(tx, 'deliver-webhook', ...toWebhook(second));
    return { waking };
  });
  expect(await woken.waking).toBe('woken');
});
