import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/db/db.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { openJobs } from '#server/jobs/jobs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { host: string; user: string };
  }
}

const template = 'footnote_template';
const log = pino({ level: 'warn' });

/** Vitest's global set-up: one embedded PostgreSQL for the whole run, with a migrated database to copy, queues included. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'footnote-test-'));
  // As root the server runs as another user, who must get in; the way around needs user namespaces, which not all have.
  await chmod(dataDir, 0o755);
  const postgres = await startPostgres({ dataDir, log });
  const { host = '', user = '' } = postgres.connection;
  // What a test writes need not outlive a power cut.
  await administer({ host, user }, 'alter system set fsync = off', 'select pg_reload_conf()');
  await administer({ host, user }, `create database ${template}`);
  const migrated = await openDatabase({ host, user, database: template }, { name: 'template', log });
  await (await openJobs({ db: migrated, log, alone: true })).stop();
  await migrated.close();
  project.provide('postgres', { host, user: String(user) });
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

export interface TestDatabase {
  connection: pg.PoolConfig;
  drop(): Promise<void>;
}

/** A fresh, migrated database of its own for one test file or one app. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgres');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${database} template ${template}`);
  return {
    connection: { ...server, database },
    drop: () => administer(server, `drop database if exists ${database} with (force)`),
  };
}

async function administer(server: { host: string; user: string }, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
