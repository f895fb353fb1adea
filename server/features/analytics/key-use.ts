import type { CallOutput } from '#contract/calls.ts';
import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { apiKeyDays, apiKeys, users } from '#server/db/schema.ts';

/**
 * Which askers are people: a company's key asks under its own id. For rows that name whoever asked `user_id`; below
 * row-level security these are the company's keys alone.
 */
export const isAskedByPerson = sql`user_id <> all (array(select k.id from api_keys as k where k.kind = 'company'))`;

type KeyUse = NonNullable<CallOutput<'getAnalytics'>['keys']>;

/** What was asked and searched by each key in a range, most first; also by keys that are revoked. */
export async function keysUsed(
  tx: Tx,
  { from, to, userId }: { from: string; to: string; userId?: string | undefined },
  { showNames }: { showNames: boolean },
): Promise<KeyUse> {
  const { rows } = await tx.execute<
    { [column: string]: unknown } & Omit<KeyUse[number], 'person'> & { email: string | null }
  >(sql`
    select used.key_id as "keyId", ${apiKeys.name}, ${apiKeys.kind}, ${users.email}, used.asked, used.searched
    from (
      select key_id, sum(asked)::int as asked, sum(searched)::int as searched
      from ${apiKeyDays} where day between ${from} and ${to} group by key_id
    ) as used join ${apiKeys} on ${apiKeys.id} = used.key_id left join ${users} on ${users.id} = ${apiKeys.userId}
    where ${userId === undefined ? sql`true` : sql`${apiKeys.userId} = ${userId}`}
    order by used.asked + used.searched desc, used.key_id`);
  return rows.map(({ email, name, kind, ...row }) => ({
    ...row,
    kind,
    // What people call their keys may say whose they are.
    name: showNames || kind === 'company' ? name : kind === 'app' ? 'Connected app' : 'Personal key',
    ...(showNames && email !== null && { person: email }),
  }));
}
