import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { copyOut } from '#server/db/copy-rows.ts';
import { drizzle } from '#server/db/drizzle.ts';
import { newestMigration } from '#server/db/migrate.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { waitingJobs } from '#server/jobs/pending.ts';
import { FileAbsent, type FileStore } from '#server/ports/files/port.ts';
import { type ArchiveReader, type ArchiveWriter, createArchive, openArchive } from './archive.ts';
import { type OneConnection, onOneConnection } from './connection.ts';
import { noteBackup } from './last.ts';
import { type Entry, type Manifest, manifestSchema } from './manifest.ts';
import { countRows, schema, tablesIn } from './tables.ts';

export interface BackupOptions {
  connection: pg.ClientConfig;
  files: Pick<FileStore, 'get'>;
  /** Becomes the backup; must not be there yet. */
  folder: string;
  /** Null: the backup lies open. */
  passphrase: string | null;
  /** The file with the key of second factors, which may be absent; goes into a sealed backup alone. */
  secretKeyPath: string;
}

export interface BackupReport {
  /** As of when it has the rows, by the database's clock. */
  madeAt: Date;
  tables: number;
  rows: number;
  originals: number;
  /** Of all that it holds, unpacked. */
  bytes: number;
  /** Originals of live documents that the store has not, or not as they were uploaded. */
  lost: string[];
}

interface Original {
  key: string;
  sha256: string;
  documentId: string;
}

/**
 * Writes a backup, also while the service runs: the rows of one moment, then the originals that they name, then what
 * says what is in it; and reads all of it again. The database then says when it was made. Nothing waits for it: a
 * document that is deleted meanwhile loses its bytes as ever, and the backup says that it is gone. Unfinished uploads
 * and search tables are not in it. One that fails leaves nothing, and what a killed one has left is begun anew.
 * @throws CannotStart where the folder can't be one, another backup is writing to it, the database is none of ours, the
 * connection to it breaks, or what was written reads otherwise
 */
export async function backUp({ connection, files, folder, passphrase, ...more }: BackupOptions): Promise<BackupReport> {
  const after = 'Nothing is left of this backup: make it again.';
  return onOneConnection(connection, after, async (database) => {
    await claim(database.client, folder);
    const archive = await createArchive(folder, passphrase);
    const report = await makeWhole(database, archive, { files, passphrase, ...more });
    await drizzle(database.client)
      .transaction((tx) => noteBackup(tx, { madeAt: report.madeAt, folder }))
      .catch((cause) => {
        const isGood = `The backup in ${folder} is whole and right`;
        throw new CannotStart(`${isGood}, but the database does not take down that it was made.`, { cause });
      });
    return report;
  });
}

/** For as long as the connection lives, and so as the process does: what is left there without it is nobody's. */
async function claim(client: pg.Client, folder: string): Promise<void> {
  const { rows } = await client.query<{ isOurs: boolean }>(
    'select pg_try_advisory_lock(hashtext($1), hashtext($2)) as "isOurs"',
    ['backup', folder],
  );
  if (!rows[0]?.isOurs) throw new CannotStart(`Another backup is being written to ${folder}.`);
}

/** Writes it, reads all of it again, and only then gives it its name; where that fails, nothing stays. */
async function makeWhole(
  database: OneConnection,
  archive: ArchiveWriter,
  options: Pick<BackupOptions, 'files' | 'passphrase' | 'secretKeyPath'>,
): Promise<BackupReport> {
  try {
    const written = await write(database, archive, options);
    const found = await verifyBackup(archive.unfinished, options.passphrase);
    // With the connection the claim would be lost, and the folder might be another's by now.
    await database.client.query('select 1');
    await archive.finish();
    return { ...found, ...written };
  } catch (error) {
    // Why it failed says more than that the rest of it stays.
    await archive.giveUp().catch(() => {});
    throw error;
  }
}

async function write(
  database: OneConnection,
  archive: ArchiveWriter,
  { files, passphrase, secretKeyPath }: Pick<BackupOptions, 'files' | 'passphrase' | 'secretKeyPath'>,
): Promise<Pick<BackupReport, 'lost' | 'madeAt'>> {
  const { client } = database;
  await client.query('begin isolation level repeatable read read only');
  const migration = await newestMigration(client);
  if (!migration) throw new CannotStart('The database has no tables yet: there is nothing to back up.');
  const { rows: times } = await client.query<{ now: Date }>('select now()');
  const tables = await writeTables(client, archive);
  const jobs = await writeJobs(client, archive);
  const wanted = await liveOriginals(client);
  await client.query('commit');
  const { originals, erased, lost } = await writeOriginals(database, archive, files, wanted);
  const secretKey = passphrase === null ? undefined : await writeSecretKey(archive, secretKeyPath);
  const madeAt = times[0]?.now ?? new Date();
  const manifest: Manifest = {
    product: 'footnote',
    format: 1,
    madeAt: madeAt.toISOString(),
    migration,
    tables,
    originals,
    jobs,
    ...(secretKey && { secretKey }),
    erased,
  };
  await archive.write('manifest.json', Readable.from([Buffer.from(JSON.stringify(manifest))]));
  return { lost, madeAt };
}

/**
 * Reads a backup to its end.
 * @throws CannotStart at the first entry that is absent, can't be opened or is not what was written
 */
export async function verifyBackup(
  folder: string,
  passphrase: string | null,
): Promise<Omit<BackupReport, 'lost' | 'madeAt'>> {
  const archive = await openArchive(folder, passphrase);
  const manifest = await readManifest(archive);
  let rows = 0;
  for (const each of manifest.tables) {
    const found = await countRows(await archive.read(each, { packed: true }));
    if (found !== each.rows) throw new CannotStart(`${each.name} in the backup has not all of its rows.`);
    rows += each.rows;
  }
  const others = [manifest.jobs, ...(manifest.secretKey ? [manifest.secretKey] : [])];
  for (const each of [...others, ...manifest.originals]) await drain(await archive.read(each));
  const entries: Entry[] = [...manifest.tables, ...manifest.originals, ...others];
  return {
    tables: manifest.tables.length,
    rows,
    originals: manifest.originals.length,
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** @throws CannotStart where the folder holds no backup of ours */
export async function readManifest(archive: ArchiveReader): Promise<Manifest> {
  const parsed = manifestSchema.safeParse(jsonIn(await archive.text('manifest.json')));
  if (!parsed.success) throw new CannotStart('This is no backup that this version can read.');
  return parsed.data;
}

/** Undefined where a disk has kept a part of it alone. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeTables(client: pg.Client, archive: ArchiveWriter): Promise<Manifest['tables']> {
  const written: Manifest['tables'] = [];
  for (const each of await tablesIn(client)) {
    const rows = copyOut(client, { ...each, schema });
    const entry = await archive.write(`tables/${each.table}.copy`, rows, { packed: true });
    written.push({ ...entry, ...each, rows: rows.rowCount });
  }
  return written;
}

async function writeJobs(client: pg.Client, archive: ArchiveWriter): Promise<Entry> {
  const jobs = await waitingJobs(drizzle(client));
  return archive.write('jobs.json', Readable.from([Buffer.from(JSON.stringify(jobs))]));
}

async function writeSecretKey(archive: ArchiveWriter, path: string): Promise<Entry | undefined> {
  const key = await readFile(path).catch(() => null);
  return key ? archive.write('secret.key', Readable.from([key])) : undefined;
}

/** Those of the documents that nobody has deleted; each key once. */
async function liveOriginals(client: pg.Client): Promise<Original[]> {
  const { rows } = await client.query<Original>(`
    select distinct on (object_key) object_key as key, sha256, document_id as "documentId"
    from versions join documents on documents.id = document_id and documents.company_id = versions.company_id
    where deleted_at is null order by object_key`);
  return rows;
}

async function writeOriginals(
  { client, mustStand }: OneConnection,
  archive: ArchiveWriter,
  files: Pick<FileStore, 'get'>,
  wanted: readonly Original[],
): Promise<{ originals: Manifest['originals']; erased: string[]; lost: string[] }> {
  const originals: Manifest['originals'] = [];
  const erased = new Set<string>();
  const lost: string[] = [];
  for (const { key, sha256, documentId } of wanted) {
    if (erased.has(documentId)) continue;
    mustStand();
    const content = await files.get(key).catch((error) => {
      if (error instanceof FileAbsent) return null;
      throw error;
    });
    if (!content) {
      if (await isDeleted(client, documentId)) erased.add(documentId);
      else lost.push(key);
      continue;
    }
    const entry = await archive.write(`originals/${key}`, content);
    originals.push({ ...entry, key });
    if (entry.sha256 !== sha256) lost.push(key);
  }
  return { originals, erased: [...erased], lost };
}

/** By now, not when the rows were read. */
async function isDeleted(client: pg.Client, documentId: string): Promise<boolean> {
  const { rows } = await client.query('select 1 from documents where id = $1 and deleted_at is null', [documentId]);
  return rows.length === 0;
}

async function drain(content: Readable): Promise<void> {
  for await (const _ of content);
}
