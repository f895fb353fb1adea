import { randomUUID } from 'node:crypto';
import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { requireFeature } from '#contract/permissions.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, ne } from '#server/db/drizzle.ts';
import { collectionGroups, collectionPeople, collections } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { isUuid } from '#server/lib/is-uuid.ts';
import { ownCollections } from '../locks.ts';
import { accessChanged } from './access-changed.ts';
import { companyName } from './list.ts';
import { requireCollection } from './moves.ts';
import { areAmong, type By, comparedName, setWhom } from './whom.ts';

interface Deps {
  db: Database;
  jobs: Jobs;
}

/**
 * Who may see which documents. The database decides (`visible_collections()`); this writes down what it decides by.
 * Each change is in effect with its commit, in streams that are open, too.
 */
export function createCollections(deps: Deps) {
  const { db } = deps;

  /** @throws AppError `collection-name-taken`, `user-not-found`, `group-not-found` */
  function create(by: AuditActor, input: ParsedInput<'createCollection'>): Promise<{ collectionId: string }> {
    const { companyId } = by;
    const { name, access, userIds = [], groupIds = [] } = input;
    const id = randomUUID();
    return db.asCompany(companyId, async (tx) => {
      await requireFreeName(tx, companyId, id, name);
      await tx.insert(collections).values({ companyId, id, name, nameKey: comparedName(name), access });
      await setWhom(tx, companyId, id, { userIds, groupIds });
      await accessChanged(tx, deps, companyId);
      await audit(tx, { action: 'collection-created', by, target: name, details: detailsOf(input) });
      return { collectionId: id };
    });
  }

  /**
   * @throws AppError `collection-not-found`, `company-collection`, `collection-name-taken`, `user-not-found`,
   * `group-not-found`, `feature-not-in-plan`
   */
  function update(by: By, { collectionId, ...input }: ParsedInput<'updateCollection'>) {
    const { companyId } = by;
    const { name, access } = input;
    if (collectionId === companyId) throw new AppError('company-collection');
    return db.asCompany(companyId, async (tx) => {
      await requireFreeName(tx, companyId, collectionId, name);
      if (await letsIn(tx, collectionId, input)) requireFeature(by.entitlements, 'collections');
      const [known] = await tx
        .update(collections)
        .set({ name, nameKey: comparedName(name), access })
        .where(eq(collections.id, collectionId))
        .returning();
      if (!known) throw new AppError('collection-not-found');
      await setWhom(tx, companyId, collectionId, input);
      await accessChanged(tx, deps, companyId);
      await audit(tx, { action: 'collection-changed', by, target: name, details: detailsOf(input) });
      return { collectionId };
    });
  }

  return { create, update };
}

export type Collections = ReturnType<typeof createCollections>;

/**
 * Into which collection a new document is to come.
 * @param said its id, as a client sends it; absent, or the company's id: the company's own
 * @returns null for the company's own
 * @throws AppError `collection-not-found`; `feature-not-in-plan` where the plan has none
 */
export async function collectionFor(
  tx: Tx,
  { companyId, entitlements }: Pick<Actor, 'companyId' | 'entitlements'>,
  said: string | undefined,
): Promise<string | null> {
  if (said === undefined || said.toLowerCase() === companyId) return null;
  if (!isUuid(said.toLowerCase())) throw new AppError('collection-not-found');
  requireFeature(entitlements, 'collections');
  return (await requireCollection(tx, companyId, said)).id;
}

function detailsOf({
  access,
  userIds,
  groupIds,
}: Pick<ParsedInput<'createCollection'>, 'access' | 'userIds' | 'groupIds'>) {
  return { access, ...(userIds && { people: userIds.length }), ...(groupIds && { groups: groupIds.length }) };
}

/**
 * Whether a change keeps something from people anew, or lets one more of them in: that is what the plan is for. Without
 * it a restriction can be given up, and people and groups taken out, so that nobody is stuck with what they can't undo.
 */
async function letsIn(
  tx: Tx,
  collectionId: string,
  { access, userIds, groupIds }: Pick<ParsedInput<'createCollection'>, 'access' | 'userIds' | 'groupIds'>,
): Promise<boolean> {
  const [known] = await tx.select().from(collections).where(eq(collections.id, collectionId));
  if (known && access === 'restricted' && known.access !== 'restricted') return true;
  const people = await tx.select().from(collectionPeople).where(eq(collectionPeople.collectionId, collectionId));
  const groups = await tx.select().from(collectionGroups).where(eq(collectionGroups.collectionId, collectionId));
  return !(
    areAmong(
      userIds,
      people.map(({ userId }) => userId),
    ) &&
    areAmong(
      groupIds,
      groups.map(({ groupId }) => groupId),
    )
  );
}

/** @throws AppError `collection-name-taken` */
async function requireFreeName(tx: Tx, companyId: string, id: string, name: string): Promise<void> {
  await ownCollections(tx, companyId);
  const key = comparedName(name);
  const taken = await tx
    .select({ id: collections.id })
    .from(collections)
    .where(and(eq(collections.nameKey, key), ne(collections.id, id)));
  if (taken.length > 0 || key === comparedName(companyName)) throw new AppError('collection-name-taken');
}
