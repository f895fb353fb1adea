import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { uuidOf } from '#server/lib/uuid-of.ts';
import { madeOnce } from '#server/lib/whole-file.ts';
import type { Database } from './db.ts';
import { sql } from './drizzle.ts';
import { CannotStart } from './postgres/cannot-start.ts';

const file = 'folder.id';
/** Before a folder's id; no other program calls its connections so. */
const mark = 'footnote-folder ';

/** Where a process has what others need: in a folder, or all of it in stores. */
export interface SharedPlaces {
  dataDir: string;
  /** The places of originals and of search tables in stores, by their names; absent: a folder has something of them. */
  stores?: readonly string[] | undefined;
}

/**
 * What the listening connection of a process calls itself, by which others see the folder that it works on, or the
 * places in stores where nothing that others need is in a folder.
 */
export async function markOf({ dataDir, stores }: SharedPlaces): Promise<string> {
  if (stores) return mark + uuidOf(JSON.stringify(stores));
  return mark + (await madeOnce(join(dataDir, file), () => `${randomUUID()}\n`)).trim();
}

/**
 * Processes of one database share a folder where search tables or originals are files in it, or the places of both in a
 * store, and a process with another one would neither find what the others have read nor be found. Who works on the
 * database is seen by connections that are open now, so a folder that was moved or lost, or a restored one, keeps
 * nobody from starting.
 * @param mine the mark that the database was opened with
 * @throws CannotStart
 */
export async function refuseOtherFolder(db: Database, mine: string): Promise<void> {
  // To be seen first: of two that start at once neither would see the other. The first to listen opens the connection.
  const stop = await db.listen('jobs', () => {});
  stop();
  const { rows } = await db.asSystem((tx) =>
    tx.execute(sql`select 1 from pg_stat_activity where datname = current_database()
      and starts_with(application_name, ${mark}) and application_name <> ${mine}`),
  );
  if (rows.length > 0)
    throw new CannotStart(
      'Another process works on this database with another DATA_DIR, and neither would find what the other has read: let all share one folder, or have FILES_URL, SEARCH_URL and SECRET_KEY alike, or stop the others first.',
    );
}
