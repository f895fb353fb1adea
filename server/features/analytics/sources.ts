import { type SQL, sql } from 'drizzle-orm';
import {
  analyticsDays,
  analyticsDocuments,
  analyticsHours,
  analyticsQuestions,
  analyticsSpeeds,
  citations,
  queries,
} from '#server/db/schema.ts';
import { durationStep } from './days.ts';

/** What analytics are asked for: days of the zone, both counted. */
export interface Range {
  from: string;
  to: string;
  timeZone: string;
  /** Only what this person asked. */
  userId?: string | undefined;
}

/**
 * What is counted of a range, as queries to be put behind `from`: the aggregates, or the same columns of a person's own
 * questions, which are few.
 */
export interface Sources {
  /** day, asked, unanswered, helpful, not_helpful */
  days: SQL;
  /** day, hour, asked */
  hours: SQL;
  /** step, asked */
  speeds: SQL;
  /** asked_question_id, asked, unanswered, last_asked_at, last_unanswered_at */
  questions: SQL;
  /** document_id, citations, last_cited_at */
  documents: SQL;
}

export function sourcesOf(range: Range): Sources {
  const { from, to, timeZone, userId } = range;
  if (userId === undefined) {
    const counted = (table: { day: unknown }) => sql`(select * from ${table} where day between ${from} and ${to})`;
    return {
      days: counted(analyticsDays),
      hours: counted(analyticsHours),
      speeds: counted(analyticsSpeeds),
      questions: counted(analyticsQuestions),
      documents: counted(analyticsDocuments),
    };
  }
  const local = sql`created_at at time zone ${timeZone}`;
  const asked = sql`${queries} where ${askedIn(range)}`;
  return {
    days: sql`(
      select (${local})::date as day, 1 as asked, (not answered)::int as unanswered,
        (rating is not distinct from 'up')::int as helpful, (rating is not distinct from 'down')::int as not_helpful
      from ${asked})`,
    hours: sql`(select (${local})::date as day, extract(hour from ${local})::int as hour, 1 as asked from ${asked})`,
    speeds: sql`(
      select floor(ln(greatest(duration_ms, 1)) / ln(${durationStep}::float8))::int as step, 1 as asked from ${asked})`,
    questions: sql`(
      select asked_question_id, 1 as asked, (not answered)::int as unanswered, created_at as last_asked_at,
        case when not answered then created_at end as last_unanswered_at
      from ${asked})`,
    documents: sql`(
      select document_id, 1 as citations, created_at as last_cited_at
      from (select id, created_at from ${asked}) as asked join ${citations} on ${citations.queryId} = asked.id)`,
  };
}

/** Which rows of `queries` the range has: the condition behind `where`. */
export function askedIn({ from, to, timeZone, userId }: Range): SQL {
  const whose = userId === undefined ? sql`true` : sql`user_id = ${userId}`;
  return sql`created_at >= (${from}::date)::timestamp at time zone ${timeZone}
    and created_at < (${to}::date + 1)::timestamp at time zone ${timeZone}
    and asked_question_id is not null and not is_trial and ${whose}`;
}

/** The range of as many days that ends where this one begins. */
export function rangeBefore({ from, to, ...rest }: Range): Range {
  const dayMs = 86_400_000;
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  const earlier = (date: string, by: number) => new Date(Date.parse(date) - by * dayMs).toISOString().slice(0, 10);
  return { ...rest, from: earlier(from, days), to: earlier(from, 1) };
}
