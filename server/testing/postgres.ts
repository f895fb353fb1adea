import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/db/db.ts';
import { administerPostgres, startPostgres } from '#server/db/postgres/launcher.ts';
import { openJobs } from '#server/jobs/jobs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: Server;
  }
}

interface Server {
  host: string;
  /** As whom the service works, whose password this is. */
  user: string;
  password: string;
  /** The superuser of these tests. */
  administrator: { user: string; password: string };
}

const template = 'footnote_template';
const log = pino({ level: 'warn' });

/**
 * Vitest's global set-up: one embedded PostgreSQL for the whole run, with a migrated database to copy, queues included.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'footnote-test-'));
  // As root the server runs as another user, who must get in; the way around needs user namespaces, which not all have.
  await chmod(dataDir, 0o755);
  const administrator = { user: 'tester', password: randomUUID() };
  await administerPostgres({ dataDir, log }, [
    `create role tester superuser login password '${administrator.password}'`,
    // What a test writes need not outlive a power cut.
    'alter system set fsync = off',
  ]);
  const postgres = await startPostgres({ dataDir, log });
  const { host = '', user = '', password } = postgres.connection;
  const server = { host, user: String(user), password: String(password), administrator };
  await administer(server, `create database ${template} owner ${user}`);
  const migrated = await openDatabase({ ...postgres.connection, database: template }, { name: 'template', log });
  await (await openJobs({ db: migrated, log, alone: true })).stop();
  await migrated.close();
  project.provide('postgres', server);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

export interface TestDatabase {
  /** As whom the service works. */
  connection: pg.PoolConfig;
  /** Runs statements in it as a superuser. */
  administer(...statements: string[]): Promise<void>;
  drop(): Promise<void>;
}

/** A fresh, migrated database of its own for one test file or one app; `empty`: without a table. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const server = inject('postgres');
  const { host, user, password } = server;
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${database} template ${empty ? 'template0' : template} owner ${user}`);
  return {
    connection: { host, user, password, database },
    administer: (...statements) => administer({ ...server, database }, ...statements),
    drop: () => administer(server, `drop database if exists ${database} with (force)`),
  };
}

async function administer(
  { host, administrator, database = 'postgres' }: Server & { database?: string },
  ...statements: string[]
): Promise<void> {
  const client = new pg.Client({ host, database, ...administrator });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
