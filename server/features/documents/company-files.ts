import type { CompanyFile } from '#contract/calls/documents.ts';
import type { Database, Reader, Tx } from '#server/db/db.ts';
import { and, eq, inArray, isNull, or, type SQL, sql } from '#server/db/drizzle.ts';
import { collectionsSeen, documents } from '#server/db/schema.ts';
import { filePath, nameKey } from './names.ts';
import { createReadFiles } from './read-files.ts';
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
  const files = createReadFiles(bucket);

  /** All files that the reader sees by name, and before them the uploads under way. */
  function list(reader: Reader): Promise<CompanyFile[]> {
    const { companyId } = reader;
    return db.asActor(reader, async (tx) => {
      const unfinished = await uploading(tx, companyId);
      const found = await files.list(tx, companyId, await inCollectionsSeen(tx));
      // One that was finished between the two reads is listed once.
      const finished = new Set(unfinished.length === 0 ? [] : found.map(({ uploadId }) => uploadId));
      return [...unfinished.filter(({ id }) => !finished.has(id)), ...found.map(({ file }) => file)];
    });
  }

  /** One file or upload under way, or null when it is gone, or not for the reader's eyes. */
  function find(reader: Reader, id: string): Promise<CompanyFile | null> {
    const { companyId } = reader;
    return db.asActor(reader, async (tx) => {
      const [row] = await files.read(tx, companyId, eq(documents.id, id));
      if (row) return row.file;
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
 * What the policies demand of a list anyway, said so that an index helps: a person may see a few thousand of a
 * company's documents, and all of them would be looked through (50,000 take some 20 ms).
 */
async function inCollectionsSeen(tx: Tx): Promise<SQL | undefined> {
  const { rows } = await tx.execute<{ seen: string[] | null }>(sql`select ${collectionsSeen} as seen`);
  const seen = rows[0]?.seen ?? null;
  if (seen === null) return undefined;
  return or(isNull(documents.collectionId), sql`${documents.collectionId} = any(${sql.param(seen)}::uuid[])`);
}
