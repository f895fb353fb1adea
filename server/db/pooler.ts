import pg from 'pg';
import { CannotStart } from './postgres/cannot-start.ts';

const answerMs = 15_000;

/**
 * What is listened to, what a statement is called and what is locked belongs to a session. A pooler that gives each
 * transaction another one loses them without a word, so the start is refused there.
 * @throws CannotStart
 */
export async function refuseTransactionPooler(connection: pg.ClientConfig): Promise<void> {
  const patient = { connectionTimeoutMillis: answerMs, query_timeout: answerMs, ...connection };
  const [one, other] = [new pg.Client(patient), new pg.Client(patient)];
  try {
    await one.connect();
    const before = await backendOf(one);
    await other.connect();
    // Holds what such a pooler has taken back from the first meanwhile.
    await other.query('begin');
    if ((await backendOf(other)) === before || (await backendOf(one)) !== before)
      throw new CannotStart(
        'Between this service and its database stands a pooler that gives each transaction another connection: set pool_mode = session there, or let DATABASE_URL lead to PostgreSQL itself.',
      );
  } finally {
    for (const client of [one, other]) await client.end().catch(() => {});
  }
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
