import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

export interface CopiedTable {
  schema: string;
  table: string;
  columns: readonly string[];
}

/** A table's rows in PostgreSQL's text format, which every version of it reads. */
export function copyOut(client: pg.Client, each: CopiedTable): Readable & { rowCount: number } {
  const statement = `copy ${nameOf(each)} (${listOf(each.columns)}) to stdout`;
  return client.query(copyTo(statement)) as Readable & { rowCount: number };
}

/** Puts rows into a table that has none. @returns how many */
export async function copyIn(client: pg.Client, each: CopiedTable, content: Readable): Promise<number> {
  const into = client.query(copyFrom(`copy ${nameOf(each)} (${listOf(each.columns)}) from stdin`));
  await pipeline(content, into);
  return into.rowCount;
}

/** As a statement names it. */
export function nameOf({ schema, table }: { schema: string; table: string }): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
}

/** The columns as a statement names them. */
export function listOf(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}
