import type { Database, Tx } from '#server/db/db.ts';
import { eq, inArray } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData } from '#server/jobs/registry.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { shareSearchTable } from '../locks.ts';
import type { SearchUpkeep } from '../processing/search-upkeep.ts';
import { holdTrees } from '../trees.ts';

/** Documents that one job tells the search table of. */
const toldAtOnce = 1000;

/**
 * Puts documents into a collection, a mail with everything that was attached to it, at whatever depth.
 * @param tx holds the company's names: no attachment is made meanwhile
 * @param collectionId null: the company's own
 * @returns all that is there now
 */
export async function moveTrees(
  tx: Tx,
  jobs: Jobs,
  companyId: string,
  ids: readonly string[],
  collectionId: string | null,
): Promise<string[]> {
  const moved = await holdTrees(tx, companyId, ids);
  await tx.update(documents).set({ collectionId }).where(inArray(documents.id, moved));
  await tellSearch(tx, jobs, companyId, moved);
  return moved;
}

/** Has the search table told, after the commit, where these documents are. */
export async function tellSearch(tx: Tx, jobs: Jobs, companyId: string, ids: readonly string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += toldAtOnce)
    await jobs.enqueue(tx, 'move-in-search', { companyId, documentIds: ids.slice(i, i + toldAtOnce) });
}

/**
 * Has the search table say in which collection documents are, as the database says. Until then people miss there what
 * has just come to them, and nobody finds what has gone: the database is asked about each passage.
 */
export function createMoveInSearch({
  db,
  jobs,
  search,
  optimizeAfterSeconds,
}: { db: Database; jobs: Jobs; search: SearchStore } & Pick<SearchUpkeep, 'optimizeAfterSeconds'>) {
  return async function moveInSearch({ companyId, documentIds }: JobData<'move-in-search'>): Promise<void> {
    await db.asCompany(companyId, async (tx) => {
      await shareSearchTable(tx, companyId);
      // Held, so that of two moves the first can't be told last.
      const there = await tx
        .select({ id: documents.id, collectionId: documents.collectionId })
        .from(documents)
        .where(inArray(documents.id, documentIds))
        .orderBy(documents.id)
        .for('share');
      for (const [collectionId, some] of Map.groupBy(there, (each) => each.collectionId))
        await search.move(
          companyId,
          some.map(({ id }) => id),
          collectionId,
        );
      // What was rewritten is looked through row by row until it is folded into the index again.
      const upkeep = { singletonKey: companyId, startAfterSeconds: optimizeAfterSeconds };
      if (there.length > 0) await jobs.enqueue(tx, 'optimize-search', { companyId }, upkeep);
    });
  };
}

/** In which collection a document is now; null: the company's own. */
export async function collectionOf(tx: Tx, documentId: string): Promise<string | null> {
  const [row] = await tx
    .select({ collectionId: documents.collectionId })
    .from(documents)
    .where(eq(documents.id, documentId));
  return row?.collectionId ?? null;
}
