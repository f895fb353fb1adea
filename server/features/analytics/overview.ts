import type { CallOutput } from '#contract/calls.ts';
import type { Tx } from '#server/db/db.ts';
import { type SQL, sql } from '#server/db/drizzle.ts';
import { askedQuestions, queries } from '#server/db/schema.ts';
import { durationStep } from './days.ts';
import { documentsCited } from './documents.ts';
import { isAskedByPerson, keysUsed } from './key-use.ts';
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
    ...(await questionLists(tx, range, limits)),
    documents: [],
    timeZone: range.timeZone,
    today: await today(tx, range.timeZone),
    showNames,
    ...(full && {
      ...(await documentsCited(tx, range, documentsListed)),
      hours: await hours(tx, sources),
      ...(await speed(tx, sources)),
      // Searches have no sources, so that none is of a collection.
      ...(range.collectionId === undefined && { keys: await keysUsed(tx, range, { showNames }) }),
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
  const { days, people: who } = sourcesOf(range);
  const people =
    range.userId === undefined
      ? sql`(select count(*)::int from (select user_id from ${who} as people group by user_id) as who)`
      : sql`least(coalesce(sum(asked), 0), 1)::int`;
  const { rows } = await tx.execute<Record<'asked' | 'unanswered' | 'people' | 'helpful' | 'not_helpful', number>>(sql`
    select coalesce(sum(asked), 0)::int as asked, coalesce(sum(unanswered), 0)::int as unanswered,
      coalesce(sum(helpful), 0)::int as helpful, coalesce(sum(not_helpful), 0)::int as not_helpful, ${people} as people
    from ${days} as days`);
  const { asked = 0, unanswered = 0, people: all = 0, helpful = 0, not_helpful: notHelpful = 0 } = rows[0] ?? {};
  return { asked, answered: asked - unanswered, unanswered, people: all, feedback: { helpful, notHelpful } };
}

export async function perDay(tx: Tx, { from, to }: Range, { days }: Sources): Promise<Analytics['perDay']> {
  const { rows } = await tx.execute<{ date: string; asked: number; unanswered: number }>(sql`
    select given::date::text as date, coalesce(sum(asked), 0)::int as asked, coalesce(sum(unanswered), 0)::int as unanswered
    from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as given
    left join ${days} as days on days.day = given::date
    group by given order by given`);
  return rows;
}

type TopQuestion = Analytics['topQuestions'][number];
type OpenQuestion = Analytics['unansweredQuestions'][number];

/** Most asked first. */
export async function topQuestions(tx: Tx, { questions }: Sources, limit: number): Promise<TopQuestion[]> {
  const { rows } = await tx.execute<{ [column: string]: unknown } & TopQuestion>(topOf(summed(questions), limit));
  return rows.map(withIso);
}

/** What was asked without an answer and is not seen to since, most often first. */
export async function unansweredQuestions(tx: Tx, range: Range, limit: number): Promise<OpenQuestion[]> {
  const { questions } = sourcesOf(range);
  const { rows } = await tx.execute<{ [column: string]: unknown } & OpenQuestion>(
    openOf(summed(questions), range, limit),
  );
  return rows.map(withIso);
}

/** Both at once, since summing up takes longer than all else. */
async function questionLists(
  tx: Tx,
  range: Range,
  limits: { top: number; unanswered: number },
): Promise<Pick<Analytics, 'topQuestions' | 'unansweredQuestions'>> {
  const sums = sql`sums`;
  const { rows } = await tx.execute<{ top: TopQuestion[] | null; open: OpenQuestion[] | null }>(sql`
    with sums as materialized ${summed(sourcesOf(range).questions)}
    select (select json_agg(top) from (${topOf(sums, limits.top)}) as top) as top,
      (select json_agg(open) from (${openOf(sums, range, limits.unanswered)}) as open) as open`);
  return {
    topQuestions: (rows[0]?.top ?? []).map(withIso),
    unansweredQuestions: (rows[0]?.open ?? []).map(withIso),
  };
}

function summed(questions: SQL): SQL {
  return sql`(
    select asked_question_id as id, sum(asked)::int as asked, sum(unanswered)::int as unanswered,
      max(last_asked_at) as last, max(last_unanswered_at) as last_unanswered
    from ${questions} as questions group by asked_question_id)`;
}

function topOf(sums: SQL, limit: number): SQL {
  return sql`
    select top.id as "questionId", ${askedQuestions.text}, top.asked as count, top.last as "lastAskedAt"
    from (select * from ${sums} as sums order by asked desc, last desc limit ${limit}) as top
    join ${askedQuestions} on ${askedQuestions.id} = top.id
    order by top.asked desc, top.last desc, top.id`;
}

function openOf(sums: SQL, range: Range, limit: number): SQL {
  return sql`
    select open.id as "questionId", ${askedQuestions.text}, open.unanswered as count,
      open.last_unanswered as "lastAskedAt", open.last > open.last_unanswered as "answeredSince",
      (select count(distinct user_id)::int from ${queries}
        where asked_question_id = open.id and not answered and ${askedIn(range)} and ${isAskedByPerson}) as people
    from (
      select sums.* from ${sums} as sums
      where sums.unanswered > 0 and not exists (
        select 1 from ${askedQuestions} where ${askedQuestions.id} = sums.id and ${askedQuestions.solvedAt} is not null
          and ${askedQuestions.solvedAt} >= sums.last_unanswered)
      order by sums.unanswered desc, sums.last_unanswered desc, sums.id limit ${limit}
    ) as open join ${askedQuestions} on ${askedQuestions.id} = open.id
    order by open.unanswered desc, open.last_unanswered desc, open.id`;
}

function withIso<Row extends { lastAskedAt: string }>(row: Row): Row {
  return { ...row, lastAskedAt: new Date(row.lastAskedAt).toISOString() };
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
