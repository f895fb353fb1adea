import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { sql } from '#server/db/drizzle.ts';
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
type Days = Pick<CallInput<'getAnalytics'>, 'from' | 'to'>;

/** The clocks of New York go forward on the 8th, those of Berlin on the 29th. */
const month: Days = { from: '2026-03-01', to: '2026-03-31' };
/**
 * Ranges that begin and end inside months, with none, one and two whole ones between; the last, up to a month's end.
 */
const ranges: Days[] = [
  month,
  { from: '2026-03-03', to: '2026-03-30' },
  { from: '2026-02-17', to: '2026-04-02' },
  { from: '2026-01-21', to: '2026-04-09' },
  { from: '2026-02-28', to: '2026-03-31' },
];

const dayMs = 86_400_000;

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
function expected(all: readonly Stored[], timeZone: string, { from: first, to: last }: Days) {
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
  const inRange = timed.filter(({ date }) => date >= first && date <= last);
  const later = (date: string, by: number) => new Date(Date.parse(date) + by * dayMs).toISOString().slice(0, 10);
  const length = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  return {
    ...numbers(first, last),
    before: numbers(later(first, -length), later(first, -1)),
    perDay: Array.from({ length }, (_, i) => {
      const date = later(first, i);
      const { asked, unanswered } = numbers(date, date);
      return { date, asked, unanswered };
    }),
    hours: tally(inRange.map(({ weekday, hour }) => `${weekday} ${hour}`)),
    questions: tally(inRange.map(({ question }) => question)),
    unansweredQuestions: tally(inRange.filter(({ answered }) => !answered).map(({ question }) => question)),
    documents: tally(inRange.flatMap(({ cites }) => cites)),
    askers: tally(inRange.map(({ userId }) => userId)),
    durations: inRange.map(({ ms }) => ms).sort((one, other) => one - other),
  };
}

/** Holds the list's counts against all that there are: its own are right, and none that is left out is larger. */
function expectMost(list: readonly { key: string; count: number }[], all: Map<string, number>, max: number): void {
  expect(list.map(({ key, count: times }) => [key, times])).toEqual(list.map(({ key }) => [key, all.get(key)]));
  const counts = [...all.values()].sort((one, other) => other - one).slice(0, max);
  expect(list.map(({ count: times }) => times)).toEqual(counts);
}

function expectEqual(shown: CallOutput<'getAnalytics'>, all: readonly Stored[], timeZone: string, days: Days): void {
  const truth = expected(all, timeZone, days);
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
        at: new Date(Date.parse('2026-01-20T00:00:00Z') + draw(85 * dayMs)),
        rating: draw(10) === 0 ? (draw(3) === 0 ? 'down' : 'up') : null,
        ms: 5 + draw(40) ** 2,
        cites: answered ? [documents[draw(10)] ?? ''] : [],
      };
    });
    await store(company.id, questions);
    made.push({ ...company, questions });
  }
  await count();
  for (const [i, timeZone] of zones.entries()) {
    await app.app.db.asSystem((tx) => tx.update(companies).set({ timeZone }));
    await count();
    for (const { call, questions } of made)
      for (const days of [month, ranges[i] ?? month])
        expectEqual(await call('getAnalytics', days), questions, timeZone, days);
  }
  const [first] = made;
  if (!first) return;
  for (const days of ranges) {
    const { people } = await first.call('listAskers', days);
    expectMost(
      people.map(({ userId, asked }) => ({ key: userId, count: asked })),
      expected(first.questions, 'UTC', days).askers,
      1000,
    );
  }
  // One person's own come from the questions, not from what is counted: the same by another way.
  const [userId = ''] = expected(first.questions, 'UTC', month).askers.keys();
  const own = first.questions.filter((each) => each.userId === userId);
  expectEqual(await first.call('getAnalytics', { ...month, userId }), own, 'UTC', month);

  // What changes in a month that was summed up long ago is right at once, and after it is summed up anew.
  const rated = first.questions.filter((_, i) => i % 50 === 0);
  for (const each of rated) each.rating = 'up';
  const ids = sql`${sql.param(rated.map(({ id }) => id))}::uuid[]`;
  await app.app.db.asSystem((tx) =>
    tx.execute(sql`update queries set rating = 'up', counted = false where id = any(${ids})`),
  );
  for (const when of ['at once', 'summed up anew']) {
    if (when !== 'at once') await count();
    for (const days of ranges.slice(2, 4))
      expectEqual(await first.call('getAnalytics', days), first.questions, 'UTC', days);
  }
});
