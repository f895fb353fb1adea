import { randomUUID } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, isNull } from '#server/db/drizzle.ts';
import { documents, versions } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { enqueueProcessing } from './processing-queue.ts';

export type Retry = ReturnType<typeof createRetry>;

export function createRetry({ db, jobs }: { db: Database; jobs: Jobs }) {
  /**
   * Reads a failed or partly readable file once more. What was partly readable answers, and is cited, so it stays as it
   * is: reading it again makes a new version of the same bytes.
   * @throws AppError `file-not-found`, `not-retryable`
   */
  return async function retry(by: AuditActor, documentId: string): Promise<void> {
    const { companyId } = by;
    await db.asCompany(companyId, async (tx) => {
      const [document] = await tx
        .select({ name: documents.name, version: documents.newestVersion })
        .from(documents)
        .where(and(eq(documents.id, documentId), isNull(documents.deletedAt)))
        // Of several people who ask at once, the others find it waiting.
        .for('update');
      if (!document) throw new AppError('file-not-found');
      const retried = await readAgain(tx, documentId, document.version);
      await enqueueProcessing(tx, jobs, { companyId, documentId, ...retried });
      await audit(tx, { action: 'file-retried', by, target: document.name, details: { version: retried.version } });
      await db.notify(tx, 'files', { companyId, documentId });
    });
  };
}

async function readAgain(tx: Tx, documentId: string, version: number): Promise<{ version: number; attempt: number }> {
  const isNewest = and(eq(versions.documentId, documentId), eq(versions.version, version));
  const [newest] = await tx.select().from(versions).where(isNewest);
  const fresh = { state: 'queued', reason: null, progressDone: null, progressTotal: null, finishedAt: null } as const;
  if (newest?.state === 'failed') {
    const attempt = newest.attempt + 1;
    await tx
      .update(versions)
      .set({ ...fresh, attempt })
      .where(isNewest);
    return { version, attempt };
  }
  if (newest?.state !== 'partial') throw new AppError('not-retryable');
  const next = { version: version + 1, attempt: 1 };
  await tx
    .insert(versions)
    .values({ ...newest, ...fresh, ...next, pages: null, planted: null, uploadId: randomUUID() });
  await tx.update(documents).set({ newestVersion: next.version }).where(eq(documents.id, documentId));
  return next;
}
