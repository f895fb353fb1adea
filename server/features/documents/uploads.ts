import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { documents, uploads, versions } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import { detectFile, detectFormat } from '#server/features/ingestion/detect.ts';
import { formats } from '#server/features/ingestion/document.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { checkFileName, nameKey } from './names.ts';

export interface UploadsDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  /** Folder for the bytes of unfinished uploads. */
  root: string;
  maxBytes: number;
}

export interface UploadState {
  size: number;
  /** Bytes that are here. */
  offset: number;
  createdAt: Date;
}

/** The version that a finished upload became. */
export interface UploadedVersion {
  documentId: string;
  version: number;
}

/** Enough bytes to tell a format by its content. */
const headBytes = 4096;

/**
 * Uploads, as the tus protocol needs them: begun, written in pieces, looked at, finished or given up. Every method sees
 * the company's own uploads only; a foreign or unknown id throws AppError `upload-not-found`.
 */
export type Uploads = ReturnType<typeof createUploads>;

export function createUploads({ db, jobs, files, root, maxBytes }: UploadsDeps) {
  const bytesOf = (uploadId: string) => join(root, uploadId);
  // The same key whoever finishes, however often: storing again replaces the same bytes.
  const objectKey = (companyId: string, uploadId: string) => `${companyId}/${uploadId}`;

  /** @throws AppError `invalid-file-name`, `file-empty`, `file-too-large`, `storage-full` */
  async function begin(
    owner: { companyId: string; userId: string },
    uploadId: string,
    file: { name: string; size: number },
  ) {
    checkFileName(file.name);
    if (file.size === 0) throw new AppError('file-empty');
    if (file.size > maxBytes) throw new AppError('file-too-large', { details: { maxBytes } });
    await mkdir(root, { recursive: true, mode: 0o700 });
    await onDisk(async () => (await open(bytesOf(uploadId), 'wx', 0o600)).close());
    await db.asCompany(owner.companyId, (tx) => tx.insert(uploads).values({ ...owner, id: uploadId, ...file }));
  }

  /** Where the upload stands. A finished one stands at its end. */
  async function state(companyId: string, uploadId: string): Promise<UploadState> {
    const upload = await underWay(companyId, uploadId);
    if (!upload) {
      const done = await finishedVersion(companyId, uploadId);
      if (!done) throw new AppError('upload-not-found');
      return { size: done.size, offset: done.size, createdAt: done.uploadedAt };
    }
    const here = await stat(bytesOf(uploadId)).catch(() => null);
    // Promoted, but the process died before the transaction: its bytes are all there.
    if (!here && (await isPromoted(companyId, uploadId))) {
      return { size: upload.size, offset: upload.size, createdAt: upload.createdAt };
    }
    if (!here) throw new AppError('upload-not-found');
    return { size: upload.size, offset: here.size, createdAt: upload.createdAt };
  }

  /**
   * Appends a piece. What arrives before a cut stays, so that the client goes on from there.
   * @returns the new offset
   * @throws AppError `unsupported-format` (the upload is then gone), `storage-full`
   */
  async function write(companyId: string, uploadId: string, offset: number, piece: Readable): Promise<number> {
    const upload = await underWay(companyId, uploadId);
    if (!upload) {
      // After the end nothing can be written; an empty piece asks for the reply to the last one again.
      const { offset: end } = await state(companyId, uploadId);
      return end;
    }
    let written = 0;
    await onDisk(() =>
      pipeline(
        piece,
        async function* (source: AsyncIterable<Buffer>) {
          for await (const bytes of source) {
            written += bytes.length;
            yield bytes;
          }
        },
        createWriteStream(bytesOf(uploadId), { flags: 'r+', start: offset, flush: true }),
      ),
    );
    if (offset < headBytes && (offset + written >= headBytes || offset + written === upload.size)) {
      await refuseUnreadable(companyId, uploadId, upload.name);
    }
    return offset + written;
  }

  /** What can't be read is refused at its first piece, not after 500 MB. */
  async function refuseUnreadable(companyId: string, uploadId: string, name: string): Promise<void> {
    const detected = detectFormat(await readHead(bytesOf(uploadId)), name);
    if (!('refused' in detected)) return;
    await giveUp(companyId, uploadId);
    throw new AppError('unsupported-format', { message: detected.refused });
  }

  /** Removes an unfinished upload. A finished one is a document, and stays. */
  async function giveUp(companyId: string, uploadId: string): Promise<void> {
    const removed = await db.asCompany(companyId, (tx) =>
      tx.delete(uploads).where(eq(uploads.id, uploadId)).returning({ id: uploads.id }),
    );
    if (removed.length === 0) throw new AppError('upload-not-found');
    await rm(bytesOf(uploadId), { force: true });
  }

  /**
   * Makes the finished upload a version of its document, and enqueues the reading of it, in one transaction.
   * Idempotent by upload id: asked again, it answers the same version.
   */
  async function finish(by: AuditActor, uploadId: string): Promise<UploadedVersion> {
    const { companyId } = by;
    const done = await finishedVersion(companyId, uploadId);
    if (done) return { documentId: done.documentId, version: done.version };
    const upload = await underWay(companyId, uploadId);
    if (!upload) throw new AppError('upload-not-found');

    const key = objectKey(companyId, uploadId);
    const path = bytesOf(uploadId);
    const here = await stat(path).catch(() => null);
    if (here && here.size !== upload.size) throw new AppError('upload-not-found');
    const detected = here ? await detectFile(path, upload.name) : null;
    if (detected && 'refused' in detected) {
      await giveUp(companyId, uploadId);
      throw new AppError('unsupported-format', { message: detected.refused });
    }
    // Bytes first, then the rows: a version never points at bytes that are not there.
    const sha256 = here ? await digest(createReadStream(path)) : await digest(await files.get(key));
    if (here) await files.putFile(key, path);

    return db.asCompany(companyId, async (tx) => {
      // Two requests may finish the same upload at once; the row decides which of them makes the version.
      const [mine] = await tx.delete(uploads).where(eq(uploads.id, uploadId)).returning({ userId: uploads.userId });
      if (!mine) {
        const other = await finishedVersion(companyId, uploadId);
        if (!other) throw new AppError('upload-not-found');
        return { documentId: other.documentId, version: other.version };
      }
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
      await db.notify(tx, 'files', { companyId, documentId: document.id });
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

  async function underWay(companyId: string, uploadId: string) {
    const [upload] = await db.asCompany(companyId, (tx) => tx.select().from(uploads).where(eq(uploads.id, uploadId)));
    return upload ?? null;
  }

  async function finishedVersion(companyId: string, uploadId: string) {
    const [version] = await db.asCompany(companyId, (tx) =>
      tx
        .select({
          documentId: versions.documentId,
          version: versions.version,
          size: versions.size,
          uploadedAt: versions.uploadedAt,
        })
        .from(versions)
        .innerJoin(documents, and(eq(documents.companyId, versions.companyId), eq(documents.id, versions.documentId)))
        .where(and(eq(versions.uploadId, uploadId), isNull(documents.deletedAt))),
    );
    return version ?? null;
  }

  async function isPromoted(companyId: string, uploadId: string): Promise<boolean> {
    return (await files.list(objectKey(companyId, uploadId))).length > 0;
  }

  return { begin, state, write, giveUp, finish, result };
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function digest(content: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(content, hash);
  return hash.digest('hex');
}

/** A full disk is told as such: the client waits and goes on when there is room again. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new AppError('storage-full', { cause: error });
    throw error;
  }
}
