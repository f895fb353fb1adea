import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { refusedStatements, releasedStatements } from '#server/testing/released-statements.ts';

// During an update processes of the last release and of this one work on the same tables (docs/decisions/0052).

let database: TestDatabase;
let client: pg.Client;
let released: string[];
beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  released = await releasedStatements();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

test('what the last release sends to the database runs on the tables of this one', async () => {
  expect(released.length).toBeGreaterThan(500);
  expect(await refusedStatements(client, released)).toEqual([]);
});

test.each([
  ['alter table documents rename column tags to labels', 'tags'],
  ['alter table versions drop column size', 'size'],
  ['alter table documents alter column newest_version type text', 'integer = text'],
  ['alter table documents add column shelf text not null', 'asks for "shelf"'],
  ['drop table collections cascade', 'collections'],
])('%s is noticed', async (change, problem) => {
  await client.query(change);
  expect((await refusedStatements(client, released)).join('\n')).toContain(problem);
});

test('what only adds is not refused', async () => {
  await client.query(
    "alter table documents add column shelf text not null default 'top', add column moved_at timestamptz",
  );
  await client.query('create table shelves (id uuid primary key)');
  expect(await refusedStatements(client, released)).toEqual([]);
});
