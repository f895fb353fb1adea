import type { Tx } from '#server/db/db.ts';
import { and, eq, inArray, isNull } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';

/**
 * Holds live documents that are about to change, a mail with everything that was attached to it, at whatever depth: in
 * the order in which answers hold what they come from, or the two could wait for each other.
 * @param tx holds the company's names: no attachment is made meanwhile
 * @param ids as the database writes them
 * @returns those that are live, each mail before its attachments
 */
export async function holdTrees(tx: Tx, companyId: string, ids: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (let level = ids; level.length > 0; ) {
    all.push(...level);
    level = (await attachedTo(tx, companyId, level)).map(({ id }) => id);
  }
  const held = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(inArray(documents.id, all), isNull(documents.deletedAt)))
    .orderBy(documents.id)
    .for('no key update');
  const live = new Set(held.map(({ id }) => id));
  return all.filter((id) => live.delete(id));
}

/** The live documents that are attached to these themselves. */
export function attachedTo(tx: Tx, companyId: string, ids: readonly string[]) {
  return tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.companyId, companyId), inArray(documents.parentId, ids), isNull(documents.deletedAt)));
}
