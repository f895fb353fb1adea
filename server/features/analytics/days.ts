import { sql } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import {
  analyticsDays,
  analyticsDocuments,
  analyticsHours,
  analyticsPeople,
  analyticsQuestions,
  analyticsSpeeds,
  citations,
  queries,
} from '#server/db/schema.ts';

/** Each step of the durations is a tenth longer than the one before: medians are right to 10 %. */
export const durationStep = 1.1;

const tables = [
  analyticsDays,
  analyticsHours,
  analyticsSpeeds,
  analyticsPeople,
  analyticsQuestions,
  analyticsDocuments,
] as const;

/** Removes the aggregates of the transaction's company: of all days, or of those before one. */
export async function forgetDays(tx: Tx, before?: string): Promise<void> {
  for (const table of tables) {
    await tx.delete(table).where(before === undefined ? sql`true` : sql`${table.day} < ${before}`);
  }
}

/**
 * Counts days anew from the questions that are counted as some asked question.
 * @param days as `2026-11-22`, in the time zone
 */
export async function countDays(tx: Tx, companyId: string, days: readonly string[], timeZone: string): Promise<void> {
  const all = sql`${sql.param(days)}::date[]`;
  for (const table of tables) await tx.delete(table).where(sql`${table.day} = any(${all})`);
  const company = sql`${companyId}::uuid`;
  const begin = (day: ReturnType<typeof sql>) => sql`(${day})::timestamp at time zone ${timeZone}`;
  // As one statement, which reads the questions once. The days' bounds rather than the questions' days, or no index
  // would serve.
  await tx.execute(sql`
    with asked as materialized (
      select given.day, asked.id, asked.user_id, asked.asked_question_id, asked.answered, asked.rating,
        asked.duration_ms, asked.created_at,
        extract(hour from asked.created_at at time zone ${timeZone})::int as hour
      from unnest(${all}) as given (day)
      join ${queries} as asked
        on asked.created_at >= ${begin(sql`given.day`)} and asked.created_at < ${begin(sql`given.day + 1`)}
      where asked.asked_question_id is not null and not asked.is_trial
    ),
    days as (
      insert into ${analyticsDays} (company_id, day, asked, unanswered, helpful, not_helpful)
      select ${company}, day, count(*), count(*) filter (where not answered), count(*) filter (where rating = 'up'),
        count(*) filter (where rating = 'down')
      from asked group by day
    ),
    hours as (
      insert into ${analyticsHours} (company_id, day, hour, asked)
      select ${company}, day, hour, count(*) from asked group by day, hour
    ),
    speeds as (
      insert into ${analyticsSpeeds} (company_id, day, step, asked)
      select ${company}, day, floor(ln(greatest(duration_ms, 1)) / ln(${durationStep}::float8))::int as step, count(*)
      from asked group by day, step
    ),
    people as (
      insert into ${analyticsPeople} (company_id, day, user_id, asked, unanswered, rated, last_asked_at)
      select ${company}, day, user_id, count(*), count(*) filter (where not answered), count(rating), max(created_at)
      from asked group by day, user_id
    ),
    questions as (
      insert into ${analyticsQuestions}
        (company_id, day, asked_question_id, asked, unanswered, last_asked_at, last_unanswered_at)
      select ${company}, day, asked_question_id, count(*), count(*) filter (where not answered), max(created_at),
        max(created_at) filter (where not answered)
      from asked group by day, asked_question_id
    )
    insert into ${analyticsDocuments} (company_id, day, document_id, citations, last_cited_at)
    select ${company}, day, document_id, count(*), max(asked.created_at)
    from asked join ${citations} on ${citations.queryId} = asked.id
    group by day, document_id`);
}
