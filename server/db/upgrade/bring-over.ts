import { Transform } from 'node:stream';
import pg from 'pg';
import { copyIn, copyOut, nameOf } from '#server/db/copy-rows.ts';
import { migrateTo, newestMigration, refuseUnreadable } from '#server/db/migrate.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import type { Say } from '#server/db/postgres/upgrade.ts';
import { createQueueTables, migrateQueueTables, queueVersion } from '#server/jobs/queue-tables.ts';
import { compareRows } from './compare.ts';
import { type Table, tablesAlike } from './tables.ts';

/** So that whoever waits sees that it goes on. */
const tellEveryMs = 5000;

/**
 * Brings everything over from the database of an older PostgreSQL to the empty one of a newer: the tables as the
 * migrations made them that it has seen (later ones run when the service starts), with what is granted and the
 * policies; the queue's; every row, and where numbering stands. Then it compares.
 * @throws CannotStart where the older one is half restored, of a newer Footnote, or holds what is not Footnote's
 */
export async function bringOver(
  from: pg.Client,
  to: pg.Client,
  { owner, say }: { owner: string; say: Say },
): Promise<void> {
  // Times are compared as text.
  for (const client of [from, to]) await client.query(`set timezone = 'UTC'`);
  await refuseOtherDatabases(from);
  await refuseUnreadable(from);
  await asOwner(to, owner, () => createTables(from, to, owner));
  const tables = await tablesAlike(from, to, owner);
  await copyRows(from, to, tables, say);
  await copySequences(from, to);
  say('Every row is there, and is now compared ...');
  await compareRows(from, to, tables);
  // What the planner knows of the rows is not brought over.
  await to.query('analyze');
}

/** They would be left behind. */
async function refuseOtherDatabases(from: pg.Client): Promise<void> {
  const { rows } = await from.query<{ name: string }>(
    'select datname as name from pg_database where not datistemplate and datname <> current_database()',
  );
  if (rows.length > 0)
    throw new CannotStart(
      `The database server holds ${rows.map(({ name }) => name).join(', ')}, which is not Footnote's and would be left behind. Move it away with the version before.`,
    );
}

async function createTables(from: pg.Client, to: pg.Client, owner: string): Promise<void> {
  const migration = await newestMigration(from);
  if (migration) await migrateTo(to, migration);
  const version = await queueVersion(from);
  if (version === null) return;
  await createQueueTables(to);
  const newest = (await queueVersion(to)) ?? 0;
  // The queue's maker has plans for the newest tables alone, and for changing older ones.
  if (version < newest) await asOwner(from, owner, () => migrateQueueTables(from, version));
}

async function asOwner(client: pg.Client, owner: string, work: () => Promise<void>): Promise<void> {
  await client.query(`set session authorization ${pg.escapeIdentifier(owner)}`);
  await work();
  await client.query('reset session authorization');
}

/** In one transaction, in which they are also emptied: what is then copied need not be written ahead. */
async function copyRows(from: pg.Client, to: pg.Client, tables: readonly Table[], say: Say): Promise<void> {
  if (tables.length === 0) return;
  await to.query('begin');
  // Rows that fit each other there fit each other here, in whichever order they come.
  await to.query('set local session_replication_role = replica');
  await to.query(`truncate ${tables.map(nameOf).join(', ')}`);
  const progress = { bytes: 0, toldAt: Date.now() };
  for (const each of tables) {
    const rows = copyOut(from, each);
    const counted = new Transform({
      transform(piece: Buffer, _encoding, done) {
        tell(piece.length);
        done(null, piece);
      },
    });
    rows.on('error', (error) => counted.destroy(error));
    await copyIn(to, each, rows.pipe(counted));
  }
  await to.query('commit');

  function tell(bytes: number): void {
    progress.bytes += bytes;
    if (Date.now() - progress.toldAt < tellEveryMs) return;
    progress.toldAt = Date.now();
    say(`${Math.round(progress.bytes / 1e6)} MB of rows are brought over ...`);
  }
}

async function copySequences(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ schema: string; table: string }>(
    `select schemaname as schema, sequencename as table from pg_sequences where schemaname !~ '^pg_'`,
  );
  for (const sequence of rows) {
    const name = nameOf(sequence);
    const { rows: stands } = await from.query<{ value: string; used: boolean }>(
      `select last_value as value, is_called as used from ${name}`,
    );
    await to.query('select setval($1, $2, $3)', [name, stands[0]?.value, stands[0]?.used]);
  }
}
