import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';

/**
 * Erasing rewrites a company's whole search table; what is written to it meanwhile would be lost. Writers share this
 * lock, the eraser has it alone; it is held until the transaction ends, in every process.
 */
export async function shareSearchTable(tx: Tx, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtextextended(${`search:${companyId}`}, 0))`);
}

/** The eraser's side of the same lock: waits for all who write, and keeps others from it until the transaction ends. */
export async function ownSearchTable(tx: Tx, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`search:${companyId}`}, 0))`);
}

/**
 * What a company stores is counted before more is taken: by one at a time. Taken last of these locks, or alone.
 */
export async function ownStorage(tx: Tx, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`storage:${companyId}`}, 0))`);
}

/**
 * Which name a file gets, and whether its content is there already, is decided by what the company has: by one at a
 * time. Taken after the lock of the search table and before any row, by everyone, or two could wait for each other.
 */
export async function ownNames(tx: Tx, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`names:${companyId}`}, 0))`);
}

/**
 * What collections and groups are called and for whom they are is changed by one at a time. Taken after the lock of the
 * names.
 */
export async function ownCollections(tx: Tx, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`collections:${companyId}`}, 0))`);
}
