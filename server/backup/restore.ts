import { createWriteStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { copyIn } from '#server/db/copy-rows.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { and, inArray, isNull, sql } from '#server/db/drizzle.ts';
import { migrateTo, restoringSchema } from '#server/db/migrate.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { companies, documents } from '#server/db/schema.ts';
import { deleteDocuments } from '#server/features/documents/deletion/delete-documents.ts';
import { rewriteSearchTable } from '#server/features/documents/deletion/erase.ts';
import { companiesWithText } from '#server/features/documents/processing/search-chunks.ts';
import { type Jobs, openJobs } from '#server/jobs/jobs.ts';
import type { WaitingJob } from '#server/jobs/pending.ts';
import { policies } from '#server/jobs/registry.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { type ArchiveReader, openArchive } from './archive.ts';
import { readManifest } from './backup.ts';
import { onOneConnection } from './connection.ts';
import type { Manifest } from './manifest.ts';
import { type Asked, askAgain } from './proof.ts';
import { schema, setSequences } from './tables.ts';

export interface RestoreOptions {
  /** A database that has no tables, or one whose restore has not come to its end. */
  connection: pg.PoolConfig;
  files: Pick<FileStore, 'put' | 'list'>;
  search: SearchStore;
  folder: string;
  passphrase: string | null;
  /** Where the key of second factors goes that a sealed backup may hold. */
  secretKeyPath: string;
  /** Ids of documents and companies that were deleted since, whichever: they are deleted again. */
  erased: readonly string[];
  log: Logger;
}

export interface RestoreReport {
  madeAt: string;
  rows: number;
  originals: number;
  companies: number;
  /** Deleted since the backup was made, and so deleted again: names by company. */
  deletedAgain: { companyId: string; name: string }[];
  /** Companies that had ended since: they end now, and are erased when the service starts. */
  endedAgain: { companyId: string; name: string }[];
  /** Stored questions that were asked again. */
  asked: Asked[];
}

/**
 * Brings a backup back into an empty place: its tables as they were, then as this version has them, the originals, what
 * waited to be done, and the search tables, which are built anew. Until it has come to its end the service does not
 * start on it, and running it again begins anew.
 * @throws CannotStart where the place is not empty, the database's connection breaks, or the backup is damaged or
 * another version's
 */
export async function restore(options: RestoreOptions): Promise<RestoreReport> {
  const { connection, files, folder, passphrase, log } = options;
  const archive = await openArchive(folder, passphrase);
  const manifest = await readManifest(archive);
  const after = 'Run the restore again: it begins anew.';
  return onOneConnection(connection, after, async ({ client, mustStand }) => {
    await claim(client, files);
    await migrateTo(client, manifest.migration);
    await fill(client, archive, manifest);
    for (const each of manifest.originals) {
      mustStand();
      await files.put(each.key, await archive.read(each));
    }
    if (manifest.secretKey) await putSecretKey(await archive.read(manifest.secretKey), options.secretKeyPath);
    const db = await openDatabase(connection, { name: 'PostgreSQL', log, restoring: true });
    try {
      const finished = await finish(db, archive, manifest, options);
      await client.query(`drop schema ${restoringSchema}`);
      return finished;
    } finally {
      await db.close();
    }
  });
}

/** Takes an empty database for the restore, or one that is left of an earlier try. */
async function claim(client: pg.Client, files: Pick<FileStore, 'list'>): Promise<void> {
  const { rows } = await client.query<{ left: boolean; full: boolean }>(`
    select to_regnamespace('${restoringSchema}') is not null as left,
      exists (select 1 from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as full`);
  if (rows[0]?.left) {
    await client.query(
      'drop schema public cascade; drop schema if exists drizzle cascade; drop schema if exists pgboss cascade; create schema public',
    );
    return;
  }
  if (rows[0]?.full) throw new CannotStart('The database has tables already. Restore into one that has none.');
  if ((await files.list('')).length > 0)
    throw new CannotStart('There are documents in DATA_DIR or FILES_URL already. Restore into a place that is empty.');
  await client.query(`create schema ${restoringSchema}`);
}

async function fill(client: pg.Client, archive: ArchiveReader, manifest: Manifest): Promise<void> {
  await client.query('begin');
  for (const each of manifest.tables) {
    const rows = await copyIn(client, { ...each, schema }, await archive.read(each, { packed: true }));
    if (rows !== each.rows) throw new CannotStart(`${each.name} in the backup has not all of its rows.`);
  }
  await setSequences(client);
  await client.query('commit');
}

/** One that is there stays: it may be another machine's, put there on purpose. */
async function putSecretKey(content: Readable, path: string): Promise<void> {
  const there = await access(path).then(
    () => true,
    () => false,
  );
  if (there) content.destroy();
  else await pipeline(content, createWriteStream(path, { mode: 0o600, flush: true }));
}

async function finish(
  db: Database,
  archive: ArchiveReader,
  manifest: Manifest,
  { search, erased, log }: RestoreOptions,
): Promise<RestoreReport> {
  const jobs = await openJobs({ db, log, alone: true });
  let deletedAgain: RestoreReport['deletedAgain'];
  let endedAgain: RestoreReport['endedAgain'];
  try {
    await enqueueAgain(db, jobs, JSON.parse(await text(await archive.read(manifest.jobs))));
    endedAgain = await endAgain(db, jobs, erased);
    deletedAgain = await deleteAgain(db, jobs, [...manifest.erased, ...erased]);
  } finally {
    await jobs.stop();
  }
  const companies = await db.asSystem((tx) => companiesWithText(tx));
  for (const { companyId } of companies) await rewriteSearchTable({ db, search }, companyId);
  return {
    madeAt: manifest.madeAt,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    originals: manifest.originals.length,
    companies: companies.length,
    deletedAgain,
    endedAgain,
    asked: await askAgain({ db, search }),
  };
}

async function enqueueAgain(db: Database, jobs: Jobs, waiting: WaitingJob[]): Promise<void> {
  const wanted = waiting.filter(
    ({ name, singletonKey }) =>
      // A version before may have had jobs that this one has not.
      Object.hasOwn(policies, name) &&
      // The schedule enqueues without a key where all others need one, and will do so again.
      (singletonKey !== null || !policies[name].onePerKey),
  );
  await db.asSystem(async (tx) => {
    for (const { name, data, singletonKey, startAfterSeconds } of wanted)
      await jobs.enqueue(tx, name, data as never, {
        startAfterSeconds,
        ...(singletonKey !== null && { singletonKey }),
      });
  });
}

/** Takes away what its admins had deleted before the backup was brought back. */
async function deleteAgain(db: Database, jobs: Jobs, ids: readonly string[]): Promise<RestoreReport['deletedAgain']> {
  const found: { companyId: string; id: string; name: string }[] = [];
  for (const some of inParts(ids)) {
    found.push(
      ...(await db.asSystem((tx) =>
        tx
          .select({ companyId: documents.companyId, id: documents.id, name: documents.name })
          .from(documents)
          .where(and(inArray(documents.id, some), isNull(documents.deletedAt))),
      )),
    );
  }
  for (const { companyId, id } of found)
    await db.asCompany(companyId, (tx) => deleteDocuments(tx, { db, jobs }, companyId, [id]));
  return found.map(({ companyId, name }) => ({ companyId, name }));
}

/** Their time to be taken back is over. */
async function endAgain(db: Database, jobs: Jobs, ids: readonly string[]): Promise<RestoreReport['endedAgain']> {
  const ended: RestoreReport['endedAgain'] = [];
  for (const some of inParts(ids))
    ended.push(
      ...(await db.asSystem((tx) =>
        tx
          .update(companies)
          .set({ endsAt: sql`now()` })
          .where(inArray(companies.id, some))
          .returning({ companyId: companies.id, name: companies.name }),
      )),
    );
  if (ended.length > 0) await db.asSystem((tx) => jobs.enqueue(tx, 'end-companies', {}, { singletonKey: 'all' }));
  return ended;
}

/** As many as one statement takes well. */
function inParts(ids: readonly string[]): string[][] {
  const size = 1000;
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, i) => ids.slice(i * size, (i + 1) * size));
}
