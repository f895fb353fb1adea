import type { Database, Tx } from '#server/db/db.ts';
import { asc, isNull } from '#server/db/drizzle.ts';
import { uploads } from '#server/db/schema.ts';
import type { FileStore, UnfinishedFiles } from '#server/ports/files/port.ts';
import { isUnderWay } from './finished-uploads.ts';
import { maxUnderWay } from './storage.ts';

export interface UploadState {
  size: number;
  /** Bytes that are here. */
  offset: number;
  createdAt: Date;
}

/** One that is not finished. */
export interface UploadUnderWay extends UploadState, Omit<UploadedFile, 'collection'> {
  id: string;
  collectionId: string | null;
  userId: string;
}

/** What is uploaded, as its sender says. */
export interface UploadedFile {
  name: string;
  size: number;
  /** Where a file of the name is there: its next version, or a file beside it under the next name that is free. */
  ifExists: 'replace' | 'keep-both';
  /** Id of the collection that it is for; absent: the company's own, or where the file is that it replaces. */
  collection?: string | undefined;
}

/** What is known of uploads that are not finished: a row each, and the bytes that are here. */
export type UploadsUnderWay = ReturnType<typeof createUploadsUnderWay>;

export function createUploadsUnderWay({
  db,
  files,
  bytes,
}: {
  db: Database;
  files: FileStore;
  bytes: UnfinishedFiles;
}) {
  /** The company's uploads under way, or the one with this id, oldest first. */
  async function list(tx: Tx, companyId: string, uploadId?: string): Promise<UploadUnderWay[]> {
    const found = await tx
      .select()
      .from(uploads)
      .where(uploadId === undefined ? isNull(uploads.documentId) : isUnderWay(uploadId))
      .orderBy(asc(uploads.createdAt))
      .limit(maxUnderWay);
    const kept = await bytes.sizes(
      tx,
      found.map(({ id }) => id),
    );
    return Promise.all(
      found.map(async ({ documentId: _, version: __, ...upload }) => {
        return { ...upload, offset: kept.get(upload.id) ?? (await offsetStored(companyId, upload)) ?? 0 };
      }),
    );
  }

  async function find(companyId: string, uploadId: string) {
    const [upload] = await db.asCompany(companyId, (tx) => tx.select().from(uploads).where(isUnderWay(uploadId)));
    return upload ?? null;
  }

  /** Bytes that are here of one under way; null when they are lost. */
  async function offsetOf(companyId: string, { id, size }: { id: string; size: number }): Promise<number | null> {
    return (await bytes.size({ companyId, uploadId: id })) ?? (await offsetStored(companyId, { id, size }));
  }

  /** In the object store already, but the process died before the transaction: they are all there. */
  async function offsetStored(companyId: string, { id, size }: { id: string; size: number }): Promise<number | null> {
    return (await files.list(objectKey(companyId, id))).length > 0 ? size : null;
  }

  /** An upload is a row of the list of files, too, under its own id. */
  function tell(tx: Tx, companyId: string, documentId: string): Promise<void> {
    return db.notify(tx, 'files', { companyId, documentId });
  }

  return { list, find, offsetOf, tell };
}

/** The same key whoever finishes the upload, however often: storing again replaces the same bytes. */
export function objectKey(companyId: string, uploadId: string): string {
  return `${companyId}/${uploadId}`;
}
