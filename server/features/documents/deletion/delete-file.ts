import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { and, eq, isNull, type SQL } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { ErasureLedger } from '#server/lib/erasure-ledger.ts';
import { ownNames } from '../locks.ts';
import { nameInPath, nameKey } from '../names.ts';
import type { Uploads } from '../upload/uploads.ts';
import { deleteDocuments } from './delete-documents.ts';

export type FileDeletion = ReturnType<typeof createFileDeletion>;

export function createFileDeletion({
  db,
  jobs,
  uploads,
  ledger,
}: {
  db: Database;
  jobs: Jobs;
  uploads: Pick<Uploads, 'endReplacing'>;
  ledger: ErasureLedger;
}) {
  /**
   * Deletes the file at the path, a mail with its attachments. When this resolves no reader, search or answer can see
   * it any more: they all read live rows, and running jobs stop; uploads under way that would have replaced it are
   * ended. What is left of it is erased by jobs that the same transaction enqueues.
   * @throws AppError `file-not-found`
   */
  function remove(by: AuditActor, path: string): Promise<{ name: string }> {
    return removeWhere(by, eq(documents.nameKey, nameKey(nameInPath(by.companyId, path))));
  }

  /** The same by its id. @throws AppError `file-not-found` */
  function removeById(by: AuditActor, documentId: string): Promise<{ name: string }> {
    return removeWhere(by, eq(documents.id, documentId));
  }

  async function removeWhere(by: AuditActor, isMeant: SQL): Promise<{ name: string }> {
    const { companyId } = by;
    const { name, ids } = await db.asCompany(companyId, async (tx) => {
      await ownNames(tx, companyId);
      const [gone] = await tx
        .select({ id: documents.id, name: documents.name, key: documents.nameKey })
        .from(documents)
        .where(and(isMeant, isNull(documents.deletedAt)));
      if (!gone) throw new AppError('file-not-found');
      const ids = await deleteDocuments(tx, { db, jobs }, companyId, [gone.id]);
      const attachments = ids.length - 1;
      await uploads.endReplacing(tx, companyId, gone.key);
      const details = attachments > 0 ? { attachments } : {};
      await audit(tx, { action: 'file-deleted', by, target: gone.name, details });
      return { name: gone.name, ids };
    });
    // Now, since the disk may be lost before the job runs, which notes it as well and is tried again where this fails.
    await ledger.note(ids).catch(() => {});
    return { name };
  }

  return { remove, removeById };
}
