import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
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
import { isAskedByPerson } from './key-use.ts';
import { forgetMonths, openMonths } from './months.ts';

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
export async function forgetDays(tx: Tx, companyId: string, before?: string): Promise<void> {
  for (const table of tables) {
    await tx.delete(table).where(before === undefined ? sql`true` : sql`${table.day} < ${before}`);
  }
  await forgetMonths(tx, companyId, before);
}

/**
 * Counts days anew from the questions that are counted as some asked question.
 * @param days as `2026-11-22`, in the time zone
 */
export async function countDays(tx: Tx, companyId: string, days: readonly string[], timeZone: string): Promise<void> {
  for (const table of tables) await tx.delete(table).where(sql`${table.day} = any(${sql.param(days)}::date[])`);
  // Two bounds a statement, which an index serves; days that lie apart would have it read all that is in between.
  for (const [first, last] of runsOf(days)) await countRun(tx, companyId, { first, last, timeZone });
  await openMonths(tx, companyId, days);
}

/** Days that follow each other, as their first and last. */
function runsOf(days: readonly string[]): [first: string, last: string][] {
  const runs: [string, string][] = [];
  for (const day of days.toSorted()) {
    const run = runs.at(-1);
    if (run && Date.parse(day) - Date.parse(run[1]) === 86_400_000) run[1] = day;
    else runs.push([day, day]);
  }
  return runs;
}

/**
 * As one statement, which reads the questions once. What has many rows a day is written day by day, so that a range is
 * read from pages that follow each other.
 */
async function countRun(
  tx: Tx,
  companyId: string,
  { first, last, timeZone }: { first: string; last: string; timeZone: string },
): Promise<void> {
  const company = sql`${companyId}::uuid`;
  await tx.execute(sql`
    with asked as materialized (
      select local::date as day, extract(hour from local)::int as hour, id, user_id, asked_question_id, answered, rating,
        duration_ms, created_at
      from (select *, created_at at time zone ${timeZone} as local from ${queries}) as asked
      where created_at >= (${first}::date)::timestamp at time zone ${timeZone}
        and created_at < (${last}::date + 1)::timestamp at time zone ${timeZone}
        and asked_question_id is not null and not is_trial
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
      from asked where ${isAskedByPerson} group by day, user_id order by day
    ),
    questions as (
      insert into ${analyticsQuestions}
        (company_id, day, asked_question_id, asked, unanswered, last_asked_at, last_unanswered_at)
      select ${company}, day, asked_question_id, count(*), count(*) filter (where not answered), max(created_at),
        max(created_at) filter (where not answered)
      from asked group by day, asked_question_id order by day
    )
    insert into ${analyticsDocuments} (company_id, day, document_id, citations, last_cited_at)
    select ${company}, day, document_id, count(*), max(asked.created_at)
    from asked join ${citations} on ${citations.queryId} = asked.id
    group by day, document_id order by day`);
}
