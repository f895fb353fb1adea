import type { JWK } from 'jose';
import { integer, jsonb, pgTable, text } from '../drizzle.ts';
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
