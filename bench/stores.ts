import { join } from 'node:path';
import { pino } from 'pino';
import { type Database, openDatabase } from '#server/db/db.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { seededEmbeddings } from './big-company.ts';

/**
 * Opens the database and the search of a folder in this process, without the service, and closes them after the work.
 */
export async function withStores<T>(
  dataDir: string,
  work: (stores: { db: Database; search: SearchStore }) => Promise<T>,
): Promise<T> {
  const log = pino({ level: 'warn' });
  const postgres = await startPostgres({ dataDir, log });
  const db = await openDatabase(postgres.connection, { name: 'bench', log });
  const search = await openLanceSearch({ root: join(dataDir, 'search'), log, vectorModel: seededEmbeddings.model });
  try {
    return await work({ db, search });
  } finally {
    await search.close();
    await db.close();
    await postgres.stop();
  }
}
