import type pg from 'pg';
import { listOf, nameOf } from '#server/db/copy-rows.ts';
import type { Table } from './tables.ts';

/**
 * Compares how many rows the tables have, and what is in them.
 * @throws Error at the first that differs
 */
export async function compareRows(from: pg.Client, to: pg.Client, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    const [there, here] = await Promise.all([contentOf(from, table), contentOf(to, table)]);
    if (there.rows !== here.rows || there.digest !== here.digest)
      throw new Error(
        `${nameOf(table)} was not brought over whole: ${there.rows} rows (${there.digest}) became ${here.rows} (${here.digest}).`,
      );
  }
}

/** In whichever order the rows lie: the digest is the sum of a digest of each. */
async function contentOf(client: pg.Client, table: Table): Promise<{ rows: string; digest: string }> {
  const row = `convert_to(row(${listOf(table.allColumns)})::text, 'UTF8')`;
  const { rows } = await client.query<{ rows: string; digest: string }>(`
    select count(*) as rows,
      coalesce(sum(('x' || encode(substr(sha256(${row}), 1, 8), 'hex'))::bit(64)::bigint), 0)::text as digest
    from ${nameOf(table)}`);
  return rows[0] ?? { rows: '', digest: '' };
}
