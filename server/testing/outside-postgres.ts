import pg from 'pg';
import { pino } from 'pino';
import { startPostgres } from '#server/db/postgres/launcher.ts';

/** A connection as `DATABASE_URL` has it. */
export function addressOf({ host, user, password, database }: pg.PoolConfig): string {
  return `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`;
}

/** A database that no process of the product starts or stops. */
export interface OutsidePostgres {
  /** For `DATABASE_URL`: a role that owns the database and is no superuser. */
  url: string;
  connection: pg.PoolConfig;
  query(statement: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm brought below a folder of its own, for processes that are given its address. Killed,
 * it is there again by itself, as under a service manager.
 */
export async function startOutsidePostgres(folder: string): Promise<OutsidePostgres> {
  const { connection, stop } = await startPostgres({ dataDir: folder, log: pino({ level: 'silent' }) });
  return {
    url: addressOf(connection),
    connection,
    query: (statement) => queryOnce(connection, statement),
    stop,
  };
}

/** Asks by a connection of its own, so that none is there when the database is killed. */
export async function queryOnce(connection: pg.PoolConfig, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  // One that breaks while it is ending must not end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
