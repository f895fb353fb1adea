import { pino } from 'pino';
import type { Client } from '#client/client.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { recountAnalytics } from '#server/features/analytics/analytics.ts';
import { askOverHttp, withCompany } from './company.ts';
import { milliseconds, percentile, type Row, seconds, timeOf } from './figures.ts';

/** Of one company; `BENCH_QUESTIONS` for a quick look. */
const questions = Number(process.env.BENCH_QUESTIONS ?? 1_000_000);
const days = 400;
const people = 2000;
const documents = 2000;
/** However they are worded; some are asked much more often than others. */
const different = 50_000;
const rounds = 30;
const ranges = [7, 30, 90, days];

/** The analytics of one company with a million stored questions, over HTTP. */
export function measureAnalytics(): Promise<Row[]> {
  return withCompany(async (dataDir, companyId) => [
    ...(await fill(dataDir, companyId)),
    ...(await askOverHttp(dataDir, measure)),
  ]);
}

async function fill(dataDir: string, companyId: string): Promise<Row[]> {
  const log = pino({ level: 'warn' });
  const postgres = await startPostgres({ dataDir, log });
  const db = await openDatabase(postgres.connection, { name: 'bench', log });
  try {
    const filled = await timeOf(() => store(db, companyId));
    const counted = await timeOf(() => recountAnalytics(db, companyId));
    // As the database does by itself, a while later.
    await db.statement(sql`vacuum analyze`);
    return [
      [`${questions.toLocaleString('en')} questions of ${days} days stored`, seconds(filled), ''],
      ['all their days counted anew, as when the company moves to another time zone', seconds(counted), ''],
    ];
  } finally {
    await db.close();
    await postgres.stop();
  }
}

async function measure(client: Client): Promise<Row[]> {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const rows: Row[] = [];
  for (const range of ranges) {
    const read = () => client.call('getAnalytics', { from: day(range - 1), to: day(0) });
    const { asked } = await read();
    const times: number[] = [];
    for (let i = 0; i < rounds; i++) times.push(await timeOf(read));
    rows.push([
      `getAnalytics of ${range} days (${asked.toLocaleString('en')} questions), p50, p95`,
      `${milliseconds(percentile(times, 0.5))}, ${milliseconds(percentile(times, 0.95))}`,
      'p95 300 ms',
    ]);
  }
  const asking = await timeOf(() =>
    client.call('query', { history: [{ role: 'user', parts: [{ text: 'Where is the key to the north cellar?' }] }] }),
  );
  const after = await timeOf(() => client.call('getAnalytics', { from: day(29), to: day(0) }));
  rows.push([
    'a question; the next getAnalytics of 30 days, which counts it first',
    `${milliseconds(asking)}; ${milliseconds(after)}`,
    '',
  ]);
  return rows;
}

/** Past asking and wording: rows as they are once they are counted. */
async function store(db: Database, companyId: string): Promise<void> {
  // Some things more often than others: the square of what is drawn evenly.
  const often = (count: number) => sql`floor(power(random(), 2) * ${count})::int + 1`;
  const id = (kind: number, nth: ReturnType<typeof sql>) =>
    sql`(${String(kind).padStart(8, '0')} || '-0000-4000-8000-' || lpad((${nth})::text, 12, '0'))::uuid`;
  await db.statement(sql`select setseed(0.5)`);
  await db.statement(sql`
    insert into documents (company_id, id, name, name_key, current_version, newest_version)
    select ${companyId}, ${id(1, sql`i`)}, 'Document ' || i, 'document ' || i, 1, 1 from generate_series(1, ${documents}::int) i`);
  await db.statement(sql`
    insert into asked_questions (company_id, id, text, terms)
    select ${companyId}, ${id(2, sql`i`)}, 'What is form ' || i || ' for, and who signs it?', array['form', i::text]
    from generate_series(1, ${different}::int) i`);
  await db.statement(sql`
    insert into queries (company_id, id, user_id, question, answer, answered, rating, duration_ms, created_at,
      asked_question_id, counted)
    select ${companyId}, ${id(3, sql`i`)}, ${id(4, often(people))}, 'What is it for?', 'Some answer.', random() < 0.8,
      case when random() < 0.05 then case when random() < 0.7 then 'up' else 'down' end end,
      (20 + power(random(), 3) * 3000)::int, now() - random() * interval '1 day' * ${days}::int,
      ${id(2, often(different))}, true
    from generate_series(1, ${questions}::int) i`);
  await db.statement(sql`
    insert into citations (company_id, id, query_id, n, document_id, version, quote, start, "end")
    select company_id, gen_random_uuid(), id, 1, ${id(1, often(documents))}, 1, 'Some words.', 0, 11
    from queries where answered`);
  await db.statement(sql`analyze`);
}
