import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { groupMembers, users } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { meanwhile } from '#server/testing/hold.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('a group is changed while somebody who is in it is being removed', async () => {
  const { company, admin } = await app.signUp();
  const client = createClient(app.url, admin.token);
  const group = { name: 'Board', userIds: [admin.uid] };
  const { groupId } = await client.call('createGroup', group);
  const update = () => client.call('updateGroup', { groupId, ...group });
  const removing = [
    (tx: Tx) => tx.select().from(users).where(eq(users.id, admin.uid)).for('update'),
    (tx: Tx) => tx.delete(groupMembers).where(eq(groupMembers.userId, admin.uid)),
  ] as const;
  expect(await meanwhile(app.app.db, company.id, update, [...removing])).toBe('done');
});
