import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, isNotNull, isNull } from '#server/db/drizzle.ts';
import { documents, uploads, versions } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import { type Format, formats } from '#server/features/ingestion/document.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { accessChanged } from '../collections/access-changed.ts';
import { moveTrees } from '../collections/moving.ts';
import { ownNames } from '../locks.ts';
import { placeVersion } from './place-version.ts';

/** The version that a finished upload became, or that had the very same content already. */
export interface UploadedVersion {
  documentId: string;
  version: number;
  /** The document's name: of one that was to be kept beside another, a further one. */
  name: string;
  /** Nothing new was made: the newest version of the name has this content. */
  unchanged?: true;
}

/** An upload whose bytes are in the object store. */
export interface StoredUpload {
  id: string;
  size: number;
  sha256: string;
  objectKey: string;
  /** Absent where its content is not what its name promises: reading it says so. */
  format?: Format | undefined;
}

/** What uploads become. */
export type FinishedUploads = ReturnType<typeof createFinishedUploads>;

export function createFinishedUploads({ db, jobs, files }: { db: Database; jobs: Jobs; files: FileStore }) {
  /**
   * Makes the upload a version, or finds that its content is there, in one transaction.
   * Of several that do so at once, one makes it and the others answer the same.
   * @throws AppError `upload-not-found` for one that was given up meanwhile
   */
  async function makeVersion(by: AuditActor, upload: StoredUpload): Promise<UploadedVersion> {
    const { companyId } = by;
    const made = await db.asCompany(companyId, async (tx) => {
      await ownNames(tx, companyId);
      const [mine] = await tx.delete(uploads).where(isUnderWay(upload.id)).returning();
      if (!mine) return null;
      const { size, sha256, objectKey } = upload;
      const placed = await placeVersion(
        tx,
        jobs,
        companyId,
        {
          name: mine.name,
          mediaType: upload.format ? formats[upload.format].mediaType : 'application/octet-stream',
          size,
          sha256,
          objectKey,
          uploadId: upload.id,
          uploadedBy: mine.userId,
        },
        { parentId: null, collectionId: mine.collectionId, mayReplace: () => mine.ifExists === 'replace' },
      );
      const { documentId, version, name } = placed;
      await moveToChosen(tx, { db, jobs }, companyId, { documentId, collectionId: mine.collectionId });
      // The row of the upload goes, that of the document comes.
      await db.notify(tx, 'files', { companyId, documentId: upload.id });
      await db.notify(tx, 'files', { companyId, documentId });
      if (placed.unchanged) {
        // Kept, so that a client that has lost the reply can still ask for it.
        await tx.insert(uploads).values({ ...mine, documentId, version });
        // Before the end: afterwards nothing would name these bytes. The version has its own.
        await files.delete(objectKey);
      } else {
        await audit(tx, { action: 'file-uploaded', by, target: name, details: { version, size } });
      }
      return { documentId, version, name, ...(placed.unchanged && { unchanged: true as const }) };
    });
    if (made) return made;
    const done = await find(companyId, upload.id);
    if (done) return answerOf(done);
    // Given up while its bytes were being stored: no version will ever name them.
    await files.delete(upload.objectKey);
    throw new AppError('upload-not-found');
  }

  /** The version that it became. @throws AppError `upload-not-found` */
  async function result(companyId: string, uploadId: string): Promise<UploadedVersion> {
    const done = await find(companyId, uploadId);
    if (!done) throw new AppError('upload-not-found');
    return answerOf(done);
  }

  async function find(companyId: string, uploadId: string) {
    const version = await findAlsoDeleted(companyId, uploadId);
    return version?.deletedAt ? null : version;
  }

  /** The same, of a deleted document, too. */
  async function findAlsoDeleted(companyId: string, uploadId: string) {
    return db.asCompany(companyId, async (tx) => {
      const [same] = await tx
        .select({ documentId: uploads.documentId, version: uploads.version })
        .from(uploads)
        .where(and(eq(uploads.id, uploadId), isNotNull(uploads.documentId)));
      const [version] = await tx
        .select({
          documentId: versions.documentId,
          version: versions.version,
          name: documents.name,
          size: versions.size,
          uploadedAt: versions.uploadedAt,
          deletedAt: documents.deletedAt,
        })
        .from(versions)
        .innerJoin(documents, and(eq(documents.companyId, versions.companyId), eq(documents.id, versions.documentId)))
        .where(
          same?.documentId && same.version
            ? and(eq(versions.documentId, same.documentId), eq(versions.version, same.version))
            : eq(versions.uploadId, uploadId),
        );
      return version ? { ...version, unchanged: same !== undefined } : null;
    });
  }

  return { makeVersion, result, find, findAlsoDeleted };
}

/** Where another collection was chosen for it than that of the file that it replaces. */
async function moveToChosen(
  tx: Tx,
  { db, jobs }: { db: Database; jobs: Jobs },
  companyId: string,
  { documentId, collectionId }: { documentId: string; collectionId: string | null },
): Promise<void> {
  if (collectionId === null) return;
  const [there] = await tx
    .select({ collectionId: documents.collectionId, parentId: documents.parentId })
    .from(documents)
    .where(eq(documents.id, documentId));
  // An attachment is where its mail is.
  if (!there || there.parentId !== null || there.collectionId === collectionId) return;
  const moved = await moveTrees(tx, jobs, companyId, [documentId], collectionId);
  for (const id of moved) await db.notify(tx, 'files', { companyId, documentId: id });
  await accessChanged(tx, { db, jobs }, companyId);
}

function answerOf({
  documentId,
  version,
  name,
  unchanged,
}: Omit<UploadedVersion, 'unchanged'> & { unchanged: boolean }) {
  return { documentId, version, name, ...(unchanged && { unchanged: true as const }) };
}

/** Of a row of uploads: it is not finished. */
export function isUnderWay(uploadId: string) {
  return and(eq(uploads.id, uploadId), isNull(uploads.documentId));
}
