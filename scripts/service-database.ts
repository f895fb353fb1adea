import type pg from 'pg';
import { pino } from 'pino';
import type { Config } from '#server/config/config.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { findPostgres, startPostgres } from '#server/db/postgres/launcher.ts';
import { DataDirInUse } from '#server/db/postgres/lock.ts';
import { openSessionLocks } from '#server/db/session-locks.ts';
import { createLog } from '#server/http/log.ts';
import { openAiEmbeddings } from '#server/ports/embeddings/openai-embeddings.ts';
import { openSearch } from '#server/ports/search/open.ts';
import type { SearchStore } from '#server/ports/search/port.ts';

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

const log = pino({ level: 'silent' });

/** The service's database, also while the service uses it. */
export async function withDatabase(config: Place, work: (db: Database) => Promise<void>): Promise<void> {
  await withConnection(config, async (connection) => {
    const db = await openDatabase(connection, { name: 'command', log });
    await work(db).finally(() => db.close());
  });
}

/** The service's search, for a command that writes to it. */
export async function openServiceSearch(config: Config, connection: pg.PoolConfig): Promise<SearchStore> {
  const locks = openSessionLocks(connection, log);
  const vectorModel = config.embeddings && openAiEmbeddings(config.embeddings).model;
  try {
    const search = await openSearch(config, { connection, locks, log: createLog(config.logLevel), vectorModel });
    return { ...search, close: () => search.close().finally(() => locks.close()) };
  } catch (error) {
    await locks.close();
    throw error;
  }
}

/**
 * The same as it is, without tables that are brought up to date.
 * @throws CannotStart where the embedded one can't be started
 */
export async function withConnection<T>(
  { databaseUrl, dataDir }: Place,
  work: (connection: pg.PoolConfig) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== undefined) return work({ connectionString: databaseUrl });
  const { connection, stop } = await startEmbedded(dataDir);
  try {
    return await work(connection);
  } finally {
    await stop();
  }
}

async function startEmbedded(dataDir: string) {
  try {
    return await startPostgres({ dataDir, log });
  } catch (error) {
    // The service runs.
    const connection = error instanceof DataDirInUse ? await findPostgres(dataDir) : null;
    if (!connection) throw error;
    return { connection, stop: async () => {} };
  }
}
