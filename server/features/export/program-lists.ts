import { apiKeyStart } from '#contract/api-keys.ts';
import { wholeCompany } from '#server/db/audience.ts';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { byTime, type Line, paged } from './rows.ts';

/**
 * API keys that were ever made, without the keys, of which nobody knows more than their hash; and apps that were
 * connected.
 * @param personId whose own alone; absent: the company's and everybody's
 */
export function keyLines(db: Database, companyId: string, personId?: string): AsyncGenerator<Line> {
  const own = personId === undefined ? sql`true` : sql`k.user_id = ${personId}`;
  return paged(db, wholeCompany(companyId), (after, limit) => {
    const { place, behind, order } = byTime(sql`k.created_at`, sql`k.id`, after);
    return sql`
      select ${place} as place, json_build_object(
        'keyId', k.id, 'start', case when k.kind <> 'app' then ${apiKeyStart}::text || k.public_id end, 'name', k.name, 'kind', k.kind, 'uid', k.user_id,
        'address', k.client_address,
        'role', k.role, 'scope', k.scope, 'createdAt', k.created_at, 'createdBy', k.created_by_email,
        'expiresAt', k.expires_at, 'lastUsedAt', k.last_used_at, 'revokedAt', k.revoked_at,
        'collectionIds', case when k.within_collections then coalesce((
          select json_agg(w.collection_id order by w.collection_id) from api_key_collections w
          where w.company_id = k.company_id and w.key_id = k.id), '[]'::json) end) as line
      from api_keys k where ${behind} and ${own} order by ${order} limit ${limit}`;
  });
}

/** The webhooks, without their secrets. */
export function webhookLines(db: Database, companyId: string): AsyncGenerator<Line> {
  return paged(db, wholeCompany(companyId), (after, limit) => {
    const { place, behind, order } = byTime(sql`h.created_at`, sql`h.id`, after);
    return sql`
      select ${place} as place, json_build_object(
        'webhookId', h.id, 'url', h.url, 'events', h.events, 'createdAt', h.created_at,
        'createdBy', h.created_by_email, 'offReason', h.off_reason, 'offAt', h.off_at,
        'collectionIds', case when h.within_collections then coalesce((
          select json_agg(w.collection_id order by w.collection_id) from webhook_collections w
          where w.company_id = h.company_id and w.webhook_id = h.id), '[]'::json) end) as line
      from webhooks h where ${behind} order by ${order} limit ${limit}`;
  });
}
