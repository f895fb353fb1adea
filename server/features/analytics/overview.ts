import { sql } from 'drizzle-orm';
import type { CallOutput } from '#contract/calls.ts';
import type { Tx } from '#server/db/db.ts';
import { analyticsPeople, askedQuestions, queries } from '#server/db/schema.ts';
import { durationStep } from './days.ts';
import { documentsCited } from './documents.ts';
import { askedIn, type Range, rangeBefore, type Sources, sourcesOf } from './sources.ts';

type Analytics = CallOutput<'getAnalytics'>;

/** What the page shows first. */
export const listed = { basic: { top: 10, unanswered: 10 }, usage: { top: 50, unanswered: 100 } };
const documentsListed = 100;

/**
 * What was asked in a range, from the aggregates of the transaction's company.
 * @param full with documents, hours and speed, and longer lists
 */
export async function overview(
  tx: Tx,
  range: Range,
  { full, showNames }: { full: boolean; showNames: boolean },
): Promise<Analytics> {
  const sources = sourcesOf(range);
  const limits = full ? listed.usage : listed.basic;
  const [numbers, before] = [await numbersOf(tx, range), await numbersOf(tx, rangeBefore(range))];
  return {
    ...numbers,
    before,
    perDay: await perDay(tx, range, sources),
    topQuestions: await topQuestions(tx, sources, limits.top),
    unansweredQuestions: await unansweredQuestions(tx, range, limits.unanswered),
    documents: [],
    timeZone: range.timeZone,
    today: await today(tx, range.timeZone),
    showNames,
    ...(full && {
      ...(await documentsCited(tx, sources, documentsListed)),
      hours: await hours(tx, sources),
      ...(await speed(tx, sources)),
    }),
  };
}

/** The date of now in a time zone, as PostgreSQL knows it. */
export async function today(tx: Tx, timeZone: string): Promise<string> {
  const { rows } = await tx.execute<{ today: string }>(
    sql`select (now() at time zone ${timeZone})::date::text as today`,
  );
  return rows[0]?.today ?? '';
}

type Numbers = Pick<Analytics, 'asked' | 'answered' | 'unanswered' | 'people' | 'feedback'>;

export async function numbersOf(tx: Tx, range: Range): Promise<Numbers> {
  const { days } = sourcesOf(range);
  const people =
    range.userId === undefined
      ? sql`(select count(*)::int from (
          select user_id from ${analyticsPeople} where day between ${range.from} and ${range.to} group by user_id
        ) as who)`
      : sql`least(coalesce(sum(asked), 0), 1)::int`;
  const { rows } = await tx.execute<Record<'asked' | 'unanswered' | 'people' | 'helpful' | 'not_helpful', number>>(sql`
    select coalesce(sum(asked), 0)::int as asked, coalesce(sum(unanswered), 0)::int as unanswered,
      coalesce(sum(helpful), 0)::int as helpful, coalesce(sum(not_helpful), 0)::int as not_helpful, ${people} as people
    from ${days} as days`);
  const { asked = 0, unanswered = 0, people: who = 0, helpful = 0, not_helpful: notHelpful = 0 } = rows[0] ?? {};
  return { asked, answered: asked - unanswered, unanswered, people: who, feedback: { helpful, notHelpful } };
}

export async function perDay(tx: Tx, { from, to }: Range, { days }: Sources): Promise<Analytics['perDay']> {
  const { rows } = await tx.execute<{ date: string; asked: number; unanswered: number }>(sql`
    select given::date::text as date, coalesce(sum(asked), 0)::int as asked, coalesce(sum(unanswered), 0)::int as unanswered
    from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as given
    left join ${days} as days on days.day = given::date
    group by given order by given`);
  return rows;
}

type QuestionRow = { questionId: string; text: string; count: number; lastAskedAt: string };
const iso = (moment: string) => new Date(moment).toISOString();

/** Most asked first. */
export async function topQuestions(tx: Tx, { questions }: Sources, limit: number): Promise<Analytics['topQuestions']> {
  const { rows } = await tx.execute<QuestionRow>(sql`
    select top.id as "questionId", ${askedQuestions.text}, top.count, top.last as "lastAskedAt"
    from (
      select asked_question_id as id, sum(asked)::int as count, max(last_asked_at) as last
      from ${questions} as questions group by asked_question_id
      order by count desc, last desc limit ${limit}
    ) as top join ${askedQuestions} on ${askedQuestions.id} = top.id
    order by top.count desc, top.last desc, top.id`);
  return rows.map((row) => ({ ...row, lastAskedAt: iso(row.lastAskedAt) }));
}

/** What was asked without an answer and is not seen to since, most often first. */
export async function unansweredQuestions(
  tx: Tx,
  range: Range,
  limit: number,
): Promise<Analytics['unansweredQuestions']> {
  const { questions } = sourcesOf(range);
  const { rows } = await tx.execute<QuestionRow & { people: number; answeredSince: boolean }>(sql`
    select open.id as "questionId", ${askedQuestions.text}, open.count, open.last as "lastAskedAt",
      open.last_asked > open.last as "answeredSince",
      (select count(distinct user_id)::int from ${queries}
        where asked_question_id = open.id and not answered and ${askedIn(range)}) as people
    from (
      select asked_question_id as id, sum(unanswered)::int as count, max(last_unanswered_at) as last,
        max(last_asked_at) as last_asked
      from ${questions} as questions group by asked_question_id having sum(unanswered) > 0
    ) as open join ${askedQuestions} on ${askedQuestions.id} = open.id
    where ${askedQuestions.solvedAt} is null or ${askedQuestions.solvedAt} < open.last
    order by open.count desc, open.last desc, open.id limit ${limit}`);
  return rows.map((row) => ({ ...row, lastAskedAt: iso(row.lastAskedAt) }));
}

export async function hours(tx: Tx, sources: Sources): Promise<NonNullable<Analytics['hours']>> {
  const { rows } = await tx.execute<{ weekday: number; hour: number; asked: number }>(sql`
    select extract(isodow from day)::int as weekday, hour, sum(asked)::int as asked
    from ${sources.hours} as hours group by 1, 2 order by 1, 2`);
  return rows;
}

/** How many answers took how long: up to so many milliseconds, the quickest first. */
export async function durations(tx: Tx, { speeds }: Sources): Promise<{ maxMs: number; asked: number }[]> {
  const { rows } = await tx.execute<{ step: number; asked: number }>(sql`
    select step, sum(asked)::int as asked from ${speeds} as speeds group by step order by step`);
  return rows.map(({ step, asked }) => ({ maxMs: Math.round(durationStep ** (step + 1)), asked }));
}

async function speed(tx: Tx, sources: Sources): Promise<Pick<Analytics, 'speed'>> {
  const counts = await durations(tx, sources);
  const all = counts.reduce((sum, { asked }) => sum + asked, 0);
  if (all === 0) return {};
  const within = (share: number) => {
    let sum = 0;
    for (const { maxMs, asked } of counts) {
      sum += asked;
      if (sum >= share * all) return maxMs;
    }
    return 0;
  };
  return { speed: { medianMs: within(0.5), p95Ms: within(0.95) } };
}
