import type { Readable } from 'node:stream';
import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { uploads } from '#server/db/schema.ts';
import type { AuditActor } from '#server/features/audit/audit.ts';
import { detectFile, detectFormat } from '#server/features/ingestion/detect.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData } from '#server/jobs/registry.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { checkFileName, nameKey } from '../names.ts';
import { createFinishedUploads, isUnderWay, type StoredUpload, type UploadedVersion } from './finished-uploads.ts';
import { maxUnderWay, type Storage } from './storage.ts';
import { digestOf, openUploadBytes } from './upload-bytes.ts';

export interface UploadsDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  /** Folder for the bytes of unfinished uploads. */
  root: string;
  maxBytes: number;
  storage: Storage;
}

/** Who sends a piece. */
export interface Uploader extends AuditActor {
  /**
   * Asked before the last piece makes a version: the bytes may have taken an hour, in which the person may have been
   * removed.
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
export interface UploadUnderWay extends UploadState, UploadedFile {
  id: string;
  userId: string;
}

/** What is uploaded, as its sender says. */
export interface UploadedFile {
  name: string;
  size: number;
  /** Where a file of the name is there: its next version, or a file beside it under the next name that is free. */
  ifExists: 'replace' | 'keep-both';
}

/** Enough bytes to tell a format by its content. */
const headBytes = 4096;

/**
 * Uploads, as the tus protocol needs them: begun, written in pieces, looked at, finished or given up. Every method sees
 * the company's own uploads only; a foreign or unknown id throws AppError `upload-not-found`. Of `begin`, `write`,
 * `state` and `giveUp` only one may run at a time for an upload: the transport holds a lock.
 */
export type Uploads = ReturnType<typeof createUploads>;

export function createUploads({ db, jobs, files, root, maxBytes, storage }: UploadsDeps) {
  const bytes = openUploadBytes(root);
  const finished = createFinishedUploads({ db, jobs, files });

  /**
   * Begins an upload; one that was begun before starts over, one that is finished stays.
   * @throws AppError `invalid-file-name`, `file-empty`, `file-too-large`, `company-storage-full`, `too-many-uploads`,
   * `storage-full`; `upload-not-found` for one whose document has been deleted
   */
  async function begin(
    owner: { companyId: string; userId: string },
    uploadId: string,
    file: UploadedFile,
  ): Promise<void> {
    checkFileName(file.name);
    if (file.size === 0) throw new AppError('file-empty');
    if (file.size > maxBytes) throw new AppError('file-too-large', { details: { maxBytes } });
    const done = await finished.findAlsoDeleted(owner.companyId, uploadId);
    if (done?.deletedAt) throw new AppError('upload-not-found');
    if (done) return;
    await storage.requireDisk(file.size);
    const { companyId } = owner;
    try {
      await bytes.create(uploadId);
      await db.asCompany(companyId, async (tx) => {
        await storage.requireRoom(tx, companyId, { id: uploadId, size: file.size });
        await tx
          .insert(uploads)
          .values({ ...owner, id: uploadId, ...file })
          .onConflictDoNothing();
        await tell(tx, companyId, uploadId);
      });
    } catch (error) {
      if (error instanceof AppError && !(await find(companyId, uploadId))) await bytes.remove(uploadId);
      throw error;
    }
  }

  /**
   * Where the upload stands. A finished one stands at its end; one whose bytes are all here is finished by this, since
   * a client that hears that nothing is missing goes away.
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
    const done = await finished.find(companyId, uploadId);
    if (!done) throw new AppError('upload-not-found');
    return { size: done.size, offset: done.size, createdAt: done.uploadedAt };
  }

  /** The company's uploads under way, or the one with this id, oldest first. */
  async function underWay(tx: Tx, companyId: string, uploadId?: string): Promise<UploadUnderWay[]> {
    const found = await tx
      .select()
      .from(uploads)
      .where(uploadId === undefined ? isNull(uploads.documentId) : isUnderWay(uploadId))
      .orderBy(asc(uploads.createdAt))
      .limit(maxUnderWay);
    return Promise.all(
      found.map(async ({ id, userId, name, size, ifExists, createdAt }) => {
        return { id, userId, name, size, ifExists, createdAt, offset: (await offsetOf(companyId, { id, size })) ?? 0 };
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
    await storage.requireDisk();
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
      const removed = await tx.delete(uploads).where(isUnderWay(uploadId)).returning({ id: uploads.id });
      if (removed.length === 0) throw new AppError('upload-not-found');
      await tell(tx, companyId, uploadId);
    });
    await erase({ companyId, uploadId });
  }

  /**
   * Ends the company's uploads of a name that would replace what has it: it is deleted, and they must not bring it
   * back.
   * @param tx holds the company's names
   * @param key the name as it is compared
   */
  async function endReplacing(tx: Tx, companyId: string, key: string): Promise<void> {
    const replacing = await tx
      .select({ id: uploads.id, name: uploads.name })
      .from(uploads)
      .where(and(isNull(uploads.documentId), eq(uploads.ifExists, 'replace')));
    const ended = replacing.filter(({ name }) => nameKey(name) === key).map(({ id }) => id);
    if (ended.length === 0) return;
    await tx.delete(uploads).where(inArray(uploads.id, ended));
    for (const uploadId of ended) {
      await jobs.enqueue(tx, 'erase-upload', { companyId, uploadId });
      await tell(tx, companyId, uploadId);
    }
  }

  /**
   * Removes the bytes of an upload that was ended, wherever they are; one that was begun anew since then keeps its own.
   */
  async function erase({ companyId, uploadId }: JobData<'erase-upload'>): Promise<void> {
    if (await find(companyId, uploadId)) return;
    if (await finished.findAlsoDeleted(companyId, uploadId)) return;
    await bytes.remove(uploadId);
    await files.delete(objectKey(companyId, uploadId));
  }

  /** Removes every upload of a company that ends, finished or not, with bytes that are no document's yet. */
  async function eraseAll(companyId: string): Promise<void> {
    const all = await db.asCompany(companyId, (tx) => tx.select({ id: uploads.id }).from(uploads));
    for (const { id } of all) {
      await bytes.remove(id);
      await db.asCompany(companyId, (tx) => tx.delete(uploads).where(eq(uploads.id, id)));
    }
  }

  /**
   * Makes the finished upload a version of its document. Idempotent by upload id: asked again, it answers the same.
   * @throws AppError `unsupported-format` (the upload is then gone), `storage-full`, `upload-not-found`
   */
  async function finish(by: AuditActor, uploadId: string): Promise<UploadedVersion> {
    const { companyId } = by;
    const upload = await find(companyId, uploadId);
    if (!upload) return finished.result(companyId, uploadId);

    const stored = await store(companyId, upload).catch(async (error: unknown) => {
      // Its bytes went while they were being stored: it was ended by a deletion.
      const isOurs = error instanceof AppError;
      if (!isOurs && !(await find(companyId, uploadId))) throw new AppError('upload-not-found', { cause: error });
      throw error;
    });
    return finished.makeVersion(by, stored);
  }

  /** Brings the bytes into the object store, before any row: a version never points at bytes that are not there. */
  async function store(companyId: string, { id, name, size }: UploadedFile & { id: string }): Promise<StoredUpload> {
    const key = objectKey(companyId, id);
    const here = await bytes.size(id);
    if (here === null) return { id, size, objectKey: key, sha256: await digestOf(await files.get(key)) };
    if (here !== size) throw new AppError('upload-not-found');
    const detected = await detectFile(bytes.path(id), name);
    if ('refused' in detected) {
      await giveUp(companyId, id);
      throw new AppError('unsupported-format', { message: detected.refused });
    }
    const sha256 = await bytes.digest(id);
    await files.putFile(key, bytes.path(id));
    // What its name promises and it is not becomes a file that could not be read: its owner sees it, and can replace
    // it.
    return { id, size, objectKey: key, sha256, ...('format' in detected && { format: detected.format }) };
  }

  async function find(companyId: string, uploadId: string) {
    const [upload] = await db.asCompany(companyId, (tx) => tx.select().from(uploads).where(isUnderWay(uploadId)));
    return upload ?? null;
  }

  /** Bytes that are here of one under way; null when they are lost. */
  async function offsetOf(companyId: string, { id, size }: { id: string; size: number }): Promise<number | null> {
    const here = await bytes.size(id);
    if (here !== null) return here;
    // In the object store already, but the process died before the transaction: they are all there.
    return (await files.list(objectKey(companyId, id))).length > 0 ? size : null;
  }

  /** An upload is a row of the list of files, too, under its own id. */
  function tell(tx: Tx, companyId: string, documentId: string): Promise<void> {
    return db.notify(tx, 'files', { companyId, documentId });
  }

  return { begin, state, underWay, write, giveUp, endReplacing, erase, eraseAll, finish, result: finished.result };
}

/** The same key whoever finishes the upload, however often: storing again replaces the same bytes. */
export function objectKey(companyId: string, uploadId: string): string {
  return `${companyId}/${uploadId}`;
}
