import type { Tx } from '#server/db/db.ts';
import { type SQL, sql } from '#server/db/drizzle.ts';
import { webhookDeliveries } from '#server/db/schema.ts';

/** Changes deliveries, which it holds in the order in which everybody does. */
export async function changeDeliveries(
  tx: Tx,
  which: SQL | undefined,
  changes: Partial<typeof webhookDeliveries.$inferInsert>,
): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set(changes)
    .where(await held(tx, which));
}

/** The same, to remove them. */
export async function removeDeliveries(tx: Tx, which: SQL | undefined): Promise<void> {
  await tx.delete(webhookDeliveries).where(await held(tx, which));
}

/** In one value, however many they are: a statement takes 65,535. */
async function held(tx: Tx, which: SQL | undefined): Promise<SQL> {
  const { id } = webhookDeliveries;
  const rows = await tx.select({ id }).from(webhookDeliveries).where(which).orderBy(id).for('update');
  return sql`${id} = any(${sql.param(rows.map((each) => each.id))}::uuid[])`;
}
