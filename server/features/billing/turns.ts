import type { Database, Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { createTurns } from '#server/lib/turns.ts';

/**
 * Of the database's connections so many may wait for the payment provider; the rest of the product needs the others.
 */
const atOnce = 4;

/**
 * Runs the work when nobody else works on the company's billing, in any process, in a transaction of its own that is
 * not restricted to the company.
 */
export type InTurn = <T>(companyId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;

export function createBillingTurns(db: Database): InTurn {
  const { inTurn } = createTurns(atOnce);
  return (companyId, work) =>
    inTurn(() =>
      db.asSystem(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`billing:${companyId}`}, 0))`);
        return work(tx);
      }),
    );
}
