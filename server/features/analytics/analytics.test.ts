import { parse } from 'csv-parse/sync';
import { describe, expect } from 'vitest';
import type { CallOutput } from '#contract/calls.ts';
import { type Company, companyTest } from '#server/testing/company.ts';

const test = companyTest({ config: { billing: 'stripe' } });
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const lately = { from: day(-1), to: day(1) };

async function onPlan(company: Company, plan: 'basic' | 'professional'): Promise<Company> {
  await company.app.setSubscription(company.id, { state: 'active', plan });
  return company;
}

/** Asks as a person would; what was said before comes first. */
function ask({ client }: Pick<Company, 'client'>, ...texts: string[]): Promise<CallOutput<'query'>> {
  return client.call('query', { history: texts.map((text) => ({ role: 'user', parts: [{ text }] })) });
}

const analytics = ({ client }: Company) => client.call('getAnalytics', lately);

test('what was asked a moment ago is there, the same question in other forms once', async ({ company }) => {
  await onPlan(company, 'basic');
  await ask(company, 'How many vacation days do we have?');
  await ask(company, 'how many vacation day do we have');
  await ask(company, 'Where is the fire extinguisher?');
  const { asked, unanswered, people, topQuestions } = await analytics(company);
  expect({ asked, unanswered, people }).toEqual({ asked: 3, unanswered: 3, people: 1 });
  expect(topQuestions.map(({ text, count }) => [text, count])).toEqual([
    ['How many vacation days do we have?', 2],
    ['Where is the fire extinguisher?', 1],
  ]);
});

test('a follow-up counts with the question that it goes on from', async ({ company }) => {
  await onPlan(company, 'basic');
  await ask(company, 'What does a hotel in Spain cost?', 'And in Germany?');
  await ask(company, 'What does the canteen cost?', 'And in Germany?');
  const { topQuestions } = await analytics(company);
  expect(topQuestions.map(({ text }) => text).sort()).toEqual([
    'What does a hotel in Spain cost? … And in Germany?',
    'What does the canteen cost? … And in Germany?',
  ]);
});

test('a rating that is given, changed or taken back is counted as it is', async ({ company }) => {
  await onPlan(company, 'professional');
  const { queryId } = await ask(company, 'Who has the cellar key?');
  const rate = (rating: 'up' | 'down' | null, reason?: string) =>
    company.client.call('rateAnswer', { queryId, rating, ...(reason !== undefined && { reason }) });
  const counted = async () => (await analytics(company)).feedback;
  await rate('up');
  expect(await counted()).toEqual({ helpful: 1, notHelpful: 0 });
  await rate('down', 'It is the old key.');
  expect(await counted()).toEqual({ helpful: 0, notHelpful: 1 });
  const { feedback } = await company.client.call('listFeedback', lately);
  expect(feedback).toMatchObject([
    { queryId, rating: 'down', reason: 'It is the old key.', person: company.admin.email },
  ]);
  await rate(null);
  expect(await counted()).toEqual({ helpful: 0, notHelpful: 0 });
});

test('ratings are read page by page, each once', async ({ company }) => {
  await onPlan(company, 'professional');
  for (let i = 0; i < 23; i++) {
    const { queryId } = await ask(company, `Where is key ${i}?`);
    await company.client.call('rateAnswer', { queryId, rating: i % 2 ? 'up' : 'down' });
  }
  const all: string[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await company.client.call('listFeedback', { ...lately, ...(cursor !== undefined && { cursor }) });
    all.push(...page.feedback.map(({ question }) => question));
    cursor = page.next;
  }
  expect(all).toEqual(Array.from({ length: 23 }, (_, i) => `Where is key ${22 - i}?`));
  const { feedback } = await company.client.call('listFeedback', { ...lately, rating: 'up' });
  expect(feedback.every(({ rating }) => rating === 'up')).toBe(true);
});

test.for([
  ['listFeedback', { cursor: '2026-99-99T10:00:00Z 0b9f8a0e-0000-4000-8000-000000000000' }],
  ['listFeedback', { cursor: '2026-02-30T10:00:00.000Z 0b9f8a0e-0000-4000-8000-000000000000' }],
  ['listFeedback', { cursor: '2026-01-01T10:00:00.000Z ------------------------------------' }],
  ['getAnalytics', { from: '0001-01-02', to: '0001-01-30' }],
] as const)('%s refuses what no day or page is: %j', async ([name, input], { company }) => {
  await onPlan(company, 'professional');
  await expect(company.client.call(name, { ...lately, ...input })).rejects.toMatchObject({ code: 'invalid-input' });
});

describe('an unanswered question', () => {
  test('is off the list while it is solved, and back when it is asked without an answer again', async ({ company }) => {
    await onPlan(company, 'basic');
    const question = 'Who feeds the office cat?';
    await ask(company, question);
    const open = async () => (await analytics(company)).unansweredQuestions;
    const [first] = await open();
    const questionId = first?.questionId ?? '';
    expect(first).toMatchObject({ text: question, count: 1, people: 1, answeredSince: false });
    await company.client.call('setQuestionSolved', { questionId, solved: true });
    expect(await open()).toEqual([]);
    await company.client.call('setQuestionSolved', { questionId, solved: false });
    expect(await open()).toHaveLength(1);
    await company.client.call('setQuestionSolved', { questionId, solved: true });
    await ask(company, question);
    expect(await open()).toMatchObject([{ questionId, count: 2 }]);
  });

  test('asked again by its admin is answered from what is there now, and counted nowhere', async ({ company }) => {
    await onPlan(company, 'professional');
    await ask(company, 'Who feeds the office cat?');
    const [{ questionId } = { questionId: '' }] = (await analytics(company)).unansweredQuestions;
    expect((await company.client.call('askAgain', { questionId })).answered).toBe(false);
    await company.client.upload('Cat.txt', Buffer.from('The office cat is fed by Jonas at noon.'));
    await company.client.filesWhenRead();
    const again = await company.client.call('askAgain', { questionId });
    expect(again.answered).toBe(true);
    expect(again.answer).toContain('fed by Jonas');
    const { asked, documents } = await analytics(company);
    expect(asked).toBe(1);
    expect(documents).toMatchObject([{ name: 'Cat.txt', citations: 0 }]);
    // What it cites can be opened all the same.
    expect(again.sources[0]?.url).toMatch(/^\/documents\//);
  });
});

describe('a plan without usage analytics', () => {
  test('has the numbers, the days and the ten top questions', async ({ company }) => {
    await onPlan(company, 'basic');
    for (let i = 0; i < 12; i++) await ask(company, `Where is key ${i}?`);
    const shown = await analytics(company);
    expect(shown.asked).toBe(12);
    expect(shown.perDay).toHaveLength(3);
    expect(shown.topQuestions).toHaveLength(10);
    expect(shown.unansweredQuestions).toHaveLength(10);
    expect(shown.documents).toEqual([]);
    expect(shown).not.toHaveProperty('hours');
    expect(shown).not.toHaveProperty('speed');
  });

  test.for(['listFeedback', 'listAskers', 'exportAnalytics', 'getAnalytics'] as const)(
    'has no %s of ratings, people or files',
    async (name, { company }) => {
      await onPlan(company, 'basic');
      const more = { exportAnalytics: { table: 'days' as const }, getAnalytics: { userId: company.admin.uid } };
      const input = { ...lately, ...(name in more && more[name as keyof typeof more]) };
      await expect(company.client.call(name, input as never)).rejects.toMatchObject({
        code: 'feature-not-in-plan',
        details: { plan: 'professional' },
      });
    },
  );
});

describe('a company that shows no names', () => {
  const tables = ['days', 'questions', 'unanswered', 'documents', 'feedback', 'hours', 'speed'] as const;

  test('has nobody in its analytics, nor in any file of them', async ({ company }) => {
    await onPlan(company, 'professional');
    await company.client.call('setDisplayName', { displayName: 'Maximiliane Feodora' });
    const { queryId } = await ask(company, 'Who has the cellar key?');
    await company.client.call('rateAnswer', { queryId, rating: 'up' });
    const told = async () => {
      const files = [];
      for (const table of tables) files.push(await company.client.call('exportAnalytics', { ...lately, table }));
      return JSON.stringify([await analytics(company), await company.client.call('listFeedback', lately), files]);
    };
    expect(await told()).toContain('Maximiliane');
    await company.client.call('updateAnalyticsSettings', { showNames: false });
    const after = await told();
    for (const secret of ['Maximiliane', company.admin.email, company.admin.uid]) expect(after).not.toContain(secret);
    const { uid: userId } = company.admin;
    const refused = { code: 'names-not-shown' };
    await expect(company.client.call('listAskers', lately)).rejects.toMatchObject(refused);
    await expect(company.client.call('getAnalytics', { ...lately, userId })).rejects.toMatchObject(refused);
    await expect(company.client.call('listFeedback', { ...lately, userId })).rejects.toMatchObject(refused);
    const people = { ...lately, table: 'people' as const };
    await expect(company.client.call('exportAnalytics', people)).rejects.toMatchObject(refused);
  });
});

test('the file of one person holds that person', async ({ company }) => {
  await onPlan(company, 'professional');
  await ask(company, 'Who feeds the office cat?');
  const rowsOf = async (userId: string) => {
    const { csv } = await company.client.call('exportAnalytics', { ...lately, table: 'people', userId });
    return parse(csv, { bom: true }).length - 1;
  };
  expect(await rowsOf(company.admin.uid)).toBe(1);
  expect(await rowsOf('0b9f8a0e-0000-4000-8000-000000000000')).toBe(0);
});

test('the files hold what was asked, without formulas', async ({ company }) => {
  await onPlan(company, 'professional');
  const question = '=HYPERLINK("https://evil.example"), said;\nwho?';
  const { queryId } = await ask(company, question);
  await company.client.call('rateAnswer', { queryId, rating: 'down', reason: '+1, no' });
  const { fileName, csv } = await company.client.call('exportAnalytics', { ...lately, table: 'feedback' });
  expect(fileName).toBe(`analytics-feedback-${lately.from}-${lately.to}.csv`);
  const [header, row] = parse(csv, { bom: true });
  expect(header).toEqual(['Asked', 'Rating', 'Reason', 'Question', 'Answer', 'Person']);
  expect(row?.slice(1, 4)).toEqual(['not helpful', "'+1, no", `'${question}`]);
});
