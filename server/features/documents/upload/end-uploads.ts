import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, inArray, isNull } from '#server/db/drizzle.ts';
import { uploads } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData } from '#server/jobs/registry.ts';
import type { FileStore, UnfinishedFiles } from '#server/ports/files/port.ts';
import { nameKey } from '../names.ts';
import { type FinishedUploads, isUnderWay } from './finished-uploads.ts';
import { objectKey, type UploadsUnderWay } from './under-way.ts';

interface EndUploadsDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  bytes: UnfinishedFiles;
  underWay: UploadsUnderWay;
  finished: Pick<FinishedUploads, 'findAlsoDeleted'>;
}

/** How uploads end that become no document. */
export type EndUploads = ReturnType<typeof createEndUploads>;

export function createEndUploads({ db, jobs, files, bytes, underWay, finished }: EndUploadsDeps) {
  const { find, tell } = underWay;

  /** Removes an unfinished upload. A finished one is a document, and stays. */
  async function giveUp(companyId: string, uploadId: string): Promise<void> {
    await db.asCompany(companyId, async (tx) => {
      const removed = await tx.delete(uploads).where(isUnderWay(uploadId)).returning({ id: uploads.id });
      if (removed.length === 0) throw new AppError('upload-not-found');
      await tell(tx, companyId, uploadId);
    });
    await erase({ companyId, uploadId }).catch(async (error) => {
      if (!(error instanceof AppError)) throw error;
      // A store that fails: what is ended is erased when it answers.
      await db.asCompany(companyId, (tx) => jobs.enqueue(tx, 'erase-upload', { companyId, uploadId }));
    });
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
    await bytes.remove({ companyId, uploadId });
    await files.delete(objectKey(companyId, uploadId));
  }

  /** Removes every upload of a company that ends, finished or not, with bytes that are no document's yet. */
  async function eraseAll(companyId: string): Promise<void> {
    const all = await db.asCompany(companyId, (tx) =>
      tx.select({ id: uploads.id, documentId: uploads.documentId }).from(uploads),
    );
    for (const { id, documentId } of all) {
      if (documentId === null) await bytes.remove({ companyId, uploadId: id });
      await db.asCompany(companyId, (tx) => tx.delete(uploads).where(eq(uploads.id, id)));
    }
  }

  return { giveUp, endReplacing, erase, eraseAll };
}
