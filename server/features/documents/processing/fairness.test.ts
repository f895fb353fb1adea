import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import { sql } from '#server/db/drizzle.ts';
import { makeScan, type PdfLine } from '#server/features/ingestion/fixtures.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { holdTable } from '#server/testing/hold.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Company {
  id: string;
  client: Client;
}

async function newCompany(): Promise<Company> {
  const { company, token } = await app.signUp();
  return { id: company.id, client: createClient(app.url, token) };
}

const upload = ({ client }: Company, name: string) => client.upload(name, Buffer.from(`The badge says ${name}.`));
const beingRead = async ({ client }: Company) =>
  (await client.call('getCompanyFiles', null)).filter(({ state }) => state === 'processing').length;

/** Two files of the company that are being read until they are released: no other one of it is read meanwhile. */
async function keepBusy(company: Company): Promise<() => Promise<void>> {
  const hold = await holdTable(app, 'blocks');
  for (const count of [1, 2]) {
    await upload(company, `busy ${count}.txt`);
    await expect.poll(() => beingRead(company)).toBe(count);
  }
  await hold.reached();
  return () => hold.release();
}

/** The companies whose files were read, in the order in which they were ready. */
async function finished(): Promise<string[]> {
  await app.idle();
  const { rows } = await app.app.db.asSystem((tx) =>
    tx.execute<{ company: string }>(sql`select company_id as company from versions order by finished_at`),
  );
  return rows.map(({ company }) => company);
}

async function several(company: Company, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await upload(company, `more ${i}.txt`);
}

test("one company's many files do not hold up another's one", { timeout: 180_000 }, async () => {
  const [many, one] = [await newCompany(), await newCompany()];
  const release = await keepBusy(many);
  await several(many, 8);
  await upload(one, 'mine.txt');
  // Whatever waits of the other company, some of those who read are left for it.
  await expect.poll(() => beingRead(one)).toBe(1);
  expect(await beingRead(many)).toBe(2);
  await release();
  const order = (await finished()).filter((company) => company === many.id || company === one.id);
  expect(order).toHaveLength(11);
  // Those that were being read end before it, and one or two may be read beside it.
  expect(order.indexOf(one.id)).toBeLessThanOrEqual(5);
});

test('nor do scans, which take long, hold up the other files of their company', { timeout: 180_000 }, async () => {
  const one = await newCompany();
  const page = Array.from({ length: 40 }, (_, line): PdfLine => [`Line ${line} of a letter about the badge.`, 12]);
  // Long enough that a machine with other work on it is not done with three of them before the file after them is
  // there.
  const scan = Buffer.from(await makeScan(Array<PdfLine[]>(8).fill(page)));
  for (let i = 0; i < 4; i++) await one.client.upload(`scan ${i}.pdf`, scan);
  await upload(one, 'mine.txt');
  const readyOf = async () =>
    (await one.client.call('getCompanyFiles', null)).filter(({ state }) => state === 'ready').map(({ name }) => name);
  await expect.poll(readyOf).toContain('mine.txt');
  // Where each scan kept a place, three of them would be read before a place is free. When they were is asked of the
  // database: whoever looks at the list may look late.
  const { rows } = await app.app.db.asSystem((tx) =>
    tx.execute<{ name: string }>(sql`
      select name from versions join documents on documents.id = document_id
      where versions.company_id = ${one.id} and finished_at <= (
        select finished_at from versions join documents on documents.id = document_id
        where versions.company_id = ${one.id} and name = 'mine.txt')`),
  );
  expect(rows.length).toBeLessThan(4);
  expect(rows).toContainEqual({ name: 'mine.txt' });
  for (let i = 0; i < 4; i++) await one.client.call('deleteFile', { filePath: `${one.id}/scan ${i}.pdf` });
  await app.idle();
});

test('nor do the files of so many companies that none is free: whoever has few waiting is next', {
  timeout: 180_000,
}, async () => {
  const [first, second, one] = [await newCompany(), await newCompany(), await newCompany()];
  const release = await keepBusy(first);
  await several(second, 8);
  await several(first, 8);
  await expect.poll(() => beingRead(second)).toBe(2);
  await upload(one, 'mine.txt');
  expect(await beingRead(one)).toBe(0);
  await release();
  const order = (await finished()).filter((company) => [first.id, second.id, one.id].includes(company));
  expect(order).toHaveLength(19);
  // Four were being read, and each of the two had one that waited as short.
  expect(order.indexOf(one.id)).toBeLessThanOrEqual(10);
  expect(new Set(order.slice(order.indexOf(one.id)))).toEqual(new Set([one.id, first.id, second.id]));
});
