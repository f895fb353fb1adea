import type { Readable } from 'node:stream';
import pg from 'pg';
import { nameOf } from '#server/db/copy-rows.ts';

/** The service's tables and their columns, those first that others refer to. What is computed is not copied. */
export interface TableColumns {
  table: string;
  columns: string[];
}

/** Where they are. */
export const schema = 'public';

/**
 * Exports are made anew in minutes, unfinished uploads are begun anew, and search tables are built anew: their files
 * are not in a backup. Tokens of apps have been renewed since, and one of before would be taken for a stolen one.
 * Replies are kept for questions that are sent again within minutes. When the backup before was made says nothing of
 * the place that this one comes to.
 */
const leftOut = [
  'exports',
  'export_entries',
  'upload_bytes',
  'search_tables',
  'oauth_records',
  'kept_replies',
  'last_backup',
];

/** @param client its role owns the tables */
export async function tablesIn(client: pg.Client): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(
    `select class.relname as table, array_agg(attribute.attname::text order by attribute.attnum) as columns
    from pg_class class
    join pg_attribute attribute on attribute.attrelid = class.oid and attnum > 0
      and not attisdropped and attgenerated = ''
    where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p') and not class.relispartition
      and class.relname <> all ($1)
    group by class.oid, class.relname order by class.relname`,
    [leftOut],
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select source.relname as from, target.relname as to
    from pg_constraint
    join pg_class source on source.oid = conrelid
    join pg_class target on target.oid = confrelid
    where contype = 'f' and conrelid <> confrelid and source.relnamespace = 'public'::regnamespace`);
  return inOrder(rows, references);
}

/** So that a row's target is there before the row. */
function inOrder(tables: TableColumns[], references: { from: string; to: string }[]): TableColumns[] {
  const ordered: TableColumns[] = [];
  let left = tables;
  while (left.length > 0) {
    const waiting = new Set(left.map(({ table }) => table));
    const next = left.filter(({ table }) => !references.some(({ from, to }) => from === table && waiting.has(to)));
    if (next.length === 0) throw new Error(`tables refer to each other: ${[...waiting].join(', ')}`);
    ordered.push(...next);
    left = left.filter((each) => !next.includes(each));
  }
  return ordered;
}

/** What numbers rows goes on behind the highest that there is. */
export async function setSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select class.relname as table, attname as column,
      pg_get_serial_sequence(format('%I.%I', 'public', class.relname), attname) as sequence
    from pg_class class join pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped
    where class.relnamespace = 'public'::regnamespace and class.relkind = 'r'
      and pg_get_serial_sequence(format('%I.%I', 'public', class.relname), attname) is not null`);
  for (const { table, column, sequence } of rows)
    await client.query(
      `select setval($1, max(${pg.escapeIdentifier(column)})) from ${nameOf({ schema, table })} having max(${pg.escapeIdentifier(column)}) is not null`,
      [sequence],
    );
}

/** Counts rows: one a line, since a line feed within a value is written as two characters. */
export async function countRows(content: Readable): Promise<number> {
  let rows = 0;
  for await (const piece of content)
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) rows += 1;
  return rows;
}
