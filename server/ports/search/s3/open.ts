import type { Session } from '@lancedb/lancedb';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from '#server/db/db.ts';
import type { SessionLocks } from '#server/db/session-locks.ts';
import { type OwnFolder, openOwnFolder } from '#server/lib/own-folder.ts';
import { clientOf } from '#server/ports/files/s3/client.ts';
import { nameOf, type S3Place } from '#server/ports/files/s3/place.ts';
import { createTelling } from '#server/ports/files/s3/telling.ts';
import { boundedSession, termsFolder } from '../lance.ts';
import { lanceSearch, prepare } from '../lance-search.ts';
import type { SearchStore } from '../port.ts';
import { vectorFolder } from '../vectors.ts';
import { Copies } from './copies.ts';
import { checkSearchPlace, engineAt, type Patience, usualPatience } from './engine.ts';
import { type Objects, objectsOf } from './objects.ts';
import { rowsPool, type TableRows, tableRows } from './rows.ts';
import { StoredTables } from './tables.ts';
import { openTurns } from './turns.ts';

export interface StoredSearchOptions {
  place: S3Place;
  /** Below it each process has a folder for its copies. */
  copiesFolder: string;
  /** What they may take together. */
  copiesBytes: number;
  /** What the engine keeps in memory of all tables together. */
  session?: Session | undefined;
  /** Nobody else has a folder there: what is left is of processes that are gone. */
  alone: boolean;
  connection: pg.PoolConfig;
  /** Absent, for a command: it is not told what others make anew. */
  listen?: Database['listen'] | undefined;
  locks: SessionLocks;
  log: Logger;
  /** Whose vectors are kept, as the embeddings port names it; absent: none. */
  vectorModel?: string | undefined;
  patience?: Patience;
}

const openTables = 200;
const removeLeftEveryMs = 15 * 60_000;

/**
 * Search tables in a store that speaks S3, which any number of processes share.
 * @throws CannotStart in one sentence that says what to set
 */
export async function openStoredSearch(options: StoredSearchOptions): Promise<SearchStore> {
  const { place, connection, listen, log, vectorModel, patience = usualPatience, session = boundedSession() } = options;
  await checkSearchPlace(place, patience);
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const client = clientOf(place, patience);
    closers.push(() => client.destroy());
    const open = engineAt(place, patience, session);
    const closing = new AbortController();
    closers.push(() => closing.abort(new Error('the search store is closed')));
    const pool = rowsPool(connection, log);
    closers.push(() => pool.end());
    const folder = await openOwnFolder(options.copiesFolder, { alone: options.alone });
    closers.push(() => folder.close());
    closers.push(removingLeft(folder));
    const telling = createTelling(log);

    const copies = new Copies(objectsOf(client, place), {
      session,
      root: folder.path,
      limitBytes: options.copiesBytes,
    });
    closers.push(() => copies.close());

    const tablesIn = async (name: string) => {
      const tablesThere = await open(name);
      closers.push(() => tablesThere.close());
      const objects = objectsOf(client, { bucket: place.bucket, prefix: `${place.prefix}${name}/` });
      const there = `${nameOf(place)}${name}`;
      const rows = tableRows(pool, there);
      if (listen) closers.push(await forgetting(listen, { place: there, folder: name, copies }));
      const inTurn = openTurns(options.locks, `search ${name}`, closing.signal);
      const tables = new StoredTables({
        folder: name,
        connection: tablesThere,
        ...{ objects, rows, copies, inTurn, telling },
        prepare: name === termsFolder ? prepare : async () => {},
        limit: openTables,
      });
      return { tables, rows };
    };
    const terms = await tablesIn(termsFolder);
    const vectors = vectorModel === undefined ? null : await tablesIn(`vectors/${vectorFolder(vectorModel)}`);
    // A command leaves that to the service: it may come before there is a table in the database.
    if (listen) await removeOtherModels(vectors?.rows ?? terms.rows, objectsOf(client, place), place, vectorModel);

    return {
      ...lanceSearch({ terms: terms.tables, vectors: vectors?.tables ?? null, log }),
      name: 'LanceDB on S3',
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Vectors of other models can't be compared with those of this one, and can be made again. */
async function removeOtherModels(rows: TableRows, objects: Objects, place: S3Place, model?: string): Promise<void> {
  await objects.remove('vectors/', model === undefined ? [] : [`vectors/${vectorFolder(model)}/`]);
  await rows.forgetOthers(`${nameOf(place)}vectors/`);
}

function removingLeft(folder: OwnFolder): () => void {
  const timer = setInterval(() => void folder.removeLeft().catch(() => {}), removeLeftEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** What is erased in the store is to go from the copies here, too, and not only when the company searches next. */
function forgetting(
  listen: Database['listen'],
  { place, folder, copies }: { place: string; folder: string; copies: Copies },
): Promise<() => void> {
  return listen(
    'search',
    (told) => {
      if (told.place !== place || typeof told.companyId !== 'string') return;
      const kept = typeof told.name === 'string' ? `${folder}/${told.name}` : undefined;
      void copies.forget(`${folder}/${told.companyId}.`, kept);
    },
    () => void copies.forget(''),
  );
}
