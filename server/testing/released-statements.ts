import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/** What the last release sends to the database; written by `scripts/release/record-statements.ts`. */
export const releasedStatementsPath = join(import.meta.dirname, '..', 'db', 'released-statements.json');

export async function releasedStatements(): Promise<string[]> {
  return JSON.parse(await readFile(releasedStatementsPath, 'utf8'));
}

/**
 * What all statements have in common that differ in values and in how many of them there are; null for what is no
 * statement on tables of ours: settings, locks, the job queue's own.
 */
export function formOf(text: string): string | null {
  const statement = text.trim();
  if (!/^(?:select|insert|update|delete|with)\b/i.test(statement)) return null;
  if (/\bpgboss\.|\bpg_catalog\.|\binformation_schema\.|\bfrom pg_/i.test(statement)) return null;
  return statement
    .replace(/\s+/g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\$\d+/g, '$')
    .replace(/(?:\$, )+\$/g, '$')
    .replace(/(?:\(\$\), )+\(\$\)/g, '($)')
    .replace(/(\b(?:values) )\(.*?\)(?:, \(.*?\))+/gi, '$1()');
}

/** Which of the statements can't run on the tables that are there, and why: what an older process would meet. */
export async function refusedStatements(client: pg.Client, statements: readonly string[]): Promise<string[]> {
  const refused: string[] = [];
  const required = await requiredColumns(client);
  for (const statement of statements) {
    const problem = (await problemOf(client, statement)) ?? missingColumn(statement, required);
    if (problem !== null) refused.push(`${problem}: ${statement.replace(/\s+/g, ' ')}`);
  }
  return refused;
}

/** PostgreSQL reads a statement when it prepares it: names and types must fit, and nothing is run. */
async function problemOf(client: pg.Client, statement: string): Promise<string | null> {
  try {
    await client.query(`prepare looked_at as ${statement}`);
    await client.query('deallocate looked_at');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** By table: the columns that must be given with each new row. */
async function requiredColumns(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(`
    select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER'
      and is_identity = 'NO'
    group by table_name`);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** A new column without a default is not in what an older process inserts. */
function missingColumn(statement: string, required: ReadonlyMap<string, string[]>): string | null {
  for (const [, table = '', given = ''] of statement.matchAll(/\binsert into "?(\w+)"?(?: as \w+)? \(([^)]*)\)/gi)) {
    const columns = given.split(',').map((column) => column.trim().replaceAll('"', ''));
    const missing = required.get(table)?.find((column) => !columns.includes(column));
    if (missing !== undefined) return `"${table}" asks for "${missing}"`;
  }
  return null;
}
