import { createHash, randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { openEmbeddedIdentity } from '#server/ports/identity/embedded.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { openDatabase } from './db.ts';
import { migrateTo, migrationOf } from './migrate.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase | undefined;
afterEach(() => database?.drop());

/** A database as the migrations up to this one left it. */
async function databaseAt(last: number): Promise<{ client: pg.Client; connection: pg.PoolConfig }> {
  database = await createTestDatabase();
  const { connection } = database;
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('drop schema public cascade; drop schema drizzle cascade; create schema public');
  await migrateTo(client, await migrationOf(last));
  return { client, connection };
}

test('accounts of their own: everyone keeps password and sign-ins', async () => {
  const { client, connection } = await databaseAt(3);
  const [company, ada, ben, family] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const password = 'violet anchors drift 71';
  const passwordHash = await hash(password, { memoryCost: 64, timeCost: 1, parallelism: 1 });
  const sha = (value: string) => createHash('sha256').update(value).digest('hex');
  const signedInAt = new Date(Date.now() - 5 * 86_400_000);
  await client.query('insert into companies (id, name, owner_id) values ($1, $2, $3)', [company, 'Old', ada]);
  for (const [id, email, role] of [
    [ada, 'ada@example.com', 'admin'],
    [ben, 'ben@example.com', 'member'],
  ]) {
    await client.query(
      `insert into users (company_id, id, email, role, state, tokens_valid_since) values ($1, $2, $3, $4, 'active', now() - interval '1 hour')`,
      [company, id, email, role],
    );
    const credentials = 'insert into credentials (company_id, user_id, password_hash) values ($1, $2, $3)';
    await client.query(credentials, [company, id, passwordHash]);
  }
  const tokens = [
    ['first', signedInAt, true],
    ['second', new Date(), false],
  ] as const;
  for (const [value, createdAt, spent] of tokens) {
    await client.query(
      `insert into refresh_tokens (company_id, id, user_id, family_id, token_hash, used_at, expires_at, created_at)
       values ($1, $2, $3, $4, $5, case when $6 then now() end, now() + interval '20 days', $7)`,
      [company, randomUUID(), ada, family, sha(value), spent, createdAt],
    );
  }
  await client.end();

  const db = await openDatabase(connection, { name: 'test', log });
  const provider = await openEmbeddedIdentity(db, 'http://footnote.test');
  const goingOn = await provider.refresh('second');
  expect(await provider.verify(goingOn?.idToken ?? '')).toMatchObject({
    uid: ada,
    role: 'admin',
    companyId: company,
    authenticatedAt: new Date(Math.floor(signedInAt.getTime() / 1000) * 1000),
  });
  const grant = await provider.signIn('ben@example.com', password);
  expect(await provider.verify(grant.idToken)).toMatchObject({ uid: ben, role: 'member', companyId: company });
  const left = await db.asSystem(async (tx) => {
    const { rows } = await tx.execute(`select to_regclass('credentials') as a, to_regclass('refresh_tokens') as b`);
    return rows;
  });
  expect(left).toEqual([{ a: null, b: null }]);
  await db.close();
});

test('data that a newer version has worked on is refused, in words', async () => {
  database = await createTestDatabase();
  await database.administer(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 9000000000000)`,
  );
  await expect(openDatabase(database.connection, { name: 'test', log })).rejects.toThrow(
    'A newer version of Footnote has worked on this data, which this one can not read. Start that version, or a newer one.',
  );
});
