import { index, jsonb, pgTable, text, uniqueIndex, uuid } from '../drizzle.ts';
import { createdAt, instant } from './columns.ts';

// The embedded identity provider: its own tables, which know no companies. Never granted to the app role.

export const identityAccounts = pgTable(
  'identity_accounts',
  {
    uid: text('uid').primaryKey(),
    /** Lower case. */
    email: text('email').notNull(),
    /** argon2id, in its PHC string; null until a code has set a password. */
    passwordHash: text('password_hash'),
    claims: jsonb('claims').$type<{ role: 'admin' | 'member'; companyId: string }>(),
    /** No token is dated before this moment: earlier ones are refused by the users' `tokens_valid_since`. */
    tokensFrom: instant('tokens_from'),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('identity_accounts_email').on(t.email)],
);

const identityUid = () =>
  text('uid')
    .notNull()
    .references(() => identityAccounts.uid, { onDelete: 'cascade' });

export const identityRefreshTokens = pgTable(
  'identity_refresh_tokens',
  {
    /** sha-256, hex: the token itself is never stored. */
    tokenHash: text('token_hash').primaryKey(),
    uid: identityUid(),
    /** All tokens that descend from one sign-in; reuse of a spent one revokes the family. */
    familyId: uuid('family_id').notNull(),
    /** When the family's person proved who they are. */
    authenticatedAt: instant('authenticated_at').notNull(),
    /** When it was exchanged for its successor. */
    usedAt: instant('used_at'),
    revokedAt: instant('revoked_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('identity_refresh_tokens_family').on(t.familyId),
    index('identity_refresh_tokens_uid').on(t.uid),
    index('identity_refresh_tokens_expiry').on(t.expiresAt),
  ],
);

/** What an outside provider gave for a session: its own refresh token, sealed. */
export const identityRemoteSessions = pgTable(
  'identity_remote_sessions',
  {
    familyId: uuid('family_id').primaryKey(),
    uid: identityUid(),
    sealedToken: text('sealed_token').notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('identity_remote_sessions_uid').on(t.uid)],
);

export const identityCodes = pgTable(
  'identity_codes',
  {
    /** sha-256, hex. */
    codeHash: text('code_hash').primaryKey(),
    uid: identityUid(),
    purpose: text('purpose', { enum: ['reset', 'invite'] }).notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [index('identity_codes_uid').on(t.uid), index('identity_codes_expiry').on(t.expiresAt)],
);
