import type { Database, Tx } from '#server/db/db.ts';
import { inArray, sql } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import { type Told, tell } from '#server/features/webhooks/outbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { holdTrees } from '../trees.ts';
import { renewExports } from './renew-exports.ts';
import { forgetQuotes } from './stored-quotes.ts';

interface Deps {
  db: Database;
  jobs: Jobs;
}

/** An event for the webhooks. */
export type Deleted = Extract<Told, { type: 'document.deleted' }>;

/**
 * Takes documents away from every reader, and with a mail everything that was attached to it, at whatever depth. What
 * is left of them is erased by jobs that the same transaction enqueues.
 * @param tx holds the company's names: no attachment is made meanwhile
 * @returns which are gone
 */
export async function deleteDocuments(tx: Tx, deps: Deps, companyId: string, ids: string[]): Promise<string[]> {
  const deleted = await takeAway(tx, deps, companyId, ids);
  await tell(tx, deps.jobs, companyId, deleted);
  return deleted.map(({ documentId }) => documentId);
}

/** The same, for who has more to tell: all that a transaction tells is told at once. */
export async function takeAway(tx: Tx, { db, jobs }: Deps, companyId: string, ids: string[]): Promise<Deleted[]> {
  const live = await holdTrees(tx, companyId, ids);
  const deleted = await tx
    .update(documents)
    .set({ deletedAt: sql`now()` })
    .where(inArray(documents.id, live))
    .returning({ id: documents.id, collectionId: documents.collectionId });
  const collectionOf = new Map(deleted.map(({ id, collectionId }) => [id, collectionId]));
  for (const documentId of live) {
    await forgetQuotes(tx, documentId);
    await jobs.enqueue(tx, 'erase-document', { companyId, documentId });
    await db.notify(tx, 'files', { companyId, documentId });
  }
  if (live.length > 0) await renewExports(tx, jobs, companyId);
  return live.map((documentId) => {
    return { type: 'document.deleted', documentId, collectionId: collectionOf.get(documentId) ?? null };
  });
}
