import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/db/db.ts';
import { createTestDatabase } from '#server/testing/postgres.ts';
import { openEmbeddedIdentity } from './embedded.ts';
import { replaceKeys, secretFor } from './service-keys.ts';

test('many first starts at once agree on one key, each purpose has its own, and each can be replaced', async () => {
  const database = await createTestDatabase();
  const db = await openDatabase(database.connection, { name: 'test', log: pino({ level: 'silent' }) });
  const all = await Promise.all(Array.from({ length: 8 }, () => secretFor(db, 'device')));
  expect(new Set(all.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
  const links = await secretFor(db, 'file-link');
  expect(links.length).toBe(32);
  expect(Buffer.from(links).equals(await secretFor(db, 'file-link'))).toBe(true);
  expect(Buffer.from(links).equals(await secretFor(db, 'refresh-token'))).toBe(false);

  let ahead = 0;
  const identity = await openEmbeddedIdentity(db, 'http://localhost', () => Date.now() + ahead);
  await identity.createUser({ uid: randomUUID(), email: 'ann@example.com', password: 'copper lanterns hum 48' });
  const before = await identity.signIn('ann@example.com', 'copper lanterns hum 48');
  await identity.verify(before.idToken);
  for (const purpose of ['device', 'id-token'] as const) await replaceKeys(db, purpose);
  const replaced = await secretFor(db, 'device');
  expect(Buffer.from(all[0] ?? []).equals(replaced)).toBe(false);
  expect(Buffer.from(replaced).equals(await secretFor(db, 'device'))).toBe(true);
  expect(Buffer.from(links).equals(await secretFor(db, 'file-link'))).toBe(true);
  // A process that looks now signs with the new key, and refuses what the one before has signed; sessions go on.
  const looking = await openEmbeddedIdentity(db, 'http://localhost');
  await expect(looking.verify(before.idToken)).rejects.toThrow();
  const after = await looking.refresh(before.refreshToken.value);
  await looking.verify(after?.idToken ?? '');
  ahead = 5_000;
  await identity.verify(after?.idToken ?? '');
  await db.close();
  await database.drop();
});
