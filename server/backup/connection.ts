import pg from 'pg';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';

export interface OneConnection {
  client: pg.Client;
  /** @throws CannotStart once the connection has broken */
  mustStand(): void;
}

/**
 * One connection for as long as the work takes. Files are copied meanwhile, and nothing is asked of it: a break that
 * nobody listens for would end the process.
 * @param after what a break leaves, and what to do: the second sentence of what is then said
 * @throws CannotStart where there is none to be had, or it breaks, whatever the work has failed by because of it
 */
export async function onOneConnection<T>(
  connection: pg.ClientConfig,
  after: string,
  work: (connection: OneConnection) => Promise<T>,
): Promise<T> {
  // What stands between may forget a connection on which nothing is said.
  const client = new pg.Client({ ...connection, keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
  let broken: CannotStart | undefined;
  const breakBy = (cause: unknown) => {
    broken ??= new CannotStart(`The connection to the database broke. ${after}`, { cause });
    return broken;
  };
  await client.connect().catch((cause) => {
    throw new CannotStart(`The database can't be reached: ${cause.message || cause.code}.`, { cause });
  });
  client.on('error', breakBy);
  try {
    return await work({
      client,
      mustStand() {
        if (broken) throw broken;
      },
    });
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    // A statement hears that its session is ended before the connection is.
    if (isFatal(error)) throw breakBy(error);
    throw broken ?? error;
  } finally {
    await client.end();
  }
}

const isFatal = (error: unknown): boolean => error instanceof pg.DatabaseError && error.severity === 'FATAL';
