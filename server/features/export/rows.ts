import type { Database, Reader } from '#server/db/db.ts';
import { type SQL, sql } from '#server/db/drizzle.ts';

/** A line of a list. */
export type Line = Record<string, unknown>;

type PageRow = { place: string[]; line: Line };

const atOnce = 500;

/**
 * Everything that a statement gives, some rows at a time, each page in a transaction of its own: whoever has a million
 * of them needs neither the memory for all nor a transaction that holds up the upkeep of the database.
 * @param page gives rows behind a place, in one order; each has its own place as `place`. Null: from the beginning
 */
export async function* paged(
  db: Database,
  reader: Reader,
  page: (after: string[] | null, limit: number) => SQL,
): AsyncGenerator<Line> {
  let after: string[] | null = null;
  do {
    const rows: PageRow[] = await readPage(db, reader, page(after, atOnce));
    for (const { line } of rows) yield line;
    after = rows.length < atOnce ? null : (rows.at(-1)?.place ?? null);
  } while (after !== null);
}

async function readPage(db: Database, reader: Reader, statement: SQL): Promise<PageRow[]> {
  return (await db.asActor(reader, (tx) => tx.execute<PageRow>(statement))).rows;
}

/**
 * The usual order: by a time and an id.
 * @returns what selects the place, the condition behind it, and the order
 */
export function byTime(at: SQL, id: SQL, after: string[] | null) {
  const [time, last] = after ?? [];
  return {
    place: sql`array[${at}::text, ${id}::text]`,
    behind: after === null ? sql`true` : sql`(${at}, ${id}) > (${time}::timestamptz, ${last}::uuid)`,
    order: sql`${at}, ${id}`,
  };
}
