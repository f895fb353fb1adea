import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import {
  analyticsDocuments,
  analyticsMonthDocuments,
  analyticsMonthPeople,
  analyticsMonthQuestions,
  analyticsOpenMonths,
  analyticsPeople,
  analyticsQuestions,
  companies,
} from '#server/db/schema.ts';

/** What the days of a range are read from: whole months that are summed up, and runs of days, both ends counted. */
export interface Parts {
  /** By their first day. */
  months: string[];
  runs: [first: string, last: string][];
}

/** The first day of the month that was over last, where the company is. */
export const monthBefore = sql`
  (date_trunc('month', now() at time zone ${companies.timeZone}) - interval '1 month')::date`;

const sums = [analyticsMonthPeople, analyticsMonthQuestions, analyticsMonthDocuments] as const;

/** The months of the transaction's company that are not to be read from their sums, by their first day. */
export async function openMonthsOf(tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await tx.select({ month: analyticsOpenMonths.month }).from(analyticsOpenMonths);
  return new Set(rows.map(({ month }) => month));
}

/** The fewest rows that have all of a range: its ends, where they lie inside months, and open months by the day. */
export function partsOf({ from, to }: { from: string; to: string }, openMonths: ReadonlySet<string>): Parts {
  const parts: Parts = { months: [], runs: [] };
  for (let month = `${from.slice(0, 7)}-01`; month <= to; month = monthAfter(month)) {
    const last = dayBefore(monthAfter(month));
    if (month >= from && last <= to && !openMonths.has(month)) {
      parts.months.push(month);
      continue;
    }
    const first = month > from ? month : from;
    const end = last < to ? last : to;
    const run = parts.runs.at(-1);
    if (run && dayBefore(first) === run[1]) run[1] = end;
    else parts.runs.push([first, end]);
  }
  return parts;
}

/** The sums of these days' months hold no longer, until the job makes them anew. */
export async function openMonths(tx: Tx, companyId: string, days: readonly string[]): Promise<void> {
  const months = [...new Set(days.map((day) => `${day.slice(0, 7)}-01`))];
  if (months.length === 0) return;
  await tx
    .insert(analyticsOpenMonths)
    .values(months.map((month) => ({ companyId, month })))
    .onConflictDoNothing();
}

/** Removes the sums of the transaction's company: all of them, or those that have days before one. */
export async function forgetMonths(tx: Tx, companyId: string, before?: string): Promise<void> {
  for (const table of [...sums, analyticsOpenMonths])
    await tx.delete(table).where(before === undefined ? sql`true` : sql`${table.month} < ${before}`);
  if (before !== undefined) await openMonths(tx, companyId, [before]);
}

/** Sums up a month's days anew, in the transaction of their company, which holds the days. */
export async function sumMonth(tx: Tx, companyId: string, month: string): Promise<void> {
  for (const table of sums) await tx.delete(table).where(sql`${table.month} = ${month}`);
  const what = sql`${companyId}::uuid, ${month}::date`;
  const ofMonth = sql`day >= ${month}::date and day < ${month}::date + interval '1 month'`;
  // Each in the order in which it is read again, from pages that follow each other.
  await tx.execute(sql`
    insert into ${analyticsMonthPeople} (company_id, month, user_id, asked, unanswered, rated, last_asked_at)
    select ${what}, user_id, sum(asked), sum(unanswered), sum(rated), max(last_asked_at)
    from ${analyticsPeople} where ${ofMonth} group by user_id order by user_id`);
  await tx.execute(sql`
    insert into ${analyticsMonthQuestions}
      (company_id, month, asked_question_id, asked, unanswered, last_asked_at, last_unanswered_at)
    select ${what}, asked_question_id, sum(asked), sum(unanswered), max(last_asked_at), max(last_unanswered_at)
    from ${analyticsQuestions} where ${ofMonth} group by asked_question_id order by asked_question_id`);
  await tx.execute(sql`
    insert into ${analyticsMonthDocuments} (company_id, month, document_id, citations, last_cited_at)
    select ${what}, document_id, sum(citations), max(last_cited_at)
    from ${analyticsDocuments} where ${ofMonth} group by document_id order by document_id`);
  await tx.delete(analyticsOpenMonths).where(sql`${analyticsOpenMonths.month} = ${month}`);
}

function monthAfter(month: string): string {
  const next = new Date(month);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 10);
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}
