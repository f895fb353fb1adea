import type { Entitlements } from '#contract/entitlements.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, sql } from '#server/db/drizzle.ts';
import { analyticsStates, companies } from '#server/db/schema.ts';
import { type CompanyMail, mailAdmins, type SendMail } from '#server/features/mail/mail.ts';
import { eachByItself } from '#server/jobs/each-by-itself.ts';
import { countQuestions, lockCounting } from './count.ts';
import { monthBefore, openMonthsOf } from './months.ts';
import { overview } from './overview.ts';
import type { Range } from './sources.ts';

type Overview = Awaited<ReturnType<typeof overview>>;

export interface ReportDeps {
  db: Database;
  sendMail: SendMail;
  /** What the company may do now. */
  entitlements: (tx: Tx, companyId: string) => Promise<Entitlements>;
  publicUrl: string;
}

/** Of each list, what a mail has room for. */
const listed = 5;

/**
 * The job `mail-reports`: mails the admins of each company that wants it what was asked in the month that is over where
 * the company is. Once: that it was mailed is written down with the mails.
 */
export async function mailReports({ db, ...deps }: ReportDeps, { signal }: { signal: AbortSignal }): Promise<void> {
  const due = await db.statement<{ id: string }>(sql`
    select ${companies.id} from ${companies}
    where ${companies.monthlyReport} and ${companies.endsAt} is null and ${companies.reportedMonth} is distinct from ${monthBefore}`);
  const report = async ({ id }: { id: string }) => {
    for (let done = false; !done; done = await countQuestions(db, id)) signal.throwIfAborted();
    await db.asCompany(id, (tx) => mailReport(tx, id, deps));
  };
  await eachByItself(due, report, signal);
}

async function mailReport(tx: Tx, companyId: string, deps: Omit<ReportDeps, 'db'>): Promise<void> {
  const { chat, features } = await deps.entitlements(tx, companyId);
  if (!chat || !features.includes('usage-analytics')) return;
  // A month that is summed up meanwhile must be read neither twice nor not at all. Before the company is held, which
  // whoever counts comes to second.
  await lockCounting(tx, companyId);
  const [company] = await tx
    .select({
      name: companies.name,
      timeZone: companies.timeZone,
      from: sql<string>`${monthBefore}::text`,
      to: sql<string>`(${monthBefore} + interval '1 month' - interval '1 day')::date::text`,
    })
    .from(companies)
    .where(eq(companies.id, companyId))
    // Two processes at once would mail it twice.
    .for('update');
  if (!company) return;
  const { from, to, name } = company;
  const marked = await tx
    .update(companies)
    .set({ reportedMonth: from })
    .where(and(eq(companies.id, companyId), sql`${companies.reportedMonth} is distinct from ${from}::date`))
    .returning({ id: companies.id });
  if (marked.length === 0) return;
  const [state] = await tx.select().from(analyticsStates);
  const openMonths = await openMonthsOf(tx);
  const range: Range = { from, to, timeZone: state?.timeZone ?? company.timeZone, openMonths };
  const numbers = await overview(tx, range, { full: true, showNames: false });
  await mailAdmins(tx, deps.sendMail, companyId, reportWords(name, range, numbers, deps.publicUrl));
}

/** Names nobody, whatever the company shows: mails are forwarded. */
function reportWords(company: string, { from, to }: Range, numbers: Overview, publicUrl: string): CompanyMail['words'] {
  const { asked, answered, unanswered, people, before, feedback, topQuestions, unansweredQuestions } = numbers;
  return (texts, name) => {
    const count = (value: number) => value.toLocaleString(texts.locale);
    const list = (questions: readonly { text: string; count: number }[]) =>
      questions.slice(0, listed).map((each) => `${count(each.count)} × ${shortened(each.text)}`);
    const month = new Intl.DateTimeFormat(texts.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    return texts.monthlyReport(name, {
      company,
      month: month.format(new Date(from)),
      asked: count(asked),
      people: count(people),
      answered: count(answered),
      unanswered: count(unanswered),
      askedBefore: count(before.asked),
      helpful: count(feedback.helpful),
      notHelpful: count(feedback.notHelpful),
      unansweredQuestions: list(unansweredQuestions),
      topQuestions: list(topQuestions),
      url: `${publicUrl}/admin/analytics?from=${from}&to=${to}`,
    });
  };
}

const maxShown = 160;

function shortened(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown).toWellFormed()}…`;
}
