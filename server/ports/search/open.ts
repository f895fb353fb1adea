import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from '#server/db/db.ts';
import type { SessionLocks } from '#server/db/session-locks.ts';
import type { S3Place } from '#server/ports/files/s3/place.ts';
import { boundedSession, openLanceSearch } from './lance.ts';
import type { SearchStore } from './port.ts';

/** Where search tables lie: below the data folder, or where `SEARCH_URL` says. */
export interface SearchPlace {
  dataDir: string;
  searchPlace?: S3Place | undefined;
  searchCacheBytes: number;
  /** What is kept in memory of all tables, in bytes. */
  searchMemory: { tables: number };
  databaseUrl?: string | undefined;
}

/**
 * Opens where search tables lie. What speaks S3 is loaded by those alone who use it.
 * @throws CannotStart where they can't be kept there
 */
export async function openSearch(
  { dataDir, searchPlace: place, searchCacheBytes: copiesBytes, searchMemory, databaseUrl }: SearchPlace,
  more: {
    connection: pg.PoolConfig;
    listen?: Database['listen'];
    locks: SessionLocks;
    log: Logger;
    vectorModel: string | undefined;
  },
): Promise<SearchStore> {
  const session = boundedSession(searchMemory.tables);
  if (!place) return openLanceSearch({ root: join(dataDir, 'search'), session, ...more });
  const { openStoredSearch } = await import('./s3/open.ts');
  const alone = databaseUrl === undefined;
  const copiesFolder = join(dataDir, 'search-copies');
  return openStoredSearch({ ...more, place, copiesFolder, copiesBytes, session, alone });
}

/**
 * Does once in the store what search will do there.
 * @throws CannotStart in one sentence that says what to set
 */
export async function checkSearch(place: S3Place): Promise<void> {
  const { checkSearchPlace } = await import('./s3/engine.ts');
  await checkSearchPlace(place);
}
