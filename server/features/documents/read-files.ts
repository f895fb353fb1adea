import { LRUCache } from 'lru-cache';
import type { CompanyFile } from '#contract/calls/documents.ts';
import type { Tx } from '#server/db/db.ts';
import { and, asc, eq, isNull, type SQL, sql } from '#server/db/drizzle.ts';
import { apiKeys, documents, versions } from '#server/db/schema.ts';
import { filePath } from './names.ts';

const maxListed = 50_000;
/** The longest list: 36 MB. */
const maxKept = maxListed;
const keptMs = 10 * 60_000;
const uuidLength = 36;

/** A file, and the upload that brought it. */
interface ReadFile {
  file: CompanyFile;
  uploadId: string;
}

/** A document, and who wrote its rows last: another one after each change. */
interface Stamped {
  id: string;
  stamp: string;
}

/**
 * Documents with their newest versions, as files. Which of them there are for the reader is asked of the database each
 * time; of those that were listed in the last ten minutes it is asked no more than whether their rows were written
 * again since, and a list of thousands takes a third of the time.
 */
export function createReadFiles(bucket: string) {
  const kept = new LRUCache<string, ReadFile & { stamp: string }>({ max: maxKept, ttl: keptMs, updateAgeOnGet: true });

  /** Those that the transaction sees, by name. */
  async function list(tx: Tx, companyId: string, which?: SQL): Promise<ReadFile[]> {
    const seen = await readStamps(tx, which);
    const found = seen.map((row) => {
      const known = kept.get(row.id);
      return known?.stamp === row.stamp ? known : undefined;
    });
    const unknown = seen.flatMap(({ id }, i) => (found[i] ? [] : [id]));
    if (unknown.length === 0) return found.filter((file) => file !== undefined);
    const all = unknown.length > seen.length / 2;
    const rows = await readRows(tx, all ? which : sql`${documents.id} = any(${sql.param(unknown)}::uuid[])`);
    const read = new Map(rows.map((row) => [row.id, { ...fileOf(companyId, bucket, row), stamp: row.stamp }]));
    for (const [id, file] of read) kept.set(id, file);
    if (all) return [...read.values()];
    // One that was deleted between the two reads is in neither.
    return seen.flatMap(({ id }, i) => found[i] ?? read.get(id) ?? []);
  }

  /** Those that the transaction sees and the condition holds for. */
  async function read(tx: Tx, companyId: string, which: SQL): Promise<ReadFile[]> {
    return (await readRows(tx, which)).map((row) => fileOf(companyId, bucket, row));
  }

  return { list, read };
}

const isNewest = and(
  eq(versions.companyId, documents.companyId),
  eq(versions.documentId, documents.id),
  eq(versions.version, documents.newestVersion),
);

/**
 * While the newest version does not answer it may be written by itself, and its row is looked at as well. Once it does,
 * whatever is written of it writes the document's row, too (`0036_settled_versions.sql`).
 */
const stamp = sql<string>`${documents}.xmin || case when ${documents.currentVersion} = ${documents.newestVersion} then '' else (select ' ' || ${versions}.xmin from ${versions} where ${isNewest}) end`;

/** In one text: the driver would take far longer over thousands of rows. */
async function readStamps(tx: Tx, which?: SQL): Promise<Stamped[]> {
  const live = tx
    .select({ id: documents.id, nameKey: documents.nameKey, stamp: stamp.as('stamp') })
    .from(documents)
    .where(and(isNull(documents.deletedAt), which))
    .orderBy(asc(documents.nameKey))
    .limit(maxListed)
    .as('live');
  const { rows } = await tx.execute<{ stamps: string | null }>(
    sql`select string_agg(${live.id} || ${live.stamp}, ',' order by ${live.nameKey}) as stamps from ${live}`,
  );
  const stamps = rows[0]?.stamps;
  if (!stamps) return [];
  return stamps.split(',').map((each) => ({ id: each.slice(0, uuidLength), stamp: each.slice(uuidLength) }));
}

/** A row as the driver has it. */
interface Row extends Stamped, Record<string, unknown> {
  name: string;
  parent_id: string | null;
  collection_id: string | null;
  current_version: number | null;
  tags: string[];
  version: number;
  state: Version['state'];
  reason: string | null;
  progress_done: number | null;
  progress_total: number | null;
  pages: number | null;
  planted: Version['planted'];
  /** Of 64 bits, which the driver leaves as text. */
  size: string;
  upload_id: string;
  uploaded_at: string;
  uploaded_by: string;
  key_name: string | null;
}

type Version = typeof versions.$inferSelect;

/**
 * No other columns than a list shows, and as the driver has them: of thousands of rows, converting each column by its
 * declaration takes as long as the database does.
 */
async function readRows(tx: Tx, which?: SQL): Promise<Row[]> {
  const query = tx
    .select({
      id: documents.id,
      name: documents.name,
      parentId: documents.parentId,
      collectionId: documents.collectionId,
      currentVersion: documents.currentVersion,
      tags: documents.tags,
      version: versions.version,
      state: versions.state,
      reason: versions.reason,
      progressDone: versions.progressDone,
      progressTotal: versions.progressTotal,
      pages: versions.pages,
      planted: versions.planted,
      size: versions.size,
      uploadId: versions.uploadId,
      uploadedAt: versions.uploadedAt,
      uploadedBy: versions.uploadedBy,
      uploadedByKey: sql`${apiKeys.name}`.as('key_name'),
      stamp: stamp.as('stamp'),
    })
    .from(documents)
    .innerJoin(versions, isNewest)
    .leftJoin(apiKeys, and(eq(apiKeys.companyId, versions.companyId), eq(apiKeys.id, versions.uploadedBy)))
    .where(and(isNull(documents.deletedAt), which))
    .orderBy(asc(documents.nameKey))
    .limit(maxListed);
  return (await tx.execute<Row>(query)).rows;
}

function fileOf(companyId: string, bucket: string, row: Row): ReadFile {
  const file: CompanyFile = {
    id: row.id,
    name: row.name,
    path: filePath(companyId, row.name),
    bucket,
    state: row.state,
    version: row.version,
    size: Number(row.size),
    uploadedAt: new Date(row.uploaded_at).toISOString(),
    uploadedBy: row.uploaded_by,
    tags: row.tags,
  };
  // Not spread, as elsewhere: of thousands of files that is half of the work here.
  if (row.progress_total !== null && row.state === 'processing')
    file.progress = { done: row.progress_done ?? 0, total: row.progress_total };
  if (row.key_name !== null) file.uploadedByKey = row.key_name;
  if (row.reason !== null) file.reason = row.reason;
  if (row.parent_id !== null) file.attachedTo = row.parent_id;
  if (row.collection_id !== null) file.collectionId = row.collection_id;
  if (row.pages !== null) file.pages = row.pages;
  if (row.current_version !== null) file.currentVersion = row.current_version;
  if (row.planted && row.planted.length > 0) file.planted = row.planted;
  return { file, uploadId: row.upload_id };
}
