import type { Entitlements } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import type { Tx } from '#server/db/db.ts';
import { eq, inArray } from '#server/db/drizzle.ts';
import { collectionGroups, collectionPeople, groups, users } from '#server/db/schema.ts';
import type { AuditActor } from '#server/features/audit/audit.ts';

/** Whoever says who sees what, and what their plan allows of it. */
export type By = AuditActor & { entitlements: Entitlements };

/** Ids as the database writes them, each once. */
function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

/** Whether all of them are among those that are there. */
export function areAmong(ids: readonly string[] | undefined, there: Iterable<string>): boolean {
  const known = new Set(there);
  return distinct(ids ?? []).every((id) => known.has(id));
}

/** @throws AppError `user-not-found` unless all of them are people of the transaction's company */
export async function requirePeople(tx: Tx, ids: readonly string[]): Promise<void> {
  const wanted = distinct(ids);
  if (wanted.length === 0) return;
  // Held: who is removed meanwhile is removed after this, and from here too.
  const found = await tx.select({ id: users.id }).from(users).where(inArray(users.id, wanted)).for('key share');
  if (found.length < wanted.length) throw new AppError('user-not-found');
}

/** @throws AppError `group-not-found` unless all of them are groups of the transaction's company */
export async function requireGroups(tx: Tx, ids: readonly string[]): Promise<void> {
  const wanted = distinct(ids);
  if (wanted.length === 0) return;
  const found = await tx.select({ id: groups.id }).from(groups).where(inArray(groups.id, wanted)).for('key share');
  if (found.length < wanted.length) throw new AppError('group-not-found');
}

/** A name as it is compared: without regard to case and width. */
export function comparedName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/**
 * Says for whom a restricted collection is; what is not given stays.
 * @throws AppError `user-not-found`, `group-not-found`
 */
export async function setWhom(
  tx: Tx,
  companyId: string,
  collectionId: string,
  { userIds, groupIds }: { userIds?: string[] | undefined; groupIds?: string[] | undefined },
): Promise<void> {
  if (userIds) {
    await requirePeople(tx, userIds);
    await tx.delete(collectionPeople).where(eq(collectionPeople.collectionId, collectionId));
    const rows = distinct(userIds).map((userId) => ({ companyId, collectionId, userId }));
    if (rows.length > 0) await tx.insert(collectionPeople).values(rows);
  }
  if (groupIds) {
    await requireGroups(tx, groupIds);
    await tx.delete(collectionGroups).where(eq(collectionGroups.collectionId, collectionId));
    const rows = distinct(groupIds).map((groupId) => ({ companyId, collectionId, groupId }));
    if (rows.length > 0) await tx.insert(collectionGroups).values(rows);
  }
}
