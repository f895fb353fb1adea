import { randomUUID } from 'node:crypto';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { requireFeature } from '#contract/permissions.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, eq, ne } from '#server/db/drizzle.ts';
import { groupMembers, groups } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { ownCollections } from '../locks.ts';
import { accessChanged } from './access-changed.ts';
import { areAmong, type By, comparedName, requirePeople } from './whom.ts';

/** Groups of people, for whom collections are restricted. What changes here is in effect with the commit. */
export function createGroups(deps: { db: Database; jobs: Jobs }) {
  const { db } = deps;

  function list(companyId: string): Promise<CallOutput<'listGroups'>> {
    return db.asCompany(companyId, async (tx) => {
      const all = await tx.select().from(groups).orderBy(asc(groups.nameKey));
      const members = Map.groupBy(await tx.select().from(groupMembers), ({ groupId }) => groupId);
      return all.map(({ id, name }) => ({
        groupId: id,
        name,
        userIds: (members.get(id) ?? []).map(({ userId }) => userId),
      }));
    });
  }

  /** @throws AppError `group-name-taken`, `user-not-found` */
  function create(by: AuditActor, { name, userIds }: ParsedInput<'createGroup'>): Promise<{ groupId: string }> {
    const { companyId } = by;
    const id = randomUUID();
    return db.asCompany(companyId, async (tx) => {
      await requireFreeName(tx, companyId, id, name);
      await requirePeople(tx, userIds);
      await tx.insert(groups).values({ companyId, id, name, nameKey: comparedName(name) });
      await setMembers(tx, companyId, id, userIds);
      await audit(tx, { action: 'group-created', by, target: name, details: { people: new Set(userIds).size } });
      return { groupId: id };
    });
  }

  /** @throws AppError `group-not-found`, `group-name-taken`, `user-not-found`, `feature-not-in-plan` */
  function update(by: By, { groupId, name, userIds }: ParsedInput<'updateGroup'>) {
    const { companyId } = by;
    return db.asCompany(companyId, async (tx) => {
      await requireFreeName(tx, companyId, groupId, name);
      const [known] = await tx
        .update(groups)
        .set({ name, nameKey: comparedName(name) })
        .where(eq(groups.id, groupId))
        .returning();
      if (!known) throw new AppError('group-not-found');
      // Before what hangs on them, as who removes a person takes it.
      await requirePeople(tx, userIds);
      const members = await tx.delete(groupMembers).where(eq(groupMembers.groupId, groupId)).returning();
      const before = members.map(({ userId }) => userId);
      // Whoever comes into a group sees more.
      if (!areAmong(userIds, before)) requireFeature(by.entitlements, 'collections');
      await setMembers(tx, companyId, groupId, userIds);
      await accessChanged(tx, deps, companyId);
      await audit(tx, { action: 'group-changed', by, target: name, details: { people: new Set(userIds).size } });
      return { groupId };
    });
  }

  /** @throws AppError `group-not-found` */
  async function remove(by: AuditActor, groupId: string): Promise<void> {
    const { companyId } = by;
    await db.asCompany(companyId, async (tx) => {
      await ownCollections(tx, companyId);
      const [gone] = await tx.delete(groups).where(eq(groups.id, groupId)).returning();
      if (!gone) throw new AppError('group-not-found');
      await accessChanged(tx, deps, companyId);
      await audit(tx, { action: 'group-deleted', by, target: gone.name, details: {} });
    });
  }

  return { list, create, update, remove };
}

async function setMembers(tx: Tx, companyId: string, groupId: string, userIds: readonly string[]): Promise<void> {
  const rows = [...new Set(userIds.map((id) => id.toLowerCase()))].map((userId) => ({ companyId, groupId, userId }));
  if (rows.length > 0) await tx.insert(groupMembers).values(rows);
}

/** @throws AppError `group-name-taken` */
async function requireFreeName(tx: Tx, companyId: string, id: string, name: string): Promise<void> {
  await ownCollections(tx, companyId);
  const taken = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.nameKey, comparedName(name)), ne(groups.id, id)));
  if (taken.length > 0) throw new AppError('group-name-taken');
}
