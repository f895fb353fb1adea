import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { queries, users } from '#server/db/schema.ts';
import { isMoment } from '#server/lib/is-moment.ts';
import { askedIn, type Range, sourcesOf } from './sources.ts';

type Feedback = CallOutput<'listFeedback'>;

interface RatedRow {
  [column: string]: unknown;
  id: string;
  rating: 'up' | 'down';
  reason: string | null;
  question: string;
  answer: string;
  askedAt: string;
  person: string | null;
}

const cursorShape = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Rated answers of a range, newest question first. */
export async function feedbackIn(
  tx: Tx,
  range: Range,
  {
    rating,
    cursor,
    limit,
    showNames,
  }: {
    rating?: 'up' | 'down' | undefined;
    cursor?: string | undefined;
    limit: number;
    showNames: boolean;
  },
): Promise<Feedback> {
  const [, moment = ''] = cursorShape.exec(cursor ?? '') ?? [];
  if (cursor !== undefined && !isMoment(moment)) throw new AppError('invalid-input');
  const [at, id] = cursor?.split(' ') ?? [];
  const { rows } = await tx.execute<RatedRow>(sql`
    select rated.id, rating, rating_reason as reason, question, answer, rated.created_at as "askedAt",
      coalesce(${users.displayName}, ${users.email}, (select k.name from api_keys as k where k.id = rated.user_id)) as person
    from ${queries} as rated left join ${users} on ${users.id} = rated.user_id
    where rated.id in (
      select id from ${queries} where rating is not null and ${askedIn(range)}
        and ${rating === undefined ? sql`true` : sql`rating = ${rating}`}
        and ${at === undefined ? sql`true` : sql`(date_trunc('milliseconds', created_at), id) < (${at}, ${id}::uuid)`}
      order by date_trunc('milliseconds', created_at) desc, id desc limit ${limit + 1}
    )
    order by date_trunc('milliseconds', rated.created_at) desc, rated.id desc`);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    feedback: shown.map(({ id: queryId, reason, person, askedAt, ...row }) => ({
      queryId,
      rating: row.rating,
      ...(reason !== null && { reason }),
      question: row.question,
      answer: row.answer,
      askedAt: new Date(askedAt).toISOString(),
      ...(showNames && { person: person ?? 'Removed person' }),
    })),
    ...(rows.length > limit && last && { next: `${new Date(last.askedAt).toISOString()} ${last.id}` }),
  };
}

/** Who asked in a range, most first. */
export async function askersIn(tx: Tx, range: Range, limit: number): Promise<CallOutput<'listAskers'>['people']> {
  const { rows } = await tx.execute<{
    userId: string;
    email: string | null;
    displayName: string | null;
    asked: number;
    unanswered: number;
    rated: number;
    lastAskedAt: string;
  }>(sql`
    select asked.user_id as "userId", email, display_name as "displayName", asked, unanswered, rated,
      asked.last as "lastAskedAt"
    from (
      select user_id, sum(asked)::int as asked, sum(unanswered)::int as unanswered, sum(rated)::int as rated,
        max(last_asked_at) as last
      from ${sourcesOf(range).people} as people
      group by user_id order by sum(asked) desc, max(last_asked_at) desc limit ${limit}
    ) as asked left join ${users} on ${users.id} = asked.user_id
    order by asked desc, asked.last desc`);
  return rows.map(({ email, displayName, lastAskedAt, ...row }) => ({
    ...row,
    ...(email !== null && { email }),
    ...(displayName !== null && { displayName }),
    lastAskedAt: new Date(lastAskedAt).toISOString(),
  }));
}
