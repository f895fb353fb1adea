import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { requireFeature } from '#contract/permissions.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, inArray, isNull } from '#server/db/drizzle.ts';
import { collections, documents, uploads } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData } from '#server/jobs/registry.ts';
import { ownCollections, ownNames } from '../locks.ts';
import { accessChanged } from './access-changed.ts';
import { companyName } from './list.ts';
import { moveTrees, tellSearch } from './moving.ts';
import type { By } from './whom.ts';

/** Documents whose move is told one by one; of more, everybody reads the list anew. */
const toldOneByOne = 100;

interface Deps {
  db: Database;
  jobs: Jobs;
  moveInSearch: (moved: JobData<'move-in-search'>) => Promise<void>;
}

/** Brings documents from one collection to another. Each move is in effect with its commit, in open streams, too. */
export function createMoves(deps: Deps) {
  const { db, jobs, moveInSearch } = deps;

  /**
   * @throws AppError `collection-not-found`, also for the one to move to; `company-collection`, `feature-not-in-plan`
   */
  async function remove(by: By, { collectionId, moveTo }: ParsedInput<'deleteCollection'>): Promise<void> {
    const { companyId } = by;
    if (collectionId === companyId) throw new AppError('company-collection');
    if (collectionId.toLowerCase() === moveTo.toLowerCase()) throw new AppError('collection-not-found');
    await db.asCompany(companyId, async (tx) => {
      await ownNames(tx, companyId);
      await ownCollections(tx, companyId);
      const target = await requireTarget(tx, by, moveTo);
      const isIn = eq(documents.collectionId, collectionId);
      // In the order in which answers hold what they come from.
      await tx.select({ id: documents.id }).from(documents).where(isIn).orderBy(documents.id).for('no key update');
      const moved = await tx
        .update(documents)
        .set({ collectionId: target })
        .where(isIn)
        .returning({ id: documents.id });
      await tx.update(uploads).set({ collectionId: target }).where(eq(uploads.collectionId, collectionId));
      const [gone] = await tx.delete(collections).where(eq(collections.id, collectionId)).returning();
      if (!gone) throw new AppError('collection-not-found');
      await tellSearch(
        tx,
        jobs,
        companyId,
        moved.map(({ id }) => id),
      );
      await accessChanged(tx, deps, companyId, { everybody: true });
      await audit(tx, { action: 'collection-deleted', by, target: gone.name, details: { documents: moved.length } });
    });
  }

  /** @throws AppError `file-not-found`, `collection-not-found`, `moves-with-mail`, `feature-not-in-plan` */
  async function move(by: By, { documentIds, collectionId }: ParsedInput<'moveDocuments'>): Promise<void> {
    const { companyId } = by;
    const wanted = [...new Set(documentIds.map((id) => id.toLowerCase()))];
    const moved = await db.asCompany(companyId, async (tx) => {
      await ownNames(tx, companyId);
      const target = await requireTarget(tx, by, collectionId);
      const there = await tx
        .select({ id: documents.id, parentId: documents.parentId })
        .from(documents)
        .where(and(inArray(documents.id, wanted), isNull(documents.deletedAt)));
      if (there.length < wanted.length) throw new AppError('file-not-found');
      const chosen = new Set(wanted);
      const roots = there.filter(({ parentId }) => parentId === null || !chosen.has(parentId));
      if (roots.some(({ parentId }) => parentId !== null)) throw new AppError('moves-with-mail');
      const ids = await moveTrees(
        tx,
        jobs,
        companyId,
        roots.map(({ id }) => id),
        target,
      );
      const many = ids.length > toldOneByOne;
      if (!many) for (const documentId of ids) await db.notify(tx, 'files', { companyId, documentId });
      await accessChanged(tx, deps, companyId, { everybody: many });
      const [to] = await tx
        .select({ name: collections.name })
        .from(collections)
        .where(eq(collections.id, collectionId));
      const details = { documents: ids.length, collectionId };
      await audit(tx, { action: 'files-moved', by, target: to?.name ?? companyName, details });
      return ids;
    });
    // The job does so, too: who asks has it found as soon as this returns.
    await moveInSearch({ companyId, documentIds: moved });
  }

  return { remove, move };
}

/**
 * Where documents are moved to. What is kept from people is kept from them by the plan: without it documents can still
 * be brought to where everyone sees them.
 * @throws AppError `collection-not-found`, `feature-not-in-plan`
 */
async function requireTarget(tx: Tx, by: By, collectionId: string): Promise<string | null> {
  const target = await requireCollection(tx, by.companyId, collectionId);
  if (target.access === 'restricted') requireFeature(by.entitlements, 'collections');
  return target.id;
}

/**
 * Holds the collection, so that it is not removed before the transaction ends.
 * @returns its id, null for the company's own
 * @throws AppError `collection-not-found`
 */
export async function requireCollection(
  tx: Tx,
  companyId: string,
  collectionId: string,
): Promise<{ id: string | null; access: 'everyone' | 'restricted' }> {
  if (collectionId.toLowerCase() === companyId) return { id: null, access: 'everyone' };
  const [known] = await tx
    .select({ id: collections.id, access: collections.access })
    .from(collections)
    .where(eq(collections.id, collectionId))
    .for('key share');
  if (!known) throw new AppError('collection-not-found');
  return known;
}
