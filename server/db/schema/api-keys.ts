import { actingKinds, apiKeyScopes } from '#contract/api-keys.ts';
import { boolean, check, date, foreignKey, index, integer, pgTable, primaryKey, sql, text, uuid } from '../drizzle.ts';
import { collections } from './access.ts';
import { bytes, createdAt, instant } from './columns.ts';
import { companyId } from './companies.ts';
import { users } from './identity.ts';
import { forUnrestricted, ofCompany } from './policies.ts';

export const apiKeys = pgTable(
  'api_keys',
  {
    companyId: companyId(),
    /** A company's key acts under it wherever a person acts under theirs. */
    id: uuid('id').notNull(),
    /** By which a bearer names its key: the part of it that is no secret. Of an app its id, which its tokens name. */
    publicId: text('public_id').notNull().unique(),
    /** SHA-256 of the whole key: of 190 random bits nobody finds another that has it. Of an app none. */
    hash: bytes('hash'),
    kind: text('kind', { enum: actingKinds }).notNull(),
    /** Of a personal key and of an app, which end with their person. */
    userId: uuid('user_id'),
    /** Of a company's key; the others have the role of their person. */
    role: text('role', { enum: ['admin', 'member'] }),
    scope: text('scope', { enum: apiKeyScopes }).notNull(),
    name: text('name').notNull(),
    /** Of a company's key: it sees what is in `api_key_collections`, beside what is in none. */
    withinCollections: boolean('within_collections').notNull().default(false),
    /** Of an app: the program, as it is registered or as its document is addressed. */
    clientId: text('client_id'),
    /** Of an app: the host name that was told that it is connected. */
    clientAddress: text('client_address'),
    createdByEmail: text('created_by_email').notNull(),
    createdAt: createdAt(),
    /** Null: never. */
    expiresAt: instant('expires_at'),
    /** To the minute. */
    lastUsedAt: instant('last_used_at'),
    /** The row stays for what analytics tell of it. */
    revokedAt: instant('revoked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.userId], foreignColumns: [users.companyId, users.id] }).onDelete('cascade'),
    index('api_keys_user').on(t.companyId, t.userId),
    check('api_keys_whose', sql`(kind = 'company') = (user_id is null) and (kind = 'company') = (role is not null)`),
    check(
      'api_keys_app',
      sql`(kind = 'app') = (hash is null) and (kind = 'app') = (client_id is not null) and (kind = 'app') = (client_address is not null)`,
    ),
    ofCompany(),
  ],
);

/** What a company's key may see of the collections, where it is kept within some. */
export const apiKeyCollections = pgTable(
  'api_key_collections',
  { companyId: companyId(), keyId: uuid('key_id').notNull(), collectionId: uuid('collection_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.companyId, t.keyId, t.collectionId] }),
    foreignKey({
      name: 'api_key_collections_key_fk',
      columns: [t.companyId, t.keyId],
      foreignColumns: [apiKeys.companyId, apiKeys.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'api_key_collections_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }).onDelete('cascade'),
    index('api_key_collections_collection').on(t.companyId, t.collectionId),
    ofCompany(),
    forUnrestricted(),
  ],
);

/** What was asked by a key, counted by the company's days as they were then. */
export const apiKeyDays = pgTable(
  'api_key_days',
  {
    companyId: companyId(),
    day: date('day', { mode: 'string' }).notNull(),
    keyId: uuid('key_id').notNull(),
    asked: integer('asked').notNull(),
    searched: integer('searched').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.day, t.keyId] }),
    foreignKey({
      name: 'api_key_days_key_fk',
      columns: [t.companyId, t.keyId],
      foreignColumns: [apiKeys.companyId, apiKeys.id],
    }).onDelete('cascade'),
    index('api_key_days_key').on(t.companyId, t.keyId),
    ofCompany(),
  ],
);
