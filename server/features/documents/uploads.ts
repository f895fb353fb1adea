import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { documents, uploads, versions } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import { detectFile, detectFormat } from '#server/features/ingestion/detect.ts';
import { formats } from '#server/features/ingestion/document.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { checkFileName, nameKey } from './names.ts';
import { digestOf, openUploadBytes } from './upload-bytes.ts';

export interface UploadsDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  /** Folder for the bytes of unfinished uploads. */
  root: string;
  maxBytes: number;
}

/** Who sends a piece. */
export interface Uploader extends AuditActor {
  /**
   * Asked before the last piece makes a version: the bytes may have taken an hour, in which the person may have been removed.
   * @throws AppError when the person may not go on
   */
  authenticateAgain: () => Promise<unknown>;
}

export interface UploadState {
  size: number;
  /** Bytes that are here. */
  offset: number;
  createdAt: Date;
}

/** One that is not finished. */
export interface UploadUnderWay extends UploadState {
  id: string;
  name: string;
}

/** The version that a finished upload became. */
export interface UploadedVersion {
  documentId: string;
  version: number;
}

/** Enough bytes to tell a format by its content. */
const headBytes = 4096;
/** More than these nobody looks through; each costs a look at the disk. */
const mostListed = 1000;

/**
 * Uploads, as the tus protocol needs them: begun, written in pieces, looked at, finished or given up. Every method sees
 * the company's own uploads only; a foreign or unknown id throws AppError `upload-not-found`. Of `begin`, `write`,
 * `state` and `giveUp` only one may run at a time for an upload: the transport holds a lock.
 */
export type Uploads = ReturnType<typeof createUploads>;

export function createUploads({ db, jobs, files, root, maxBytes }: UploadsDeps) {
  const bytes = openUploadBytes(root);

  /**
   * Begins an upload; one that was begun before starts over, one that is finished stays.
   * @throws AppError `invalid-file-name`, `file-empty`, `file-too-large`, `storage-full`; `upload-not-found` for one whose
   * document has been deleted
   */
  async function begin(
    owner: { companyId: string; userId: string },
    uploadId: string,
    file: { name: string; size: number },
  ): Promise<void> {
    checkFileName(file.name);
    if (file.size === 0) throw new AppError('file-empty');
    if (file.size > maxBytes) throw new AppError('file-too-large', { details: { maxBytes } });
    const done = await versionOf(owner.companyId, uploadId);
    if (done?.deletedAt) throw new AppError('upload-not-found');
    if (done) return;
    await bytes.create(uploadId);
    await db.asCompany(owner.companyId, async (tx) => {
      await tx
        .insert(uploads)
        .values({ ...owner, id: uploadId, ...file })
        .onConflictDoNothing();
      await tell(tx, owner.companyId, uploadId);
    });
  }

  /**
   * Where the upload stands. A finished one stands at its end; one whose bytes are all here is finished by this, since a
   * client that hears that nothing is missing goes away.
   */
  async function state(by: AuditActor, uploadId: string): Promise<UploadState> {
    const { companyId } = by;
    const upload = await find(companyId, uploadId);
    if (upload) {
      const offset = await offsetOf(companyId, upload);
      if (offset === null) throw new AppError('upload-not-found');
      if (offset === upload.size) await finish(by, uploadId);
      return { size: upload.size, offset, createdAt: upload.createdAt };
    }
    const done = await finishedVersion(companyId, uploadId);
    if (!done) throw new AppError('upload-not-found');
    return { size: done.size, offset: done.size, createdAt: done.uploadedAt };
  }

  /** The company's uploads under way, or the one with this id, oldest first. */
  async function underWay(tx: Tx, companyId: string, uploadId?: string): Promise<UploadUnderWay[]> {
    const found = await tx
      .select()
      .from(uploads)
      .where(uploadId === undefined ? undefined : eq(uploads.id, uploadId))
      .orderBy(asc(uploads.createdAt))
      .limit(mostListed);
    return Promise.all(
      found.map(async ({ id, name, size, createdAt }) => {
        return { id, name, size, createdAt, offset: (await offsetOf(companyId, { id, size })) ?? 0 };
      }),
    );
  }

  /**
   * Appends a piece; the last one makes the upload a version. What arrives before a cut stays, so that the client goes
   * on from there.
   * @returns the new offset
   * @throws AppError `unsupported-format` (the upload is then gone), `storage-full`
   */
  async function write(by: Uploader, uploadId: string, offset: number, piece: Readable): Promise<number> {
    const { companyId } = by;
    const upload = await find(companyId, uploadId);
    if (!upload) {
      // After the end nothing can be written; an empty piece, or all of it once more, asks for the lost reply.
      piece.resume();
      return (await state(by, uploadId)).offset;
    }
    const end = await bytes.append(uploadId, offset, piece);
    if (end === upload.size) {
      await by.authenticateAgain();
      await finish(by, uploadId);
      return end;
    }
    if (offset < headBytes && end >= headBytes) await refuseUnreadable(companyId, uploadId, upload.name);
    await db.asCompany(companyId, (tx) => tell(tx, companyId, uploadId));
    return end;
  }

  /** What can't be read is refused at its first piece, not after 500 MB. */
  async function refuseUnreadable(companyId: string, uploadId: string, name: string): Promise<void> {
    const detected = detectFormat(await bytes.head(uploadId, headBytes), name);
    if (!('refused' in detected)) return;
    await giveUp(companyId, uploadId);
    throw new AppError('unsupported-format', { message: detected.refused });
  }

  /** Removes an unfinished upload. A finished one is a document, and stays. */
  async function giveUp(companyId: string, uploadId: string): Promise<void> {
    await db.asCompany(companyId, async (tx) => {
      const removed = await tx.delete(uploads).where(eq(uploads.id, uploadId)).returning({ id: uploads.id });
      if (removed.length === 0) throw new AppError('upload-not-found');
      await tell(tx, companyId, uploadId);
    });
    await bytes.remove(uploadId);
  }

  /**
   * Makes the finished upload a version of its document, and enqueues the reading of it, in one transaction.
   * Idempotent by upload id: asked again, it answers the same version.
   */
  async function finish(by: AuditActor, uploadId: string): Promise<UploadedVersion> {
    const { companyId } = by;
    const done = await finishedVersion(companyId, uploadId);
    if (done) return { documentId: done.documentId, version: done.version };
    const upload = await find(companyId, uploadId);
    if (!upload) throw new AppError('upload-not-found');

    const key = objectKey(companyId, uploadId);
    const here = await bytes.size(uploadId);
    if (here !== null && here !== upload.size) throw new AppError('upload-not-found');
    const detected = here === null ? null : await detectFile(bytes.path(uploadId), upload.name);
    if (detected && 'refused' in detected) {
      await giveUp(companyId, uploadId);
      throw new AppError('unsupported-format', { message: detected.refused });
    }
    // Bytes first, then the rows: a version never points at bytes that are not there.
    const sha256 = here === null ? await digestOf(await files.get(key)) : await bytes.digest(uploadId);
    if (here !== null) await files.putFile(key, bytes.path(uploadId));

    return db.asCompany(companyId, async (tx) => {
      // Two processes may finish the same upload at once; the row decides which of them makes the version.
      const [mine] = await tx.delete(uploads).where(eq(uploads.id, uploadId)).returning({ userId: uploads.userId });
      if (!mine) return result(companyId, uploadId);
      const [document] = await tx
        .insert(documents)
        .values({ companyId, id: randomUUID(), name: upload.name, nameKey: nameKey(upload.name), newestVersion: 1 })
        .onConflictDoUpdate({
          target: [documents.companyId, documents.nameKey],
          targetWhere: isNull(documents.deletedAt),
          set: { newestVersion: sql`${documents.newestVersion} + 1` },
        })
        .returning({ id: documents.id, version: documents.newestVersion });
      if (!document) throw new Error('the document was neither inserted nor updated');
      const version = { companyId, documentId: document.id, version: document.version };
      await tx.insert(versions).values({
        ...version,
        state: 'queued',
        mediaType: detected ? formats[detected.format].mediaType : 'application/octet-stream',
        size: upload.size,
        sha256,
        objectKey: key,
        uploadId,
        uploadedBy: mine.userId,
      });
      await jobs.enqueue(tx, 'ingest-version', { ...version, attempt: 1 });
      // The row of the upload goes, that of the document comes.
      await tell(tx, companyId, uploadId);
      await tell(tx, companyId, document.id);
      const details = { version: document.version, size: upload.size };
      await audit(tx, { action: 'file-uploaded', by, target: upload.name, details });
      return { documentId: document.id, version: document.version };
    });
  }

  /** The version that an upload became. @throws AppError `upload-not-found` */
  async function result(companyId: string, uploadId: string): Promise<UploadedVersion> {
    const done = await finishedVersion(companyId, uploadId);
    if (!done) throw new AppError('upload-not-found');
    return { documentId: done.documentId, version: done.version };
  }

  async function find(companyId: string, uploadId: string) {
    const [upload] = await db.asCompany(companyId, (tx) => tx.select().from(uploads).where(eq(uploads.id, uploadId)));
    return upload ?? null;
  }

  /** Bytes that are here of one under way; null when they are lost. */
  async function offsetOf(companyId: string, { id, size }: { id: string; size: number }): Promise<number | null> {
    const here = await bytes.size(id);
    if (here !== null) return here;
    // In the object store already, but the process died before the transaction: they are all there.
    return (await files.list(objectKey(companyId, id))).length > 0 ? size : null;
  }

  async function finishedVersion(companyId: string, uploadId: string) {
    const version = await versionOf(companyId, uploadId);
    return version?.deletedAt ? null : version;
  }

  /** The version that it became, of a deleted document, too. */
  async function versionOf(companyId: string, uploadId: string) {
    const [version] = await db.asCompany(companyId, (tx) =>
      tx
        .select({
          documentId: versions.documentId,
          version: versions.version,
          size: versions.size,
          uploadedAt: versions.uploadedAt,
          deletedAt: documents.deletedAt,
        })
        .from(versions)
        .innerJoin(documents, and(eq(documents.companyId, versions.companyId), eq(documents.id, versions.documentId)))
        .where(eq(versions.uploadId, uploadId)),
    );
    return version ?? null;
  }

  /** An upload is a row of the list of files, too, under its own id. */
  function tell(tx: Tx, companyId: string, documentId: string): Promise<void> {
    return db.notify(tx, 'files', { companyId, documentId });
  }

  return { begin, state, underWay, write, giveUp, finish, result };
}

/** The same key whoever finishes the upload, however often: storing again replaces the same bytes. */
export function objectKey(companyId: string, uploadId: string): string {
  return `${companyId}/${uploadId}`;
}
