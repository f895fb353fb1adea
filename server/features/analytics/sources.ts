import { type PgTable, type SQL, sql } from '#server/db/drizzle.ts';
import {
  analyticsDays,
  analyticsDocuments,
  analyticsHours,
  analyticsMonthDocuments,
  analyticsMonthPeople,
  analyticsMonthQuestions,
  analyticsPeople,
  analyticsQuestions,
  analyticsSpeeds,
  citations,
  documents,
  queries,
} from '#server/db/schema.ts';
import { durationStep } from './days.ts';
import { isAskedByPerson } from './key-use.ts';
import { partsOf } from './months.ts';

/** What analytics are asked for: days of the zone, both counted. */
export interface Range {
  from: string;
  to: string;
  timeZone: string;
  /** What `openMonthsOf` says in the same transaction. */
  openMonths: ReadonlySet<string>;
  /** Only what this person asked. */
  userId?: string | undefined;
  /** Only what was answered with a source in this collection; the company's id: in its own. */
  collectionId?: string | undefined;
}

/**
 * What is counted of a range, as queries to be put behind `from`: the aggregates, or the same columns of the questions
 * that a part is made of, which are few.
 */
export interface Sources {
  /** day, asked, unanswered, helpful, not_helpful */
  days: SQL;
  /** day, hour, asked */
  hours: SQL;
  /** step, asked */
  speeds: SQL;
  /** user_id, asked, unanswered, rated, last_asked_at */
  people: SQL;
  /** asked_question_id, asked, unanswered, last_asked_at, last_unanswered_at */
  questions: SQL;
  /** document_id, citations, last_cited_at */
  documents: SQL;
}

export function sourcesOf(range: Range): Sources {
  const { from, to, timeZone, userId, collectionId } = range;
  const { months, runs } = partsOf(range, range.openMonths);
  const summed = (columns: SQL, ofDays: PgTable, ofMonths: PgTable) => {
    const parts = runs.map(
      ([first, last]) => sql`select ${columns} from ${ofDays} where day between ${first} and ${last}`,
    );
    if (months.length > 0)
      parts.push(sql`select ${columns} from ${ofMonths} where month = any(${sql.param(months)}::date[])`);
    return sql`(${sql.join(parts, sql` union all `)})`;
  };
  const people = summed(sql`user_id, asked, unanswered, rated, last_asked_at`, analyticsPeople, analyticsMonthPeople);
  if (userId === undefined && collectionId === undefined) {
    const counted = (table: PgTable) => sql`(select * from ${table} where day between ${from} and ${to})`;
    return {
      days: counted(analyticsDays),
      hours: counted(analyticsHours),
      speeds: counted(analyticsSpeeds),
      people,
      questions: summed(
        sql`asked_question_id, asked, unanswered, last_asked_at, last_unanswered_at`,
        analyticsQuestions,
        analyticsMonthQuestions,
      ),
      documents: summed(sql`document_id, citations, last_cited_at`, analyticsDocuments, analyticsMonthDocuments),
    };
  }
  const local = sql`created_at at time zone ${timeZone}`;
  const asked = sql`${queries} where ${askedIn(range)}`;
  return {
    people:
      collectionId === undefined
        ? sql`(select * from ${people} as people where user_id = ${userId})`
        : sql`(
          select user_id, 1 as asked, (not answered)::int as unanswered, (rating is not null)::int as rated,
            created_at as last_asked_at
          from ${asked} and ${isAskedByPerson})`,
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
export function askedIn({ from, to, timeZone, userId, collectionId }: Range): SQL {
  const whose = userId === undefined ? sql`true` : sql`user_id = ${userId}`;
  return sql`created_at >= (${from}::date)::timestamp at time zone ${timeZone}
    and created_at < (${to}::date + 1)::timestamp at time zone ${timeZone}
    and asked_question_id is not null and not is_trial and ${whose} and ${citesFrom(collectionId)}`;
}

function citesFrom(collectionId: string | undefined): SQL {
  if (collectionId === undefined) return sql`true`;
  return sql`id in (
    select ${citations.queryId} from ${citations} join ${documents} on ${documents.id} = ${citations.documentId}
    where ${isInCollection(collectionId)})`;
}

/** Which rows of `documents` are in a collection; all of them where none is named. */
export function isInCollection(collectionId: string | undefined): SQL {
  if (collectionId === undefined) return sql`true`;
  return sql`coalesce(${documents.collectionId}, ${documents.companyId}) = ${collectionId}`;
}

/** The range of as many days that ends where this one begins. */
export function rangeBefore({ from, to, ...rest }: Range): Range {
  const dayMs = 86_400_000;
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  const earlier = (date: string, by: number) => new Date(Date.parse(date) - by * dayMs).toISOString().slice(0, 10);
  return { ...rest, from: earlier(from, days), to: earlier(from, 1) };
}
