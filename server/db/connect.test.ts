import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLog } from '#server/http/log.ts';
import { addressOf } from '#server/testing/outside-postgres.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { connect } from './connect.ts';
import { sql } from './drizzle.ts';
import { markOf } from './shared-folder.ts';

const log = createLog('silent');
let folders: string;
let database: TestDatabase;
beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'footnote-folders-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folders, { recursive: true });
});

const open: (() => Promise<void>)[] = [];
afterEach(closeAll);
async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

/** As a process opens it, on a folder of this name; one that is refused leaves nothing open. */
async function start(folder: string, databaseUrl = addressOf(database.connection)) {
  const closers: typeof open = [];
  const place = { databaseUrl, databaseConnections: 2, dataDir: join(folders, folder) };
  try {
    return await connect(place, log, closers);
  } catch (error) {
    for (const close of closers.splice(0)) await close();
    throw error;
  } finally {
    open.push(...closers);
  }
}

const refused = /another DATA_DIR/;

test('processes of one database share a folder: one with another is refused while they run', async () => {
  await Promise.all([start('shared'), start('shared')]);
  await start('shared');
  await expect(start('other')).rejects.toThrow(refused);
  // By another path.
  await mkdir(join(folders, 'mounted'));
  await cp(join(folders, 'shared', 'folder.id'), join(folders, 'mounted', 'folder.id'));
  await start('mounted');
});

test('of two that start at once with folders of their own, not both do', async () => {
  const started = await Promise.allSettled([start('one'), start('two')]);
  expect(started.map(({ status }) => status)).toContain('rejected');
});

test('a folder that was moved, and one that is new because the last was lost, keep nobody from starting', async () => {
  await start('moving');
  await closeAll();
  await rename(join(folders, 'moving'), join(folders, 'moved'));
  await start('moved');
  await closeAll();
  await start('new');
});

test('the connection that listens calls itself as the folder, whatever the address says', async () => {
  const db = await start('named', `${addressOf(database.connection)}&application_name=someone`);
  const names = await db.statement(
    sql`select application_name as name from pg_stat_activity where datname = current_database()`,
  );
  expect(names).toContainEqual({ name: await markOf({ dataDir: join(folders, 'named') }) });
});
