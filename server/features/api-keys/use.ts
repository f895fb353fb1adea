import type { Actor } from '#server/calls/actor.ts';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { apiKeyDays, companies } from '#server/db/schema.ts';

const { placeholder } = sql;
const counting = keptStatement<{ companyId: string; keyId: string; asked: number; searched: number }>(
  'count-key-use',
  sql`
    insert into ${apiKeyDays} (company_id, day, key_id, asked, searched)
    select ${companies.id}, (now() at time zone ${companies.timeZone})::date, ${placeholder('keyId')}::uuid,
      ${placeholder('asked')}::int, ${placeholder('searched')}::int
    from ${companies} where ${companies.id} = ${placeholder('companyId')}
    on conflict (company_id, day, key_id) do update
      set asked = api_key_days.asked + excluded.asked, searched = api_key_days.searched + excluded.searched`,
);

/** Counts what was asked or searched by a key, on the company's day; of whoever is signed in nothing. */
export async function countKeyUse(
  db: Pick<Database, 'statement'>,
  { companyId, key }: Pick<Actor, 'companyId' | 'key'>,
  use: 'asked' | 'searched',
): Promise<void> {
  if (!key) return;
  const counts = { asked: use === 'asked' ? 1 : 0, searched: use === 'searched' ? 1 : 0 };
  await db.statement(counting.bind({ companyId, keyId: key.id, ...counts }));
}
