import { createRequire } from 'node:module';
import type * as Core from 'drizzle-orm';
import type * as NodePostgres from 'drizzle-orm/node-postgres';
import type * as Migrator from 'drizzle-orm/node-postgres/migrator';
import type * as Postgres from 'drizzle-orm/pg-core';

/**
 * Drizzle as CommonJS. Where it is imported, Node parses the 180 KB of its package.json anew for each import between
 * its own hundred files, which took every start half a second of a processor and 200 MB.
 */
const load = createRequire(import.meta.url);
const core: typeof Core = load('drizzle-orm');
const postgres: typeof Postgres = load('drizzle-orm/pg-core');
const nodePostgres: typeof NodePostgres = load('drizzle-orm/node-postgres');

export type { SQL, SQLWrapper } from 'drizzle-orm';
export type { NodePgDatabase } from 'drizzle-orm/node-postgres';
export type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

export const {
  and,
  arrayContains,
  asc,
  count,
  desc,
  eq,
  exists,
  fillPlaceholders,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  not,
  notInArray,
  or,
  sql,
} = core;

export const {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  PgDialect,
  pgPolicy,
  pgRole,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} = postgres;

export const { drizzle, NodePgSession, NodePgTransaction } = nodePostgres;

const { migrate }: typeof Migrator = load('drizzle-orm/node-postgres/migrator');

export { migrate };
