import type pg from 'pg';
import { type CopiedTable, nameOf } from '#server/db/copy-rows.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';

export interface Table extends CopiedTable {
  /** Those that are computed, too. */
  allColumns: readonly string[];
}

interface FoundTable extends Table {
  /** Name and type of every column. */
  shape: string;
  /** Where it is a part of another table: that one, and which rows are in this part. */
  parent: string | null;
  bound: string | null;
}

/**
 * Every table that holds rows, of all schemas that are not PostgreSQL's own. Parts of a table, which the queue makes
 * for every day, are made in the newer database as they are in the older.
 * @throws CannotStart where a table is not the same in both
 */
export async function tablesAlike(from: pg.Client, to: pg.Client, owner: string): Promise<Table[]> {
  const older = await tablesIn(from);
  const there = new Map((await tablesIn(to)).map((table) => [nameOf(table), table]));
  for (const table of older)
    if (!there.has(nameOf(table)) && table.parent !== null) {
      await to.query(`create table ${nameOf(table)} partition of ${table.parent} ${table.bound}`);
      await to.query(`alter table ${nameOf(table)} owner to ${owner}`);
      there.set(nameOf(table), table);
    }
  const unknown = older.filter((table) => there.get(nameOf(table))?.shape !== table.shape).map(nameOf);
  if (unknown.length > 0)
    throw new CannotStart(
      `The database holds ${unknown.join(', ')}, not as Footnote makes its tables, and would lose it. Move it away with the version before.`,
    );
  return older;
}

async function tablesIn(client: pg.Client): Promise<FoundTable[]> {
  const { rows } = await client.query<FoundTable>(`
    select nspname as schema, relname as table,
      array_agg(attname::text order by attnum) filter (where attgenerated = '') as columns,
      array_agg(attname::text order by attnum) as "allColumns",
      string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attname) as shape,
      inhparent::regclass::text as parent, pg_get_expr(relpartbound, class.oid) as bound
    from pg_class class
    join pg_namespace on pg_namespace.oid = relnamespace
    join pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped
    left join pg_inherits on inhrelid = class.oid and relispartition
    where relkind = 'r' and nspname !~ '^pg_' and nspname <> 'information_schema'
    group by class.oid, nspname, relname, inhparent, relpartbound
    order by nspname, relname`);
  return rows;
}
