import pg from 'pg';
import { CannotStart } from './postgres/cannot-start.ts';

const answerMs = 15_000;

const refusal =
  'Between this service and its database stands a pooler that gives each transaction another connection: set pool_mode = session there, or let DATABASE_URL lead to PostgreSQL itself.';

/**
 * What is listened to, what a statement is called and what is locked belongs to a session. A pooler that gives each
 * transaction another one loses them without a word, so the start is refused there.
 * @throws CannotStart
 */
export async function refuseTransactionPooler(connection: pg.ClientConfig): Promise<void> {
  const patient = { connectionTimeoutMillis: answerMs, query_timeout: answerMs, ...connection };
  const clients = [new pg.Client(patient), new pg.Client(patient), new pg.Client(patient)] as const;
  const [one, ...others] = clients;
  // What breaks is told by the question that was asked on it; unheard, it would end the process.
  for (const client of clients) client.on('error', () => {});
  try {
    await one.connect();
    const before = await backendOf(one);
    // Each holds what such a pooler has taken back meanwhile: from the first, whichever of two it gives in turn.
    for (const other of others) {
      await other.connect();
      await begin(other);
      if ((await backendOf(other)) === before || (await backendOf(one)) !== before) throw new CannotStart(refusal);
    }
  } finally {
    for (const client of clients) await client.end().catch(() => {});
  }
}

/** @throws CannotStart behind a pooler that gives each statement another connection, and takes no transaction */
async function begin(client: pg.Client): Promise<void> {
  await client.query('begin').catch((cause) => {
    throw new CannotStart(refusal, { cause });
  });
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
