import { asc, count } from 'drizzle-orm';
import type { CallOutput } from '#contract/calls.ts';
import type { Tx } from '#server/db/db.ts';
import { users } from '#server/db/schema.ts';

/** Everyone in the transaction's company, by e-mail. */
export async function listUsers(tx: Tx): Promise<CallOutput<'listUsers'>> {
  return await tx
    .select({ uid: users.id, email: users.email, role: users.role, state: users.state })
    .from(users)
    .orderBy(asc(users.email));
}

/** How many seats the transaction's company uses: its people and its open invitations. */
export async function seatsUsed(tx: Tx): Promise<number> {
  const [row] = await tx.select({ seats: count() }).from(users);
  return row?.seats ?? 0;
}
