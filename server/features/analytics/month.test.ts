import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { companies } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertDocument } from '#server/testing/factories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe' });
});
afterAll(() => app.close());

/** A question as it is stored, with the documents that its answer cites. */
interface Stored {
  id: string;
  userId: string;
  question: string;
  answered: boolean;
  at: Date;
  rating: 'up' | 'down' | null;
  ms: number;
  cites: string[];
}

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'];
/** The clocks of New York go forward on the 8th, those of Berlin on the 29th. */
const month = { from: '2026-03-01', to: '2026-03-31' };

/** The same numbers on every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function newCompany(plan: 'basic' | 'professional') {
  const { company, token, admin } = await app.signUp();
  await app.setSubscription(company.id, { state: 'active', plan });
  return {
    id: company.id,
    admin,
    call: <Name extends Parameters<TestApp['call']>[0]>(name: Name, input: CallInput<Name>) =>
      app.call(name, input, { token }),
  };
}

async function store(companyId: string, questions: readonly Stored[]): Promise<void> {
  for (let i = 0; i < questions.length; i += 5000) {
    const rows = JSON.stringify(questions.slice(i, i + 5000));
    await app.app.db.asSystem(async (tx) => {
      await tx.execute(sql`
        insert into queries (company_id, id, user_id, question, answer, answered, rating, duration_ms, created_at)
        select ${companyId}, id, "userId", question, 'Some answer.', answered, rating, ms, at
        from jsonb_to_recordset(${rows}::jsonb)
          as given (id uuid, "userId" uuid, question text, answered boolean, rating text, ms int, at timestamptz)`);
      await tx.execute(sql`
        insert into citations (company_id, id, query_id, n, document_id, version, quote, start, "end")
        select ${companyId}, gen_random_uuid(), id, 1, document::uuid, 1, 'Words', 0, 5
        from jsonb_to_recordset(${rows}::jsonb) as given (id uuid, cites jsonb),
          jsonb_array_elements_text(cites) as document`);
    });
  }
}

async function count(): Promise<void> {
  await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'count-questions', {}, { singletonKey: 'all' }));
  await app.idle();
}

/** As clocks show it, by the browser's own knowledge of time zones. */
function clockOf(timeZone: string): (at: Date) => { date: string; weekday: number; hour: number } {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (at) => {
    const [date = '', time = ''] = format.format(at).split(' ');
    return { date, weekday: new Date(date).getUTCDay() || 7, hour: Number(time.slice(0, 2)) };
  };
}

function tally(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** What the call has to say of the questions, counted from them one by one. */
function expected(all: readonly Stored[], timeZone: string) {
  const clock = clockOf(timeZone);
  const timed = all.map((each) => ({ ...each, ...clock(each.at) }));
  const numbers = (from: string, to: string) => {
    const asked = timed.filter(({ date }) => date >= from && date <= to);
    return {
      asked: asked.length,
      answered: asked.filter(({ answered }) => answered).length,
      unanswered: asked.filter(({ answered }) => !answered).length,
      people: new Set(asked.map(({ userId }) => userId)).size,
      feedback: {
        helpful: asked.filter(({ rating }) => rating === 'up').length,
        notHelpful: asked.filter(({ rating }) => rating === 'down').length,
      },
    };
  };
  const inMonth = timed.filter(({ date }) => date >= month.from && date <= month.to);
  return {
    ...numbers(month.from, month.to),
    before: numbers('2026-01-29', '2026-02-28'),
    perDay: Array.from({ length: 31 }, (_, i) => {
      const date = `2026-03-${String(i + 1).padStart(2, '0')}`;
      const { asked, unanswered } = numbers(date, date);
      return { date, asked, unanswered };
    }),
    hours: tally(inMonth.map(({ weekday, hour }) => `${weekday} ${hour}`)),
    questions: tally(inMonth.map(({ question }) => question)),
    unansweredQuestions: tally(inMonth.filter(({ answered }) => !answered).map(({ question }) => question)),
    documents: tally(inMonth.flatMap(({ cites }) => cites)),
    askers: tally(inMonth.map(({ userId }) => userId)),
    durations: inMonth.map(({ ms }) => ms).sort((one, other) => one - other),
  };
}

/** Holds the list's counts against all that there are: its own are right, and none that is left out is larger. */
function expectMost(list: readonly { key: string; count: number }[], all: Map<string, number>, max: number): void {
  expect(list.map(({ key, count: times }) => [key, times])).toEqual(list.map(({ key }) => [key, all.get(key)]));
  const counts = [...all.values()].sort((one, other) => other - one).slice(0, max);
  expect(list.map(({ count: times }) => times)).toEqual(counts);
}

function expectEqual(shown: CallOutput<'getAnalytics'>, all: readonly Stored[], timeZone: string): void {
  const truth = expected(all, timeZone);
  const { asked, answered, unanswered, people, feedback, before, perDay } = shown;
  expect({ asked, answered, unanswered, people, feedback, before, perDay }).toEqual({
    asked: truth.asked,
    answered: truth.answered,
    unanswered: truth.unanswered,
    people: truth.people,
    feedback: truth.feedback,
    before: truth.before,
    perDay: truth.perDay,
  });
  expect(shown.timeZone).toBe(timeZone);
  expect(new Map(shown.hours?.map(({ weekday, hour, asked: times }) => [`${weekday} ${hour}`, times]))).toEqual(
    truth.hours,
  );
  const keyed = (list: readonly { text: string; count: number }[]) =>
    list.map(({ text, count: times }) => ({ key: text, count: times }));
  expectMost(keyed(shown.topQuestions), truth.questions, 50);
  expectMost(keyed(shown.unansweredQuestions), truth.unansweredQuestions, 100);
  const cited = shown.documents.filter(({ citations }) => citations > 0);
  expectMost(
    cited.map(({ documentId, citations }) => ({ key: documentId, count: citations })),
    truth.documents,
    100,
  );
  const median = truth.durations[Math.ceil(truth.durations.length / 2) - 1] ?? 0;
  expect(Math.abs((shown.speed?.medianMs ?? 0) - median)).toBeLessThanOrEqual(0.11 * median + 1);
}

test('a month of two companies in five time zones equals what one counts by oneself', {
  timeout: 120_000,
}, async () => {
  const draw = random(7);
  const made = [];
  for (const size of [12_000, 8_000]) {
    const company = await newCompany('professional');
    const documents: string[] = [];
    for (let i = 0; i < 12; i++)
      documents.push((await insertDocument(app.app.db, company, { state: 'ready', text: `Text ${i}` })).documentId);
    const people = Array.from({ length: 150 }, () => randomUUID());
    const questions = Array.from({ length: size }, (): Stored => {
      // More of some than of others, from the month before to the month after.
      const topic = Math.floor(draw(150) ** 2 / 150);
      const answered = topic % 5 !== 0 || draw(3) === 0;
      return {
        id: randomUUID(),
        userId: people[Math.floor(draw(150) ** 2 / 150)] ?? '',
        question: `What is form FX-${1000 + topic} for?`,
        answered,
        at: new Date(Date.parse('2026-01-20T00:00:00Z') + draw(85 * 86_400_000)),
        rating: draw(10) === 0 ? (draw(3) === 0 ? 'down' : 'up') : null,
        ms: 5 + draw(40) ** 2,
        cites: answered ? [documents[draw(10)] ?? ''] : [],
      };
    });
    await store(company.id, questions);
    made.push({ ...company, questions });
  }
  await count();
  for (const timeZone of zones) {
    await app.app.db.asSystem((tx) => tx.update(companies).set({ timeZone }));
    await count();
    for (const { call, questions } of made) expectEqual(await call('getAnalytics', month), questions, timeZone);
  }
  const [first] = made;
  if (!first) return;
  const truth = expected(first.questions, 'UTC');
  const { people } = await first.call('listAskers', month);
  expectMost(
    people.map(({ userId, asked }) => ({ key: userId, count: asked })),
    truth.askers,
    1000,
  );
  // One person's own come from the questions, not from what is counted: the same by another way.
  const [userId = ''] = truth.askers.keys();
  const own = first.questions.filter((each) => each.userId === userId);
  expectEqual(await first.call('getAnalytics', { ...month, userId }), own, 'UTC');
});
