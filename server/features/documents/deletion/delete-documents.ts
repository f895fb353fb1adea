import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, inArray, isNull, sql } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { renewExports } from './renew-exports.ts';
import { forgetQuotes } from './stored-quotes.ts';

/**
 * Takes documents away from every reader, and with a mail everything that was attached to it, at whatever depth. What
 * is left of them is erased by jobs that the same transaction enqueues.
 * @param tx holds the company's names: no attachment is made meanwhile
 * @returns which are gone
 */
export async function deleteDocuments(
  tx: Tx,
  { db, jobs }: { db: Database; jobs: Jobs },
  companyId: string,
  ids: string[],
): Promise<string[]> {
  const gone: { id: string; collectionId: string | null }[] = [];
  for (let level = ids; level.length > 0; ) {
    const deleted = await tx
      .update(documents)
      .set({ deletedAt: sql`now()` })
      .where(and(inArray(documents.id, level), isNull(documents.deletedAt)))
      .returning({ id: documents.id, collectionId: documents.collectionId });
    for (const { id } of deleted) {
      await forgetQuotes(tx, id);
      await jobs.enqueue(tx, 'erase-document', { companyId, documentId: id });
      await db.notify(tx, 'files', { companyId, documentId: id });
    }
    gone.push(...deleted);
    level = (await attachedTo(tx, companyId, level)).map(({ id }) => id);
  }
  if (gone.length > 0) await renewExports(tx, jobs, companyId);
  await tell(
    tx,
    jobs,
    companyId,
    gone.map(({ id, collectionId }) => ({ type: 'document.deleted', documentId: id, collectionId })),
  );
  return gone.map(({ id }) => id);
}

/** The live documents that are attached to these themselves. */
export function attachedTo(tx: Tx, companyId: string, ids: string[]) {
  return tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.companyId, companyId), inArray(documents.parentId, ids), isNull(documents.deletedAt)));
}
