import type { Logger } from 'pino';
import type { Config } from '#server/config/config.ts';
import { makePrivate } from '#server/lib/private-folder.ts';
import { type Database, openDatabase } from './db.ts';
import { refuseTransactionPooler } from './pooler.ts';
import { startPostgres } from './postgres/launcher.ts';
import { removeOlderData } from './postgres/upgrade.ts';
import { markOf, refuseOtherFolder } from './shared-folder.ts';
import { bringOver } from './upgrade/bring-over.ts';

/**
 * Makes the data folder ours alone, and opens the configured database, or starts the embedded one; what stops it again
 * goes to the closers.
 */
export async function connect(
  config: Pick<Config, 'databaseUrl' | 'databaseConnections' | 'dataDir' | 'files' | 'searchPlace' | 'secretKey'>,
  log: Logger,
  closers: (() => Promise<void>)[],
): Promise<Database> {
  // Before anything is written into it.
  await makePrivate(config.dataDir);
  const { databaseUrl, databaseConnections: max, dataDir } = config;
  if (databaseUrl === undefined) {
    const postgres = await startPostgres({ dataDir, log, bringOver, say: (line) => console.warn(line) });
    closers.push(() => postgres.stop());
    const db = await openDatabase(postgres.connection, { name: 'embedded PostgreSQL', log, max });
    closers.push(() => db.close());
    return db;
  }
  await refuseTransactionPooler({ connectionString: databaseUrl });
  const mark = await markOf({ dataDir, stores: storesOf(config) });
  const db = await openDatabase({ connectionString: databaseUrl }, { name: 'PostgreSQL', log, max, mark });
  closers.push(() => db.close());
  await refuseOtherFolder(db, mark);
  return db;
}

/**
 * For a service that has started and answers: what an upgrade of the embedded database has kept is not needed any more,
 * and holds what may be deleted from now on.
 */
export async function forgetOlderData({ dataDir }: Pick<Config, 'dataDir'>, log: Logger): Promise<void> {
  try {
    if (await removeOlderData(dataDir)) log.info('the older database, kept for this start, is removed');
  } catch (err) {
    log.warn({ err }, 'the older database can not be removed: the next start tries again');
  }
}

/** Where all that processes share is in stores, and the key that seals is a setting. */
function storesOf({ files, searchPlace, secretKey }: Pick<Config, 'files' | 'searchPlace' | 'secretKey'>) {
  if (!files || !searchPlace || secretKey === undefined) return undefined;
  return [files, searchPlace].map(({ endpoint = '', bucket, prefix }) => `${endpoint} ${bucket}/${prefix}`);
}
