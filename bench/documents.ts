/// <reference lib="dom" />
import { chromium, type Page } from '@playwright/test';
import { pino } from 'pino';
import { openDatabase, type Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { startApp } from '../e2e/app.ts';
import { findBrowser } from '../e2e/browser.ts';
import { person, withCompany } from './company.ts';
import { milliseconds, percentile, type Row } from './figures.ts';

/** Of one company; `BENCH_DOCUMENTS` for a quick look. */
const documents = Number(process.env.BENCH_DOCUMENTS ?? 10_000);
const documentsAtOnce = 500;
const rounds = 3;
/** Each of its keys leaves other rows. */
const typed = '4217';
/** Wheel turns, each of about eight rows. */
const turns = 60;

/** The page of documents of a company with 10,000 of them, in Chromium: filtering, scrolling, selecting all. */
export function measureDocuments(): Promise<Row[]> {
  return withCompany(async (dataDir, companyId) => {
    await fill(dataDir, companyId);
    const server = await startApp({ DATA_DIR: dataDir });
    const { executablePath, env } = await findBrowser();
    const browser = await chromium.launch({ executablePath, env, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await browser.newPage({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
      await page.request.post('/v1/signIn', { data: { data: person } });
      return await measure(page);
    } finally {
      await browser.close();
      await server.stop();
    }
  });
}

async function measure(page: Page): Promise<Row[]> {
  await page.addInitScript(watch);
  await page.addInitScript(watchKeys);
  await page.goto('/admin/documents');
  const rows = page.getByRole('table', { name: 'All documents' }).locator('tbody tr[data-index]');
  await rows.first().waitFor();
  const filter = page.getByPlaceholder('Search documents by name...');
  const keys: number[] = [];
  await taken(page);
  for (let round = 0; round < rounds; round++) {
    await filter.focus();
    for (const key of typed) {
      await page.keyboard.press(key);
      keys.push(await page.evaluate(nextKey));
    }
    await filter.fill('');
    await page.evaluate(frame);
  }
  const filtering = await taken(page);
  await rows.first().hover();
  for (let turn = 0; turn < turns; turn++) {
    await page.mouse.wheel(0, 500);
    await page.evaluate(frame);
  }
  const scrolling = await taken(page);
  const started = performance.now();
  await page.getByRole('checkbox', { name: /^Select all/ }).check();
  await page.getByText(`${documents.toLocaleString('en-US')} selected`).waitFor();
  const all = performance.now() - started;
  const selecting = await taken(page);
  const drawn = await rows.count();
  return [
    [`${documents.toLocaleString('en')} documents: rows in the page`, String(drawn), ''],
    [
      'a key in the filter until the rows are painted, p50, p95',
      `${milliseconds(percentile(keys, 0.5))}, ${milliseconds(percentile(keys, 0.95))}`,
      '100 ms',
    ],
    ['longest task while filtering', milliseconds(filtering), '100 ms'],
    [`longest task while scrolling ${turns} turns of the wheel`, milliseconds(scrolling), '50 ms'],
    ['all selected, until it is said; longest task', `${milliseconds(all)}; ${milliseconds(selecting)}`, ''],
  ];
}

/** In the page: notes the longest task since it was asked last. */
function watch(): void {
  const state = { longest: 0 };
  Object.assign(window, { longestTask: state });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) state.longest = Math.max(state.longest, duration);
  }).observe({ type: 'longtask' });
}

/** Milliseconds of the longest task since the last time; tasks below 50 are not told by browsers and count as 0. */
async function taken(page: Page): Promise<number> {
  await page.evaluate(frame);
  return page.evaluate(() => {
    const state: { longest: number } = Reflect.get(window, 'longestTask');
    const { longest } = state;
    state.longest = 0;
    return longest;
  });
}

/** In the page: from each key that goes down until the rows that it asks for are on the screen, in `keyTimes`. */
function watchKeys(): void {
  const keyTimes: number[] = [];
  Object.assign(window, { keyTimes });
  window.addEventListener(
    'keydown',
    ({ timeStamp }) => {
      const body = document.querySelector('tbody');
      if (!body) return;
      let painted = 0;
      // What is drawn in a turn of the loop is painted by the frame after it; the last drawing counts.
      const observer = new MutationObserver(() => {
        requestAnimationFrame(() =>
          setTimeout(() => {
            painted = performance.now();
          }),
        );
      });
      observer.observe(body, { childList: true, subtree: true, characterData: true });
      setTimeout(() => {
        observer.disconnect();
        keyTimes.push(Math.max(0, painted - timeStamp));
      }, 400);
    },
    { capture: true },
  );
}

/** In the page: what the key that went down last took. */
async function nextKey(): Promise<number> {
  const keyTimes: number[] = Reflect.get(window, 'keyTimes');
  while (keyTimes.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  return keyTimes.shift() ?? 0;
}

function frame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

/** Documents past the upload: their bytes and passages are absent, which the list does not miss. */
async function fill(dataDir: string, companyId: string): Promise<void> {
  const log = pino({ level: 'warn' });
  const postgres = await startPostgres({ dataDir, log });
  const db = await openDatabase(postgres.connection, { name: 'bench', log });
  try {
    for (let from = 0; from < documents; from += documentsAtOnce) {
      await db.asSystem((tx) => insert(tx, companyId, from));
      // Or the checks of keys keep the plan of an empty table, and read all of it for each row.
      await db.statement(sql`analyze documents, versions`);
    }
  } finally {
    await db.close();
    await postgres.stop();
  }
}

async function insert(tx: Tx, companyId: string, from: number): Promise<void> {
  const to = Math.min(from + documentsAtOnce, documents);
  await tx.execute(sql`
    create temporary table made on commit drop as
    select gen_random_uuid() as id, n, 'Report ' || n || ' of the harbour office.pdf' as name
    from generate_series(${from + 1}::int, ${to}::int) as n`);
  await tx.execute(sql`
    insert into documents (company_id, id, name, name_key, current_version, newest_version, tags, tag_keys)
    select ${companyId}::uuid, id, name, name, 1, 1,
      case when n % 3 = 0 then array['Harbour'] else array[]::text[] end,
      case when n % 3 = 0 then array['harbour'] else array[]::text[] end
    from made`);
  await tx.execute(sql`
    insert into versions (company_id, document_id, version, state, media_type, size, sha256, object_key, upload_id,
      uploaded_by, pages, planted)
    select ${companyId}::uuid, id, 1, case when n % 500 = 0 then 'failed' else 'ready' end, 'application/pdf',
      1000 * (n % 4000 + 1), repeat('0', 64), 'none/' || id, gen_random_uuid(), gen_random_uuid(), n % 90 + 1, '[]'
    from made`);
}
