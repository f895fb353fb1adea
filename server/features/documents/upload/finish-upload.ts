import { buffer } from 'node:stream/consumers';
import { AppError } from '#contract/errors.ts';
import type { AuditActor } from '#server/features/audit/audit.ts';
import { detectContent } from '#server/features/ingestion/detect.ts';
import { digestOf } from '#server/lib/digest.ts';
import type { FileStore, UnfinishedFiles } from '#server/ports/files/port.ts';
import type { EndUploads } from './end-uploads.ts';
import type { FinishedUploads, StoredUpload, UploadedVersion } from './finished-uploads.ts';
import { objectKey, type UploadedFile, type UploadsUnderWay } from './under-way.ts';

interface FinishUploadDeps {
  files: FileStore;
  bytes: UnfinishedFiles;
  underWay: Pick<UploadsUnderWay, 'find'>;
  finished: FinishedUploads;
  giveUp: EndUploads['giveUp'];
}

export function createFinishUpload({ files, bytes, underWay, finished, giveUp }: FinishUploadDeps) {
  /**
   * Makes the finished upload a version of its document. Idempotent by upload id: asked again, it answers the same.
   * @throws AppError `unsupported-format` (the upload is then gone), `storage-full`, `upload-not-found`
   */
  return async function finish(by: AuditActor, uploadId: string): Promise<UploadedVersion> {
    const { companyId } = by;
    const upload = await underWay.find(companyId, uploadId);
    if (!upload) return finished.result(companyId, uploadId);

    const stored = await store(companyId, upload).catch(async (error: unknown) => {
      // Its bytes went while they were being stored: it was ended by a deletion.
      const isOurs = error instanceof AppError;
      if (!isOurs && !(await underWay.find(companyId, uploadId)))
        throw new AppError('upload-not-found', { cause: error });
      throw error;
    });
    return finished.makeVersion(by, stored);
  };

  /**
   * Brings the bytes into the object store, before any row: a version never points at bytes that are not there. What
   * they are is told by what lies there, whoever has brought it.
   */
  async function store(companyId: string, { id, name, size }: UploadedFile & { id: string }): Promise<StoredUpload> {
    const key = objectKey(companyId, id);
    const kept = { companyId, uploadId: id };
    const here = await bytes.size(kept);
    if (here !== null && here !== size) throw new AppError('upload-not-found');
    if (here !== null) await bytes.store(kept, key);
    const read = async (start: number, length: number) =>
      buffer(await files.get(key, { start, end: Math.min(start + length, size) - 1 }));
    const detected = await detectContent({ size, read }, name);
    if ('refused' in detected) {
      await giveUp(companyId, id);
      throw new AppError('unsupported-format', { message: detected.refused });
    }
    const sha256 = await digestOf(await files.get(key));
    // What its name promises and it is not becomes a file that could not be read: its owner sees it, and can replace
    // it.
    return { id, size, objectKey: key, sha256, ...('format' in detected && { format: detected.format }) };
  }
}
