import pg from 'pg';
import type { Config } from '#server/config/config.ts';
import type { WithConnection } from './database.ts';
import type { Finding } from './finding.ts';

/** For all of them together. A pooler that has no more to give lets whoever asks wait. */
const answerMs = 5000;

/**
 * Whether a database of one's own, or the pooler in front of it, gives as many connections at once as one more process
 * takes. Fewer are noticed late: what is asked waits, up to a minute, and nothing says for what.
 */
export async function examineConnections(
  config: Pick<Config, 'databaseUrl' | 'databaseConnections' | 'role' | 'searchPlace'>,
  withConnection: WithConnection,
): Promise<Finding[]> {
  if (config.databaseUrl === undefined) return [];
  // As docs/operations.md says, “Several processes”.
  const wanted = config.databaseConnections + (config.role === 'web' ? 4 : 9) + (config.searchPlace ? 2 : 0);
  const given = await withConnection((connection) => countGiven(connection, wanted));
  // That it lets nobody in is told of the database itself.
  if (given === 0) return [];
  const about = 'Connections';
  if (given === wanted)
    return [{ about, state: 'right', says: `The database gives the ${wanted} at once that a process takes.` }];
  return [
    {
      about,
      state: 'notice',
      says: `The database gives ${given} more at once; a process takes up to ${wanted}.`,
      todo: 'Raise max_connections of PostgreSQL, or default_pool_size of a pooler, for all processes together; or lower DATABASE_CONNECTIONS.',
    },
  ];
}

async function countGiven(connection: pg.PoolConfig, wanted: number): Promise<number> {
  const patient = { ...connection, connectionTimeoutMillis: answerMs, query_timeout: answerMs };
  const clients = Array.from({ length: wanted }, () => new pg.Client(patient));
  const given = await Promise.all(
    clients.map(async (client) => {
      // One that is refused may say so twice; unheard, that would end the process.
      client.on('error', () => {});
      try {
        await client.connect();
        // A pooler lets in more than it has connections for: only what answers is one.
        await client.query('select 1');
        return true;
      } catch {
        return false;
      }
    }),
  );
  await Promise.all(clients.map((client) => client.end().catch(() => {})));
  return given.filter(Boolean).length;
}
