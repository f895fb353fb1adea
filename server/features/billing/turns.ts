import type { Database, Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';

/**
 * Of the database's connections so many may wait for the payment provider; the rest of the product needs the others.
 */
const atOnce = 4;

/**
 * Runs the work when nobody else works on the company's billing, in any process, in a transaction of its own that is
 * not restricted to the company.
 */
export type InTurn = <T>(companyId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;

export function createTurns(db: Database): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async (companyId, work) => {
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await db.asSystem(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`billing:${companyId}`}, 0))`);
        return work(tx);
      });
    } finally {
      // The place goes to the next in line, or is free again.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
