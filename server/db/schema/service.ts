import type { JWK } from 'jose';
import { check, integer, jsonb, pgTable, sql, text } from '../drizzle.ts';
import { createdAt, instant } from './columns.ts';

/**
 * Secrets the service makes for itself: the ID token's signing keys, the key of file links. Never granted to the app
 * role.
 */
export const serviceKeys = pgTable('service_keys', {
  id: text('id').primaryKey(),
  purpose: text('purpose', {
    enum: ['id-token', 'file-link', 'export-link', 'refresh-token', 'device', 'set-up', 'audit-link', 'app-request'],
  }).notNull(),
  /** A JWK, private part included. */
  jwk: jsonb('jwk').notNull().$type<JWK>(),
  createdAt: createdAt(),
  retiredAt: instant('retired_at'),
});

/** Fixed windows counted for all processes together; `key` names the limit and whom it is for. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  windowStart: instant('window_start').notNull(),
  count: integer('count').notNull(),
});

/**
 * When the newest good backup was made: one row at most, which the backup writes. It is in no backup itself, so that a
 * database that was restored claims none, wherever it stands, until one was made there.
 */
export const lastBackups = pgTable(
  'last_backup',
  {
    id: integer('id').primaryKey().default(1),
    madeAt: instant('made_at').notNull(),
    folder: text('folder').notNull(),
  },
  (table) => [check('last_backup_alone', sql`${table.id} = 1`)],
);
