import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, sql } from '#server/db/drizzle.ts';
import { analyticsOpenMonths, analyticsStates, companies, queries } from '#server/db/schema.ts';
import { eachByItself } from '#server/jobs/each-by-itself.ts';
import { countAs } from './asked-questions.ts';
import { textOf } from './asked-text.ts';
import { countDays, forgetDays } from './days.ts';
import { sumMonth } from './months.ts';

/** Questions that are counted in one transaction: they are held as long as it lasts. */
const maxAtOnce = 500;

/**
 * Brings a company's aggregates up to date: questions that were asked or rated since they were counted last. The days
 * they are of are counted anew from `queries`, so that nothing counts twice, whatever happened before.
 * @returns false where there is more to count than was counted now
 */
export async function countQuestions(db: Database, companyId: string): Promise<boolean> {
  return db.asCompany(companyId, async (tx) => {
    if (await nothingToCount(tx)) return true;
    // Two of them at once would each make the same new question.
    await lockCounting(tx, companyId);
    const timeZone = await zoneOf(tx, companyId);
    // Held, so that a rating that is given meanwhile is counted after this.
    const found = await tx
      .select({
        id: queries.id,
        question: queries.question,
        saidBefore: queries.saidBefore,
        askedQuestionId: queries.askedQuestionId,
        at: queries.createdAt,
        day: sql<string>`(${queries.createdAt} at time zone ${timeZone})::date::text`,
      })
      .from(queries)
      .where(uncounted)
      .orderBy(queries.createdAt)
      .limit(maxAtOnce)
      // Not waited for: a deletion that takes a document's words out of answers holds some, in an order of its own.
      .for('update', { skipLocked: true });
    const anew = found.filter(({ askedQuestionId }) => askedQuestionId === null);
    const ids = await countAs(
      tx,
      companyId,
      anew.map((each) => ({ text: textOf(each), at: each.at })),
    );
    const counted = anew.map(({ id }, i) => ({ id, question: ids[i] }));
    await tx.execute(sql`
      update ${queries} set counted = true, asked_question_id = counted.question
      from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as counted (id uuid, question uuid)
      where ${queries.id} = counted.id`);
    const again = found.filter(({ askedQuestionId }) => askedQuestionId !== null).map(({ id }) => id);
    if (again.length > 0)
      await tx.execute(
        sql`update ${queries} set counted = true where ${queries.id} = any(${sql.param(again)}::uuid[])`,
      );
    await countDays(tx, companyId, [...new Set(found.map(({ day }) => day))], timeZone);
    return found.length < maxAtOnce;
  });
}

/**
 * The job `count-questions`: all companies with something to count, those whose days begin elsewhere now, and months
 * that are over.
 */
export async function countAllQuestions(db: Database, { signal }: { signal: AbortSignal }): Promise<void> {
  const moved = await db.statement<{ id: string }>(sql`
    select ${companies.id} from ${companies} join ${analyticsStates} on ${analyticsStates.companyId} = ${companies.id}
    where ${analyticsStates.timeZone} <> ${companies.timeZone}`);
  // One row a company, however many questions it has.
  const due = await db.statement<{ id: string }>(sql`
    select ${companies.id} from ${companies} where exists (
      select 1 from ${queries} where ${queries.companyId} = ${companies.id} and ${uncounted})`);
  const work = [
    ...moved.map(
      ({ id }) =>
        () =>
          countInOtherZone(db, id),
    ),
    ...due.map(({ id }) => async () => {
      for (let done = false; !done; done = await countQuestions(db, id)) signal.throwIfAborted();
    }),
    // Last, of what has just been counted, too.
    () => sumMonths(db, signal),
  ];
  await eachByItself(work, (count) => count(), signal);
}

/** All days of a company anew, since they begin at another moment. */
export async function countInOtherZone(db: Database, companyId: string): Promise<void> {
  await db.asCompany(companyId, async (tx) => {
    await lockCounting(tx, companyId);
    const [company] = await tx.select({ timeZone: companies.timeZone }).from(companies);
    if (!company) return;
    const { timeZone } = company;
    const { rows } = await tx.execute<{ day: string }>(sql`
      select distinct (${queries.createdAt} at time zone ${timeZone})::date::text as day from ${queries}`);
    await forgetDays(tx, companyId);
    await countDays(
      tx,
      companyId,
      rows.map(({ day }) => day),
      timeZone,
    );
    await tx
      .insert(analyticsStates)
      .values({ companyId, timeZone })
      .onConflictDoUpdate({ target: analyticsStates.companyId, set: { timeZone } });
  });
}

/**
 * Sums up the months that are over and have changed, each by itself: whoever counts a question waits for one at most.
 */
export async function sumMonths(db: Database, signal?: AbortSignal): Promise<void> {
  const { companyId, month } = analyticsOpenMonths;
  const due = await db.statement<{ id: string; month: string }>(sql`
    select ${companyId} as id, ${month}::text as month
    from ${analyticsOpenMonths} join ${analyticsStates} on ${analyticsStates.companyId} = ${companyId}
    where ${month} < date_trunc('month', now() at time zone ${analyticsStates.timeZone})::date
    order by ${month} desc`);
  const sum = (one: (typeof due)[number]) =>
    db.asCompany(one.id, async (tx) => {
      await lockCounting(tx, one.id);
      await sumMonth(tx, one.id, one.month);
    });
  await eachByItself(due, sum, signal);
}

const uncounted = and(sql`not ${queries.counted}`, sql`not ${queries.isTrial}`);

async function nothingToCount(tx: Tx): Promise<boolean> {
  const rows = await tx.select({ id: queries.id }).from(queries).where(uncounted).limit(1);
  return rows.length === 0;
}

/** Until the transaction ends nobody else counts, or erases, the company's questions. */
export async function lockCounting(tx: Tx, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`analytics ${companyId}`}, 0))`);
}

/** The zone that the company's aggregates are in: its own, unless that has changed a moment ago. */
export async function zoneOf(tx: Tx, companyId: string): Promise<string> {
  const [state] = await tx.select({ timeZone: analyticsStates.timeZone }).from(analyticsStates);
  if (state) return state.timeZone;
  const [company] = await tx
    .select({ timeZone: companies.timeZone })
    .from(companies)
    .where(eq(companies.id, companyId));
  const timeZone = company?.timeZone ?? 'UTC';
  await tx.insert(analyticsStates).values({ companyId, timeZone });
  return timeZone;
}
