import type { CompanyFile } from '#contract/calls/documents.ts';
import type { Database, Reader, Tx } from '#server/db/db.ts';
import { and, asc, eq, inArray, isNull, or, type SQL, sql } from '#server/db/drizzle.ts';
import { collectionsSeen, documents, versions } from '#server/db/schema.ts';
import { filePath, nameKey } from './names.ts';
import type { Uploads } from './upload/uploads.ts';

export interface CompanyFilesDeps {
  db: Database;
  uploads: Pick<Uploads, 'underWay'>;
  /** Name of the bucket, as the specification's `gs://` addresses carry it. */
  bucket: string;
}

/** A company's documents, as they are listed and found. Everything reads live rows only. */
export type CompanyFiles = ReturnType<typeof createCompanyFiles>;

export function createCompanyFiles({ db, uploads, bucket }: CompanyFilesDeps) {
  /** All files that the reader sees by name, and before them the uploads under way. */
  function list(reader: Reader): Promise<CompanyFile[]> {
    const { companyId } = reader;
    return db.asActor(reader, async (tx) => {
      const unfinished = await uploading(tx, companyId);
      const found = await rows(tx, await inCollectionsSeen(tx));
      // One that was finished between the two reads is listed once.
      const finished = new Set(found.map(({ upload_id }) => upload_id));
      return [
        ...unfinished.filter(({ id }) => !finished.has(id)),
        ...found.map((row) => fileOf(companyId, bucket, row)),
      ];
    });
  }

  /** One file or upload under way, or null when it is gone, or not for the reader's eyes. */
  function find(reader: Reader, id: string): Promise<CompanyFile | null> {
    const { companyId } = reader;
    return db.asActor(reader, async (tx) => {
      const [row] = await rows(tx, eq(documents.id, id));
      if (row) return fileOf(companyId, bucket, row);
      const [unfinished] = await uploading(tx, companyId, id);
      return unfinished ?? null;
    });
  }

  /** Those of the ids that are no live document that the reader sees. */
  async function gone(reader: Reader, ids: readonly string[]): Promise<string[]> {
    const live = await db.asActor(reader, (tx) =>
      tx
        .select({ id: documents.id })
        .from(documents)
        .where(and(isNull(documents.deletedAt), inArray(documents.id, [...ids]))),
    );
    const known = new Set(live.map(({ id }) => id));
    // The database writes ids in small letters, whoever asks may not.
    return [...new Set(ids)].filter((id) => !known.has(id.toLowerCase()));
  }

  /** Each under its own id, as the version that it will become. */
  async function uploading(tx: Tx, companyId: string, uploadId?: string): Promise<CompanyFile[]> {
    const found = await uploads.underWay(tx, companyId, uploadId);
    if (found.length === 0) return [];
    const keys = found.map(({ name }) => nameKey(name));
    const replaced = await tx
      .select({ key: documents.nameKey, newest: documents.newestVersion })
      .from(documents)
      .where(and(isNull(documents.deletedAt), inArray(documents.nameKey, keys)));
    const newest = new Map(replaced.map((document) => [document.key, document.newest]));
    return found.map(({ id, name, size, ifExists, collectionId, userId, offset, createdAt }) => ({
      id,
      name,
      path: filePath(companyId, name),
      bucket,
      state: 'uploading',
      progress: { done: offset, total: size },
      version: ifExists === 'replace' ? (newest.get(nameKey(name)) ?? 0) + 1 : 1,
      size,
      uploadedAt: createdAt.toISOString(),
      uploadedBy: userId,
      ...(collectionId !== null && { collectionId }),
    }));
  }

  return { list, find, gone };
}

/**
 * What the policies demand of a list anyway, said so that an index helps: a person may see a few thousand of a company's
 * documents, and all of them would be looked through (50,000 take some 20 ms).
 */
async function inCollectionsSeen(tx: Tx): Promise<SQL | undefined> {
  const { rows } = await tx.execute<{ seen: string[] | null }>(sql`select ${collectionsSeen} as seen`);
  const seen = rows[0]?.seen ?? null;
  if (seen === null) return undefined;
  return or(isNull(documents.collectionId), sql`${documents.collectionId} = any(${sql.param(seen)}::uuid[])`);
}

/** A row as the driver has it. */
interface Row extends Record<string, unknown> {
  id: string;
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
}

type Version = typeof versions.$inferSelect;

/**
 * No other columns than a list shows, and as the driver has them: of thousands of rows, converting each column by its
 * declaration takes as long as the database does.
 */
async function rows(tx: Tx, which?: SQL): Promise<Row[]> {
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
    })
    .from(documents)
    .innerJoin(
      versions,
      and(
        eq(versions.companyId, documents.companyId),
        eq(versions.documentId, documents.id),
        eq(versions.version, documents.newestVersion),
      ),
    )
    .where(and(isNull(documents.deletedAt), which))
    .orderBy(asc(documents.nameKey))
    .limit(50_000);
  return (await tx.execute<Row>(query)).rows;
}

function fileOf(companyId: string, bucket: string, row: Row): CompanyFile {
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
  if (row.reason !== null) file.reason = row.reason;
  if (row.parent_id !== null) file.attachedTo = row.parent_id;
  if (row.collection_id !== null) file.collectionId = row.collection_id;
  if (row.pages !== null) file.pages = row.pages;
  if (row.current_version !== null) file.currentVersion = row.current_version;
  if (row.planted && row.planted.length > 0) file.planted = row.planted;
  return file;
}
