import type { Logger } from 'pino';
import type { Config } from '#server/config/config.ts';
import { makePrivate } from '#server/lib/private-folder.ts';
import { type Database, openDatabase } from './db.ts';
import { refuseTransactionPooler } from './pooler.ts';
import { startPostgres } from './postgres/launcher.ts';

/**
 * Makes the data folder ours alone, and opens the configured database, or starts the embedded one; what stops it again
 * goes to the closers.
 */
export async function connect(
  config: Pick<Config, 'databaseUrl' | 'databaseConnections' | 'dataDir'>,
  log: Logger,
  closers: (() => Promise<void>)[],
): Promise<Database> {
  // Before anything is written into it.
  await makePrivate(config.dataDir);
  const db = await open(config, log, closers);
  closers.push(() => db.close());
  return db;
}

async function open(
  { databaseUrl, databaseConnections: max, dataDir }: Pick<Config, 'databaseUrl' | 'databaseConnections' | 'dataDir'>,
  log: Logger,
  closers: (() => Promise<void>)[],
) {
  if (databaseUrl !== undefined) {
    await refuseTransactionPooler({ connectionString: databaseUrl });
    return openDatabase({ connectionString: databaseUrl }, { name: 'PostgreSQL', log, max });
  }
  const postgres = await startPostgres({ dataDir, log });
  closers.push(() => postgres.stop());
  return openDatabase(postgres.connection, { name: 'embedded PostgreSQL', log, max });
}
