import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';

/**
 * Holds, until the transaction ends, what mails a person codes: a new code ends the one before, so that of two mails
 * made at once the newer one could carry the code that has ended. To be called before the code is made.
 */
export async function ownMailedCodes(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`mailed-codes:${userId}`}, 0))`);
}
