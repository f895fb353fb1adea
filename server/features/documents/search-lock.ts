import { sql } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';

/**
 * Erasing rewrites a company's whole search table; what is written to it meanwhile would be lost. Writers share this lock,
 * the eraser has it alone; it is held until the transaction ends, in every process.
 */
export async function shareSearchTable(tx: Tx, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtextextended(${`search:${companyId}`}, 0))`);
}

export async function ownSearchTable(tx: Tx, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`search:${companyId}`}, 0))`);
}
