import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startPooler } from '#server/testing/pooler.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { refuseTransactionPooler } from './pooler.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a database that is reached directly is taken', async () => {
  await refuseTransactionPooler(database.connection);
});

test('a pooler that keeps a session to itself is taken', async () => {
  const pooler = await startPooler(database.connection, 'session');
  onTestFinished(() => pooler.close());
  await refuseTransactionPooler(pooler.connection);
});

test.for(['transaction', 'in-turn', 'statement'] as const)(
  'one that shares its connections (%s) is refused',
  async (mode) => {
    const pooler = await startPooler(database.connection, mode);
    onTestFinished(() => pooler.close());
    await expect(refuseTransactionPooler(pooler.connection)).rejects.toThrow('pool_mode = session');
  },
);
