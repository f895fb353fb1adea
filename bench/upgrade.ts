import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { openDatabase } from '#server/db/db.ts';
import { findPreviousBinaries } from '#server/db/postgres/binaries.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { bringOver } from '#server/db/upgrade/bring-over.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { insertCompany } from '#server/testing/corpus.ts';
import { fillCompany } from './big-company.ts';
import { megabytes, type Row, seconds } from './figures.ts';

/** Companies alike; `BENCH_COMPANIES` for a quick look. */
const companies = Number(process.env.BENCH_COMPANIES ?? 100);
const chunksEach = 4000;
const copied = ['documents', 'versions', 'blocks', 'chunks'];
const log = pino({ level: 'silent' });

/** A start on the data of the PostgreSQL before, which brings it over. */
export async function measureUpgrade(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  // As root the database runs as another user, who has to get at it.
  await chmod(dataDir, 0o755);
  try {
    const { bytes, rows } = await fill(dataDir);
    const began = performance.now();
    let copiedAt = began;
    const say = (line: string) => {
      console.log(`${seconds(performance.now() - began)}: ${line}`);
      if (line.startsWith('Every row')) copiedAt = performance.now();
    };
    const newer = await startPostgres({ dataDir, log, bringOver, say });
    const ended = performance.now();
    const after = await sizeOf(newer.connection);
    await newer.stop();
    return [
      [
        `a start with ${megabytes(bytes)}, ${rows.toLocaleString('en')} rows of the version before`,
        seconds(ended - began),
        '',
      ],
      ['of this: making the tables and copying', seconds(copiedAt - began), ''],
      ['of this: comparing, counting for the planner, putting in place', seconds(ended - copiedAt), ''],
      ['size afterwards', megabytes(after.bytes), ''],
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function fill(dataDir: string): Promise<{ bytes: number; rows: number }> {
  const binaries = await findPreviousBinaries();
  if (!binaries) throw new Error('postgres-previous is not installed');
  const older = await startPostgres({ dataDir, log, binaries });
  try {
    const db = await openDatabase(older.connection, { name: 'bench', log });
    const companyId = await insertCompany(db);
    // What is measured is the database alone.
    const search = {
      add: async () => {},
      addVectors: async () => {},
      optimize: async () => {},
    } as never as SearchStore;
    await fillCompany({ db, search, companyId }, { chunks: chunksEach, seed: 1 });
    const others = [];
    for (let i = 1; i < companies; i++) others.push(await insertCompany(db));
    await db.close();
    const client = new pg.Client(older.connection);
    await client.connect();
    for (const table of copied) await copyTo(client, table, companyId, others);
    await client.end();
    return await sizeOf(older.connection);
  } finally {
    await older.stop();
  }
}

/** Gives other companies the rows of one. */
async function copyTo(client: pg.Client, table: string, companyId: string, others: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'company_id'`,
    [table],
  );
  const columns = rows[0]?.columns;
  await client.query(
    `insert into ${table} (company_id, ${columns}) select other, ${columns} from unnest($2::uuid[]) other, ${table}
    where company_id = $1`,
    [companyId, others],
  );
}

async function sizeOf(connection: pg.PoolConfig): Promise<{ bytes: number; rows: number }> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: number; rows: number }>(`
      select pg_database_size(current_database())::float8 as bytes,
        (${copied.map((table) => `(select count(*) from ${table})`).join(' + ')})::float8 as rows`);
    return rows[0] ?? { bytes: 0, rows: 0 };
  } finally {
    await client.end();
  }
}
