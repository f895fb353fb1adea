import { index, jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { createdAt, instant } from './columns.ts';

// Connected apps: never granted to the app role, since what is here is looked up before anybody is known.

/** Programs that have registered, and as what; none of them has a secret. */
export const oauthClients = pgTable('oauth_clients', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  redirectUris: text('redirect_uris').array().notNull(),
  createdAt: createdAt(),
});

/** What the authorization server keeps: requests under way, codes, tokens, and what each of them was made by. */
export const oauthRecords = pgTable(
  'oauth_records',
  {
    kind: text('kind').notNull(),
    /** SHA-256, base64url, of what its bearer shows: nobody who reads this table can show it. */
    idHash: text('id_hash').notNull(),
    /** The app that it belongs to, as `api_keys.public_id` names it; null: nobody has allowed anything yet. */
    grantId: text('grant_id'),
    payload: jsonb('payload').notNull().$type<Record<string, unknown>>(),
    expiresAt: instant('expires_at').notNull(),
    /** Of what is of use once. */
    consumedAt: instant('consumed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.idHash] }),
    index('oauth_records_grant').on(t.grantId),
    index('oauth_records_expiry').on(t.expiresAt),
  ],
);
