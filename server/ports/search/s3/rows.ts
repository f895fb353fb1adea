import pg from 'pg';
import type { Logger } from 'pino';

/** A company's table in the store, as the last change left it. */
export interface TableRow {
  name: string;
  /** Higher with each change. */
  version: number;
}

/** What each search asks: read and planned once for each connection. */
const findTable = {
  name: 'search-table',
  text: 'select name, version from search_tables where place = $1 and company_id = $2',
};

export type TableRows = ReturnType<typeof tableRows>;

/** Searches look once each, changes are told by those who hold a transaction already: never one of its connections. */
const connections = 2;
const connectTimeoutMs = 15_000;

/** The connections on which processes tell each other of search tables. */
export function rowsPool(connection: pg.PoolConfig, log: Logger): pg.Pool {
  const pool = new pg.Pool({ max: connections, connectionTimeoutMillis: connectTimeoutMs, ...connection });
  pool.on('error', (error) => log.warn({ error: error.message }, 'an idle database connection broke'));
  return pool;
}

/**
 * Which tables there are in one place of the store, and how often each was changed: whoever has a copy of one asks
 * here, not there, whether it is the newest. A change is told after it was made, and before anybody is told that it
 * was.
 */
export function tableRows(pool: pg.Pool, place: string) {
  const run = async (text: string, ...values: unknown[]) =>
    (await pool.query<{ companyId: string; name: string; version: string }>(text, [place, ...values])).rows;

  return {
    async find(companyId: string): Promise<TableRow | null> {
      const {
        rows: [row],
      } = await pool.query<{ name: string; version: string }>({ ...findTable, values: [place, companyId] });
      return row ? { name: row.name, version: Number(row.version) } : null;
    },

    async companies(): Promise<Set<string>> {
      const rows = await run('select company_id as "companyId" from search_tables where place = $1');
      return new Set(rows.map(({ companyId }) => companyId));
    },

    /** Says that the table was changed. */
    async changed(companyId: string, name: string): Promise<void> {
      await run(
        'update search_tables set version = version + 1 where place = $1 and company_id = $2 and name = $3',
        companyId,
        name,
      );
    },

    /** Puts this table in the place of whichever the company had. */
    async put(companyId: string, name: string): Promise<void> {
      await run(
        `with written as (
          insert into search_tables (place, company_id, name, version) values ($1, $2, $3, 1)
          on conflict (company_id, place) do update set name = excluded.name, version = search_tables.version + 1
        ) select pg_notify('search', json_build_object('place', $1::text, 'companyId', $2::text, 'name', $3::text)::text)`,
        companyId,
        name,
      );
    },

    /** @param name removed if it is still this one; absent: whichever it is */
    async remove(companyId: string, name?: string): Promise<void> {
      await run(
        `with removed as (
          delete from search_tables where place = $1 and company_id = $2 and ($3::text is null or name = $3)
        ) select pg_notify('search', json_build_object('place', $1::text, 'companyId', $2::text)::text)`,
        companyId,
        name ?? null,
      );
    },

    /** Forgets all tables of places that begin so, but for those of this one. */
    async forgetOthers(start: string): Promise<void> {
      await run('delete from search_tables where starts_with(place, $2) and place <> $1', start);
    },
  };
}
