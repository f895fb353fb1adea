import type { CompanyFile } from '#contract/calls/documents.ts';
import type { Database, Reader, Tx } from '#server/db/db.ts';
import { and, asc, eq, inArray, isNull } from '#server/db/drizzle.ts';
import { documents, versions } from '#server/db/schema.ts';
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
      const found = await rows(tx);
      // One that was finished between the two reads is listed once.
      const finished = new Set(found.map(({ versions: { uploadId } }) => uploadId));
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
      const [row] = await rows(tx, id);
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

function rows(tx: Tx, documentId?: string) {
  return tx
    .select()
    .from(documents)
    .innerJoin(
      versions,
      and(
        eq(versions.companyId, documents.companyId),
        eq(versions.documentId, documents.id),
        eq(versions.version, documents.newestVersion),
      ),
    )
    .where(and(isNull(documents.deletedAt), documentId === undefined ? undefined : eq(documents.id, documentId)))
    .orderBy(asc(documents.nameKey))
    .limit(50_000);
}

function fileOf(
  companyId: string,
  bucket: string,
  { documents: document, versions: version }: Awaited<ReturnType<typeof rows>>[number],
): CompanyFile {
  return {
    id: document.id,
    name: document.name,
    path: filePath(companyId, document.name),
    bucket,
    state: version.state,
    ...(version.progressTotal !== null &&
      version.state === 'processing' && {
        progress: { done: version.progressDone ?? 0, total: version.progressTotal },
      }),
    ...(version.reason !== null && { reason: version.reason }),
    ...(document.parentId !== null && { attachedTo: document.parentId }),
    ...(document.collectionId !== null && { collectionId: document.collectionId }),
    ...(version.pages !== null && { pages: version.pages }),
    version: version.version,
    ...(document.currentVersion !== null && { currentVersion: document.currentVersion }),
    size: version.size,
    uploadedAt: version.uploadedAt.toISOString(),
    uploadedBy: version.uploadedBy,
    tags: document.tags,
    ...(version.planted && version.planted.length > 0 && { planted: version.planted }),
  };
}
