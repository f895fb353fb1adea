import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/db/db.ts';
import { createTestDatabase } from '#server/testing/postgres.ts';
import { secretFor } from './service-keys.ts';

test('many first starts at once agree on one key, and each purpose has its own', async () => {
  const database = await createTestDatabase();
  const db = await openDatabase(database.connection, { name: 'test', log: pino({ level: 'silent' }) });
  const all = await Promise.all(Array.from({ length: 8 }, () => secretFor(db, 'device')));
  expect(new Set(all.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
  const links = await secretFor(db, 'file-link');
  expect(links.length).toBe(32);
  expect(Buffer.from(links).equals(await secretFor(db, 'file-link'))).toBe(true);
  expect(Buffer.from(links).equals(await secretFor(db, 'refresh-token'))).toBe(false);
  await db.close();
  await database.drop();
});
