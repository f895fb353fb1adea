import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { eq, sql } from '#server/db/drizzle.ts';
import { askedQuestions, auditEvents, companies, outboxMails, queries, users } from '#server/db/schema.ts';
import { type Company, companyTest } from '#server/testing/company.ts';
import { eraseOldQuestions } from './erase.ts';

const test = companyTest({ config: { billing: 'stripe' } });
const dayMs = 86_400_000;

async function onPlan(company: Company, plan: 'basic' | 'professional'): Promise<Company> {
  await company.app.setSubscription(company.id, { state: 'active', plan });
  return company;
}

/** A question of the admin's that was asked then. */
async function askAt({ app, admin, id: companyId }: Company, question: string, createdAt: Date): Promise<void> {
  const words = { question, answer: 'I do not know.', answered: false, durationMs: 1 };
  const whose = { companyId, userId: admin.uid };
  await app.app.db.asCompany(companyId, (tx) =>
    tx.insert(queries).values({ ...whose, ...words, id: randomUUID(), createdAt }),
  );
}

async function run({ app }: Company, job: 'erase-questions' | 'mail-reports' | 'count-questions'): Promise<void> {
  await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, job, {}, { singletonKey: 'all' }));
  await app.idle();
}

const change = ({ app, id }: Company, set: Partial<typeof companies.$inferInsert>) =>
  app.app.db.asSystem((tx) => tx.update(companies).set(set).where(eq(companies.id, id)));

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
const dateOf = (at: Date) => at.toISOString().slice(0, 10);
const range = (days: number) => ({ from: dateOf(daysAgo(days)), to: dateOf(new Date()) });

describe('questions that are kept no longer', () => {
  test('go with all that was counted of them, and the audit log says how many', async ({ company }) => {
    await onPlan(company, 'professional');
    await company.client.call('updateAnalyticsSettings', { questionRetentionDays: 90 });
    await askAt(company, 'Who waters the blue plants?', daysAgo(120));
    await askAt(company, 'Who waters the blue plant?', daysAgo(20));
    await askAt(company, 'Where is the marker 81f2 of the old times?', daysAgo(100));
    await askAt(company, 'Where does the ladder stand?', daysAgo(80));
    const shown = () => company.client.call('getAnalytics', range(200));
    expect((await shown()).asked).toBe(4);
    // Months that are over are summed up then.
    await run(company, 'count-questions');
    expect((await shown()).topQuestions).toHaveLength(3);
    await run(company, 'erase-questions');
    const after = await shown();
    expect(after.asked).toBe(2);
    await run(company, 'count-questions');
    expect(await shown()).toEqual(after);
    // The words of what is gone are, too: what is left has its own.
    expect(after.topQuestions.map(({ text, count }) => [text, count])).toEqual([
      ['Who waters the blue plant?', 1],
      ['Where does the ladder stand?', 1],
    ]);
    const tables = await company.app.app.db.asCompany(company.id, async (tx) => {
      const texts = await tx.execute(sql`
        select question as words from queries union all select text from asked_questions
        union all select term from question_terms union all select array_to_string(terms, ' ') from asked_questions`);
      return JSON.stringify(texts.rows);
    });
    expect(tables).not.toContain('81f2');
    const events = await company.app.app.db.asCompany(company.id, (tx) =>
      tx.select().from(auditEvents).where(eq(auditEvents.action, 'questions-erased')),
    );
    expect(events.map(({ actorId, details }) => [actorId, details.count])).toEqual([[null, 2]]);
    // Asked again it is the same question as before.
    await askAt(company, 'Who waters the blue plants?', new Date());
    expect((await shown()).topQuestions[0]).toMatchObject({ text: 'Who waters the blue plant?', count: 2 });
  });

  test('go in turns, each asked question with the words that are kept of it', async ({ company }) => {
    await onPlan(company, 'professional');
    await company.client.call('updateAnalyticsSettings', { questionRetentionDays: 90 });
    await askAt(company, 'Who waters the blue plants 81f2?', daysAgo(120));
    await askAt(company, 'Who waters the blue plant 81f2?', daysAgo(110));
    await askAt(company, 'Where does the old ladder stand?', daysAgo(100));
    await askAt(company, 'Where does the ladder stand?', daysAgo(95));
    await askAt(company, 'Who waters, 81f2, a blue plant?', daysAgo(20));
    const shown = () => company.client.call('getAnalytics', range(200));
    const before = await shown();
    expect(before.asked).toBe(5);
    await eraseOldQuestions(company.app.app.db, { signal: new AbortController().signal, maxAtOnce: 1 });
    const { topQuestions } = await shown();
    expect(topQuestions.map(({ text, count }) => [text, count])).toEqual([['Who waters, 81f2, a blue plant?', 1]]);
    expect(before.topQuestions.map(({ questionId }) => questionId)).toContain(topQuestions[0]?.questionId);
    const left = await company.app.app.db.asCompany(company.id, (tx) => tx.select().from(askedQuestions));
    expect(left.map(({ text }) => text)).toEqual(['Who waters, 81f2, a blue plant?']);
  });

  test('are those of the company alone, which keeps them for 400 days as long as it says nothing', async ({
    company,
  }) => {
    await onPlan(company, 'basic');
    await askAt(company, 'What is kept?', daysAgo(399));
    await askAt(company, 'What is erased?', daysAgo(402));
    await run(company, 'erase-questions');
    await run(company, 'erase-questions');
    const left = await company.app.app.db.asCompany(company.id, (tx) => tx.select().from(queries));
    expect(left.map(({ question }) => question)).toEqual(['What is kept?']);
  });
});

describe('the monthly report', () => {
  const lastMonth = (() => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, 12));
  })();

  /** The reports that the outbox holds for the company's people. */
  async function reports({ app, name }: Company): Promise<{ toAddress: string; text: string; html: string }[]> {
    const mails = await app.app.db.asSystem((tx) => tx.select().from(outboxMails));
    return mails.filter(({ subject }) => subject.startsWith(`${name}: what was asked in`));
  }

  test('is mailed once to every admin, tells what was asked in the month before, and names nobody', async ({
    company: { name: _, ...given },
  }) => {
    const company = { ...given, name: `Company ${given.id}` };
    await onPlan(company, 'professional');
    await change(company, { name: company.name });
    const second = await company.app.addMember(company, { role: 'admin' });
    await company.app.addMember(company);
    await company.client.call('setDisplayName', { displayName: 'Maximiliane Feodora' });
    for (const text of ['Who waters <b>the</b> plants?', 'Who waters <b>the</b> plants?', 'Where is the ladder?'])
      await askAt(company, text, lastMonth);
    await askAt(company, 'Only this month?', new Date());
    await company.client.call('updateAnalyticsSettings', { monthlyReport: true });
    await run(company, 'mail-reports');
    // Wanted from now on: the first is of the month that is under way.
    expect(await reports(company)).toEqual([]);
    await change(company, { reportedMonth: '2020-01-01' });
    await run(company, 'mail-reports');
    await run(company, 'mail-reports');
    const mails = await reports(company);
    expect(mails.map(({ toAddress }) => toAddress).sort()).toEqual([company.admin.email, second.email].sort());
    for (const { text, html } of mails) {
      expect(text).toContain('Questions: 3, of which 0 were answered. People who asked: 1.');
      expect(text).toContain('2 × Who waters <b>the</b> plants?');
      expect(html).not.toContain('<b>the</b>');
      expect(text).not.toContain('Only this month');
      expect(text).not.toContain('Maximiliane');
      expect(text).toContain(`/admin/analytics?from=${dateOf(lastMonth).slice(0, 7)}-01`);
    }
  });

  test('is not mailed to who has switched it off, nor on a plan without it', async ({ company }) => {
    await onPlan(company, 'professional');
    await change(company, { name: `Company ${company.id}`, monthlyReport: true, reportedMonth: '2020-01-01' });
    await company.app.setSubscription(company.id, { state: 'active', plan: 'basic' });
    await run(company, 'mail-reports');
    await change(company, { monthlyReport: false });
    await company.app.setSubscription(company.id, { state: 'active', plan: 'professional' });
    await run(company, 'mail-reports');
    expect(await reports({ ...company, name: `Company ${company.id}` })).toEqual([]);
    const people = await company.app.app.db.asCompany(company.id, (tx) => tx.select().from(users));
    expect(people).toHaveLength(1);
  });
});
