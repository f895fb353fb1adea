import type { Tx } from './db.ts';
import { sql } from './drizzle.ts';

/** Whether PostgreSQL knows a time zone by this name, which it is about to count days in. */
export async function isTimeZone(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select 1 from pg_timezone_names where name = ${name}`);
  return rows.length > 0;
}
