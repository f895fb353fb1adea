import type { Readable } from 'node:stream';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database } from '#server/db/db.ts';
import { uploads } from '#server/db/schema.ts';
import type { AuditActor } from '#server/features/audit/audit.ts';
import { detectFormat } from '#server/features/ingestion/detect.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { type FileStore, headBytes, type UnfinishedFiles, type UnfinishedKey } from '#server/ports/files/port.ts';
import { collectionFor } from '../collections/collections.ts';
import { checkFileName } from '../names.ts';
import { createEndUploads } from './end-uploads.ts';
import { createFinishUpload } from './finish-upload.ts';
import { createFinishedUploads } from './finished-uploads.ts';
import type { Storage } from './storage.ts';
import { createUploadsUnderWay, type UploadedFile, type UploadState } from './under-way.ts';

export interface UploadsDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  /** The bytes of those that are not finished. */
  bytes: UnfinishedFiles;
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

/**
 * Uploads, as the tus protocol needs them: begun, written in pieces, looked at, finished or given up. Every method sees
 * the company's own uploads only; a foreign or unknown id throws AppError `upload-not-found`. Of `begin`, `write`,
 * `state` and `giveUp` only one may run at a time for an upload: the transport holds a lock.
 */
export type Uploads = ReturnType<typeof createUploads>;

type Beginner = Pick<Actor, 'companyId' | 'userId' | 'entitlements'>;

export function createUploads({ db, jobs, files, bytes, maxBytes, storage }: UploadsDeps) {
  const underWay = createUploadsUnderWay({ db, files, bytes });
  const { find, offsetOf, tell } = underWay;
  const finished = createFinishedUploads({ db, jobs, files });
  const ends = createEndUploads({ db, jobs, files, bytes, underWay, finished });
  const finish = createFinishUpload({ files, bytes, underWay, finished, giveUp: ends.giveUp });

  /**
   * Begins an upload; one that was begun before starts over, one that is finished stays.
   * @throws AppError `invalid-file-name`, `file-empty`, `file-too-large`, `company-storage-full`, `too-many-uploads`,
   * `storage-full`, `collection-not-found`, `feature-not-in-plan`; `upload-not-found` for one whose document has been
   * deleted
   */
  async function begin(by: Beginner, uploadId: string, { collection, ...file }: UploadedFile): Promise<void> {
    const { companyId, userId, entitlements } = by;
    checkFileName(file.name);
    if (file.size === 0) throw new AppError('file-empty');
    if (file.size > maxBytes) throw new AppError('file-too-large', { details: { maxBytes } });
    const done = await finished.findAlsoDeleted(companyId, uploadId);
    if (done?.deletedAt) throw new AppError('upload-not-found');
    if (done) return;
    await storage.requireDisk(bytes.isLocal ? file.size : 0);
    const key = { companyId, uploadId };
    try {
      await bytes.create(key, file.size);
      await db.asCompany(companyId, async (tx) => {
        await storage.requireRoom(tx, companyId, { id: uploadId, size: file.size });
        const collectionId = await collectionFor(tx, { companyId, entitlements }, collection);
        await tx
          .insert(uploads)
          .values({ companyId, userId, id: uploadId, collectionId, ...file })
          .onConflictDoNothing();
        await tell(tx, companyId, uploadId);
      });
    } catch (error) {
      if (error instanceof AppError && !(await find(companyId, uploadId))) await bytes.remove(key);
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

  /**
   * Appends a piece; the last one makes the upload a version. What arrives before a cut stays, so that the client goes
   * on from there.
   * @returns the new offset
   * @throws AppError `unsupported-format` (the upload is then gone), `storage-full`, `unavailable`, `upload-conflict`
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
    const end = await append({ companyId, uploadId }, offset, piece);
    if (end === upload.size) {
      await by.authenticateAgain();
      await finish(by, uploadId);
      return end;
    }
    if (offset < headBytes && end >= headBytes) await refuseUnreadable(companyId, uploadId, upload.name);
    await db.asCompany(companyId, (tx) => tell(tx, companyId, uploadId));
    return end;
  }

  async function append(key: UnfinishedKey, offset: number, piece: Readable): Promise<number> {
    try {
      return await bytes.append(key, offset, piece);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'upload-conflict')) throw error;
      // Where it was ended meanwhile, by a deletion, nobody names what was just written.
      await ends.erase(key);
      throw (await find(key.companyId, key.uploadId)) ? error : new AppError('upload-not-found', { cause: error });
    }
  }

  /** What can't be read is refused at its first piece, not after 500 MB. */
  async function refuseUnreadable(companyId: string, uploadId: string, name: string): Promise<void> {
    const detected = detectFormat(await bytes.head({ companyId, uploadId }), name);
    if (!('refused' in detected)) return;
    await ends.giveUp(companyId, uploadId);
    throw new AppError('unsupported-format', { message: detected.refused });
  }

  return { begin, state, write, underWay: underWay.list, ...ends, finish, result: finished.result };
}
