import { pino } from 'pino';
import type { Config } from '#server/config/config.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { findPostgres, startPostgres } from '#server/db/postgres/launcher.ts';
import { DataDirInUse } from '#server/db/postgres/lock.ts';

const log = pino({ level: 'silent' });

/** The service's database, also while the service uses it. */
export async function withDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const { connection, stop } = await connect(config);
  try {
    const db = await openDatabase(connection, { name: 'command', log });
    await work(db).finally(() => db.close());
  } finally {
    await stop();
  }
}

async function connect({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) {
  const leave = async () => {};
  if (databaseUrl !== undefined) return { connection: { connectionString: databaseUrl }, stop: leave };
  try {
    return await startPostgres({ dataDir, log });
  } catch (error) {
    // The service runs.
    const connection = error instanceof DataDirInUse ? await findPostgres(dataDir) : null;
    if (!connection) throw error;
    return { connection, stop: leave };
  }
}
