import pg from 'pg';
import type { Logger } from 'pino';
import { isUuid } from '#server/lib/is-uuid.ts';
import { type NodePgDatabase, NodePgSession, NodePgTransaction, PgDialect, type SQL, sql } from './drizzle.ts';
import { type Channel, openListener } from './listen.ts';
import { migrateToNewest } from './migrate.ts';
import { CannotStart } from './postgres/cannot-start.ts';

type Connection = NodePgDatabase;
/** A transaction; queries are built with drizzle or its `sql`, always with parameters. */
export type Tx = Parameters<Parameters<Connection['transaction']>[0]>[0];

/** A statement with the values that it is sent with (`kept-statement.ts`). */
export interface BoundStatement {
  name: string;
  text: string;
  params: unknown[];
}

/**
 * Through whose eyes a transaction sees a company's documents: a person's, as far as their access goes when it begins,
 * or those of whoever sees exactly these collections (null: all of them).
 */
export type Reader =
  | { companyId: string; userId: string }
  | { companyId: string; userId?: undefined; collections: readonly string[] | null };

export interface Database {
  /** The implementation's name, for `/readyz`: `embedded PostgreSQL` or `PostgreSQL`. */
  readonly name: string;
  /**
   * Runs the work in one transaction that sees this company's rows only (row-level security).
   * Commits when it resolves, rolls back when it throws. It sees every collection: for jobs, and for what is no
   * document's; whatever a person reads is read by `asActor`.
   */
  asCompany<T>(companyId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same, and of documents and all that hangs on them only what the reader may see. */
  asActor<T>(reader: Reader, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same without the restriction: for jobs and sign-in only. */
  asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The same for one statement that stands alone: it is a transaction by itself, and so takes one round trip, not
   * three.
   */
  statement<Row extends pg.QueryResultRow>(statement: SQL | BoundStatement): Promise<Row[]>;
  /** Sends a notification when the transaction commits. */
  notify(tx: Tx, channel: Channel, payload: Record<string, unknown>): Promise<void>;
  /** Calls back for every notification on the channel, from any process; returns how to stop. */
  listen(channel: Channel, heard: (payload: Record<string, unknown>) => void, missed?: () => void): Promise<() => void>;
  /** How a driver of its own (the job queue) reaches the same database. */
  readonly connection: pg.PoolConfig;
  close(): Promise<void>;
}

/** Any number will do, as long as nothing else of ours locks it. */
const migrationLock = 7_201_031;
const oldestVersion = 15;
/** When all connections are busy, or the server is out of reach, waiting longer helps nobody. */
const connectTimeoutMs = 15_000;

/**
 * Opens the database and brings its tables up to date.
 * @param connection where PostgreSQL (15 or newer) listens; its user owns the tables and need not be a superuser
 * @param max connections that are open at once, beside the one that listens
 * @param mark what the one that listens calls itself, for other processes to see
 * @param restoring it may be one that is being restored
 */
export async function openDatabase(
  connection: pg.PoolConfig,
  {
    name,
    log,
    max = 16,
    mark,
    restoring,
  }: { name: string; log: Logger; max?: number; mark?: string; restoring?: boolean },
): Promise<Database> {
  const pool = new pg.Pool({ max, connectionTimeoutMillis: connectTimeoutMs, ...connection });
  // A connection that breaks, idle or between two statements, must not end the process; the next query takes a new one.
  pool.on('error', (error) => log.warn({ error: error.message }, 'an idle database connection broke'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ error: error.message }, 'a database connection broke'));
  });
  try {
    await bringUpToDate(pool, { restoring });
    if (await isSuperuser(pool)) {
      log.warn(
        'The role that logs in to the database is a superuser. One that owns the database is enough (docs/operations.md).',
      );
    }
  } catch (error) {
    await pool.end();
    throw error;
  }
  const listener = openListener(connection, log, mark);

  /**
   * Drizzle's own way to a pool keeps a connection for ever that breaks as the transaction begins, and can't begin one
   * and say whose it is in one round trip: every call waits for several.
   * @param begin SQL without parameters
   */
  async function transaction<T>(work: (tx: Tx) => Promise<T>, begin = 'begin'): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query(begin);
      try {
        const result = await work(transactionOn(client));
        await client.query('commit');
        return result;
      } catch (error) {
        // Why it failed says more than that the connection is broken by now.
        await client.query('rollback').catch(() => {});
        throw error;
      }
    } finally {
      client.release();
    }
  }

  return {
    name,
    connection,

    asCompany(companyId, work) {
      if (!isUuid(companyId.toLowerCase())) return Promise.reject(new Error('not a company id'));
      // Statements without parameters travel together; the id has just been seen to be nothing but one.
      return transaction(work, `begin; set local role footnote_app; set local app.company_id = '${companyId}'`);
    },

    asActor(reader, work) {
      const { companyId } = reader;
      const ids = reader.userId === undefined ? (reader.collections ?? []) : [reader.userId];
      if (![companyId, ...ids].every((id) => isUuid(id.toLowerCase()))) return Promise.reject(new Error('not an id'));
      return transaction(
        work,
        `begin; ${seeing(reader)}; set local role footnote_app; set local app.company_id = '${companyId}'`,
      );
    },

    asSystem: (work) => transaction(work),

    async statement<Row extends pg.QueryResultRow>(statement: SQL | BoundStatement) {
      const { text, params: values, name: kept } = 'text' in statement ? statement : plain(statement);
      const { rows } = await pool.query<Row>({ name: kept, text, values });
      return rows;
    },

    async notify(tx, channel, payload) {
      await tx.execute(sql`select pg_notify(${channel}, ${JSON.stringify(payload)})`);
    },

    listen: (channel, heard, missed) => listener.listen(channel, heard, missed),

    async close() {
      await listener.close();
      await pool.end();
    },
  };
}

/**
 * Says which collections the transaction sees, as the policies ask for it: an array, or nothing for all of them. A
 * company's role may not ask whom a collection is for: it is said before that is taken on. The ids have been seen to be
 * nothing but ids.
 */
function seeing(reader: Reader): string {
  if (reader.userId !== undefined)
    return `select set_config('app.collections', coalesce(visible_collections('${reader.companyId}', '${reader.userId}')::text, ''), true)`;
  const { collections } = reader;
  return `set local app.collections = '${collections === null ? '' : `{${collections.join(',')}}`}'`;
}

const dialect = new PgDialect();

function plain(statement: SQL): Omit<BoundStatement, 'name'> & { name?: undefined } {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return { text, params };
}

function transactionOn(client: pg.PoolClient): Tx {
  return new NodePgTransaction(dialect, new NodePgSession(client, dialect, undefined), undefined);
}

/**
 * Runs one statement with the owner's rights inside a transaction of `asCompany`: for what a company may cause, and
 * must not be able to read or change afterwards. The rows that it touches must not depend on what a caller has sent.
 */
export async function asOwner<T>(tx: Tx, statement: () => Promise<T>): Promise<T> {
  const { rows } = await tx.execute<{ role: string }>(
    sql`select current_setting('role') as role, set_config('role', 'none', true)`,
  );
  const back = () => tx.execute(sql`select set_config('role', ${rows[0]?.role ?? 'none'}, true)`);
  let result: T;
  try {
    result = await statement();
  } catch (error) {
    // Whoever catches this must not go on as the owner, who sees every company; a broken transaction can't go on at
    // all.
    await back().catch(() => {});
    throw error;
  }
  await back();
  return result;
}

async function isSuperuser(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ yes: boolean }>(
    'select rolsuper as yes from pg_roles where rolname = session_user',
  );
  return rows[0]?.yes ?? false;
}

/** Several processes may start at once; one of them migrates, the others wait. */
async function bringUpToDate(pool: pg.Pool, options: { restoring: boolean | undefined }): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ number: number }>(
      `select current_setting('server_version_num')::int / 10000 as number`,
    );
    const version = rows[0]?.number ?? 0;
    if (version < oldestVersion)
      throw new CannotStart(`The database is PostgreSQL ${version}. It must be ${oldestVersion} or newer.`);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await migrateToNewest(client, options);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {});
    client.release();
  }
}
