import type { Collection } from '#contract/calls/collections.ts';
import type { Role } from '#contract/permissions.ts';
import type { Database } from '#server/db/db.ts';
import { asc, count, isNull } from '#server/db/drizzle.ts';
import { collectionGroups, collectionPeople, collections, documents } from '#server/db/schema.ts';

/** What the company's own collection is called, in which everything is that is in no other one. */
export const companyName = 'Company';

/** Those that the person sees, the company's own first; for whom they are is told to admins alone. */
export function listCollections(
  db: Database,
  reader: { companyId: string; userId: string; role: Role },
): Promise<Collection[]> {
  const { companyId, role } = reader;
  return db.asActor(reader, async (tx) => {
    const rows = await tx.select().from(collections).orderBy(asc(collections.nameKey));
    const counts = await tx
      .select({ id: documents.collectionId, documents: count() })
      .from(documents)
      .where(isNull(documents.deletedAt))
      .groupBy(documents.collectionId);
    const countOf = new Map(counts.map(({ id, documents }) => [id, documents]));
    const isAdmin = role === 'admin';
    const people = isAdmin ? await tx.select().from(collectionPeople) : [];
    const groups = isAdmin ? await tx.select().from(collectionGroups) : [];
    const peopleOf = Map.groupBy(people, ({ collectionId }) => collectionId);
    const groupsOf = Map.groupBy(groups, ({ collectionId }) => collectionId);
    return [
      { collectionId: companyId, name: companyName, access: 'everyone' as const, documents: countOf.get(null) ?? 0 },
      ...rows.map(({ id, name, access }) => ({
        collectionId: id,
        name,
        access,
        documents: countOf.get(id) ?? 0,
        ...(isAdmin && {
          userIds: (peopleOf.get(id) ?? []).map(({ userId }) => userId),
          groupIds: (groupsOf.get(id) ?? []).map(({ groupId }) => groupId),
        }),
      })),
    ];
  });
}
