import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createClient } from '#client/client.ts';
import type { CallOutput } from '#contract/calls.ts';
import { eq, sql } from '#server/db/drizzle.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { companies } from '#server/db/schema.ts';
import type { S3Place } from '#server/ports/files/s3/place.ts';
import { startTestApp, type TestApp } from './app.ts';
import { type Company, newCompany } from './company.ts';
import { startTestS3 } from './s3.ts';

// Two processes with one database and one store that speaks S3: each has a folder of its own, and of what the other has
// there it needs nothing.

const s3 = await startTestS3();
const { simulator } = s3;
const searchPlace: S3Place = { ...s3.place, prefix: 'search/', setting: 'SEARCH_URL' };
const secretKey = 'of these processes '.repeat(3);
const newFolder = () => mkdtemp(join(tmpdir(), 'footnote-search-'));
let one: TestApp;
let other: TestApp;
beforeAll(async () => {
  one = await startTestApp({ files: s3.place, searchPlace, secretKey });
  const { databaseUrl } = one.config;
  other = await startTestApp({ files: s3.place, searchPlace, secretKey, databaseUrl, dataDir: await newFolder() });
});
afterAll(async () => {
  await other.close();
  await rm(other.config.dataDir, { recursive: true });
  await one.close();
  await s3.close();
});

let company: Company;
let there: ReturnType<typeof createClient>;
beforeEach(async () => {
  simulator.onRequest(() => undefined);
  company = await newCompany(one);
  there = createClient(other.url, company.token);
});

const question = [{ role: 'user' as const, parts: [{ text: 'Where does the cellar key hang?' }] }];
const rules = (place: string) => Buffer.from(`# House rules\n\nThe cellar key hangs ${place}.\n`);
/** The answer with what it cites. */
const textOf = (answer: CallOutput<'query'>) => JSON.stringify(answer);
type Asked = Pick<Company['client'], 'call'>;
const answered = async (client: Asked) => textOf(await client.call('query', { history: question }));
const isDone = () => Promise.all([one.idle(), other.idle()]);

test('what one has read the other answers from at once, and what is deleted at one no longer', async () => {
  const { client } = company;
  expect(one.app.ports.search).toBe('LanceDB on S3');
  expect(await readdir(one.config.dataDir)).not.toContain('search');
  for (const [from, to, place] of [
    [client, there, 'behind the green door'],
    [there, client, 'under the blue mat'],
  ] as const) {
    await from.upload('Rules.md', rules(place));
    await isDone();
    expect(await answered(to)).toContain(place);
    expect(await answered(from)).toContain(place);
  }
  await there.call('deleteFile', { filePath: `${company.id}/Rules.md` });
  expect(await answered(client)).not.toContain('hangs');
  expect(await answered(there)).not.toContain('hangs');
  await isDone();
  expect(await answered(client)).not.toContain('hangs');
});

test('while the store fails what has been asked goes on being answered, uploads wait, and nothing is lost', async () => {
  const { client } = company;
  await client.upload('Rules.md', rules('behind the green door'));
  await isDone();
  for (const at of [client, there]) expect(await answered(at)).toContain('green door');
  simulator.onRequest((request) =>
    /originals\/search|search%2F/.test(request) ? { status: 503, code: 'SlowDown' } : undefined,
  );
  expect(await answered(there)).toContain('green door');
  const refused = simulator.requests.length;
  await client.upload('Garden.md', Buffer.from('# Garden\n\nThe roses are cut in March.\n'));
  await expect.poll(() => simulator.requests.length, { timeout: 60_000 }).toBeGreaterThan(refused);
  expect(await answered(client)).toContain('green door');
  simulator.onRequest(() => undefined);
  await isDone();
  expect(await client.call('getCompanyFiles', null)).toMatchObject([{ state: 'ready' }, { state: 'ready' }]);
  const history = [{ role: 'user' as const, parts: [{ text: 'When are the roses cut?' }] }];
  expect(textOf(await there.call('query', { history }))).toContain('March');
});

test('a company that ends leaves nothing in the store', async () => {
  await company.client.upload('Rules.md', rules('behind the green door'));
  await isDone();
  expect(await answered(there)).toContain('green door');
  expect((await searchObjects()).filter((key) => key.includes(company.id))).not.toEqual([]);
  await company.client.call('deleteCompany', { companyName: 'Example Company' });
  const { db, jobs } = one.app;
  await db.asSystem((tx) => tx.update(companies).set({ endsAt: sql`now()` }).where(eq(companies.id, company.id)));
  await db.asSystem((tx) => jobs.enqueue(tx, 'end-companies', {}));
  await isDone();
  expect((await searchObjects()).filter((key) => key.includes(company.id))).toEqual([]);
});

async function searchObjects(): Promise<string[]> {
  const client = new S3Client({ ...searchPlace, forcePathStyle: true });
  onTestFinished(() => client.destroy());
  const { Contents = [] } = await client.send(
    new ListObjectsV2Command({ Bucket: searchPlace.bucket, Prefix: searchPlace.prefix }),
  );
  return Contents.map(({ Key = '' }) => Key);
}

test('a process that has something else in a folder of its own, or another place, is refused', async () => {
  const { databaseUrl } = one.config;
  for (const settings of [
    { files: s3.place, searchPlace },
    { searchPlace, secretKey },
    { files: s3.place, secretKey },
    { files: s3.place, searchPlace: { ...searchPlace, prefix: 'elsewhere/' }, secretKey },
  ]) {
    const dataDir = await newFolder();
    onTestFinished(() => rm(dataDir, { recursive: true }));
    await expect(startTestApp({ ...settings, databaseUrl, dataDir })).rejects.toThrow(
      /with another DATA_DIR, and neither would find/,
    );
  }
});

test('a start with a place that is wrong is refused in one sentence', async () => {
  const dataDir = await newFolder();
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const start = startTestApp({ searchPlace: { ...searchPlace, bucket: 'no-such-bucket' }, dataDir });
  await expect(start).rejects.toThrow(CannotStart);
  await expect(start).rejects.toThrow(
    /^There is no bucket no-such-bucket at .*: make it, or set SEARCH_URL to another\.$/,
  );
});
