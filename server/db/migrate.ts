import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { z } from 'zod';
import { drizzle, migrate } from './drizzle.ts';
import { CannotStart } from './postgres/cannot-start.ts';

const folder = fileURLToPath(new URL('./migrations', import.meta.url));
const journalPath = join('meta', '_journal.json');
const journalSchema = z.looseObject({
  entries: z.array(z.looseObject({ idx: z.number(), when: z.number(), tag: z.string() })),
});

/** A migration as the database remembers it. */
export interface AppliedMigration {
  hash: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** Where a restore stands that has not come to its end: the service does not start on half of a company's rows. */
export const restoringSchema = 'footnote_restoring';

/**
 * Brings the tables up to date.
 * @param restoring who asks is the restore itself
 * @throws CannotStart where a newer version has made them, or a restore has not come to its end
 */
export async function migrateToNewest(client: pg.PoolClient | pg.Client, { restoring = false } = {}): Promise<void> {
  await refuseUnreadable(client, { restoring });
  await migrate(drizzle(client), { migrationsFolder: folder });
}

/** @throws CannotStart where this version must not work on the database as it is, whatever it would do there */
export async function refuseUnreadable(client: pg.PoolClient | pg.Client, { restoring = false } = {}): Promise<void> {
  const { rows } = await client.query<{ restoring: boolean }>(
    `select to_regnamespace('${restoringSchema}') is not null as restoring`,
  );
  if (rows[0]?.restoring && !restoring)
    throw new CannotStart('A restore into this database has not come to its end. Run it again: npm run restore.');
  if ((await ahead(client)) > 0)
    throw new CannotStart(
      'A newer version of Footnote has worked on this data, which this one can not read. Start that version, or a newer one.',
    );
}

/** Whether the next start brings the tables up to date: statements of this version need not work on them. */
export async function isOlder(client: pg.PoolClient | pg.Client): Promise<boolean> {
  return (await ahead(client)) < 0;
}

/** By how much the database is newer than this version; negative: older, 0 where it has no tables yet. */
async function ahead(client: pg.PoolClient | pg.Client): Promise<number> {
  const { entries } = await journal();
  const newest = await newestMigration(client);
  return newest ? newest.createdAt - Math.max(...entries.map(({ when }) => when)) : 0;
}

/** @returns null where the database has no tables yet */
export async function newestMigration(client: pg.PoolClient | pg.Client): Promise<AppliedMigration | null> {
  const { rows: there } = await client.query<{ there: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  );
  if (!there[0]?.there) return null;
  const { rows } = await client.query<{ hash: string; createdAt: string }>(
    'select hash, created_at as "createdAt" from drizzle.__drizzle_migrations order by created_at desc limit 1',
  );
  return rows[0] ? { hash: rows[0].hash, createdAt: Number(rows[0].createdAt) } : null;
}

/**
 * Makes the tables as this migration left them, in a database that has none.
 * @throws CannotStart where this version does not know the migration
 */
export async function migrateTo(
  client: pg.PoolClient | pg.Client,
  { hash, createdAt }: AppliedMigration,
): Promise<void> {
  const all = await journal();
  const wanted = all.entries.find(({ when }) => when === createdAt);
  const known =
    wanted &&
    createHash('sha256')
      .update(await readFile(join(folder, `${wanted.tag}.sql`)))
      .digest('hex');
  if (!wanted || known !== hash)
    throw new CannotStart('This was made by another version of Footnote, which this one does not know. Take that one.');
  const part = await mkdtemp(join(tmpdir(), 'footnote-migrations-'));
  try {
    await cp(folder, part, { recursive: true });
    const entries = all.entries.filter(({ idx }) => idx <= wanted.idx);
    await writeFile(join(part, journalPath), JSON.stringify({ ...all, entries }));
    await migrate(drizzle(client), { migrationsFolder: part });
  } finally {
    await rm(part, { recursive: true });
  }
}

/** The one with this number. */
export async function migrationOf(idx: number): Promise<AppliedMigration> {
  const found = (await journal()).entries.find((entry) => entry.idx === idx);
  if (!found) throw new Error(`no migration ${idx}`);
  const text = await readFile(join(folder, `${found.tag}.sql`));
  return { hash: createHash('sha256').update(text).digest('hex'), createdAt: found.when };
}

async function journal() {
  return journalSchema.parse(JSON.parse(await readFile(join(folder, journalPath), 'utf8')));
}
