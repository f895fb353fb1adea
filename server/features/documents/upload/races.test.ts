import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { sql } from '#server/db/drizzle.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import fc from '#server/testing/fast-check.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const doings = ['upload', 'upload broken', 'delete', 'retry', 'sweep', 'ask'] as const;
const names = ['One.md', 'Two.md'];
/** Some things that are done at once, after all of the group before have been answered. */
const groups = fc.array(
  fc.array(fc.tuple(fc.constantFrom(...doings), fc.constantFrom(...names)), { minLength: 1, maxLength: 5 }),
  { minLength: 1, maxLength: 4 },
);

test('whatever is done at once, every file comes to an end, and what is searched is what is listed', {
  timeout: 240_000,
}, async () => {
  await fc.assert(fc.asyncProperty(groups, run), { numRuns: 8, seed: 20_260, endOnFailure: true });
});

async function run(plan: [(typeof doings)[number], string][][]): Promise<void> {
  const { company, token } = await app.signUp();
  const client = createClient(app.url, token);
  let count = 0;
  const perform = async (doing: (typeof doings)[number], name: string): Promise<unknown> => {
    if (doing === 'upload') return client.upload(name, Buffer.from(`The badge of ${name} has number${++count}.`));
    if (doing === 'upload broken') return client.upload(name, Buffer.from('%PDF-1.7 broken'));
    if (doing === 'delete') return client.call('deleteFile', { filePath: `${company.id}/${name}` });
    if (doing === 'sweep') return app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'sweep', {}));
    if (doing === 'ask') return client.call('searchPassages', { query: 'badge number' });
    const file = (await client.call('getCompanyFiles', null)).find((each) => each.name === name);
    return client.call('retryFile', { documentId: file?.id ?? '00000000-0000-4000-8000-000000000000' });
  };
  const refusals = new Set<unknown>();
  for (const group of plan) {
    const results = await Promise.allSettled(group.map(([doing, name]) => perform(doing, name)));
    for (const result of results) if (result.status === 'rejected') refusals.add(result.reason.code);
  }
  await app.idle();

  // A deletion ends the uploads that would replace the file.
  const expected = new Set(['file-not-found', 'not-retryable', 'upload-not-found']);
  expect([...refusals.difference(expected)]).toEqual([]);
  const files = await client.call('getCompanyFiles', null);
  for (const { state } of files) expect(['ready', 'failed']).toContain(state);
  const { passages } = await client.call('searchPassages', { query: 'badge number', limit: 20 });
  const answering = files.filter(({ currentVersion }) => currentVersion !== undefined);
  expect(passages.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(
    answering.map(({ name, currentVersion }) => `${name} ${currentVersion}`).sort(),
  );
  const { rows } = await app.app.db.asCompany(company.id, (tx) =>
    tx.execute<{ key: string }>(sql`select object_key as key from versions`),
  );
  const objects = await readdir(join(app.config.dataDir, 'files', company.id)).catch(() => []);
  expect(objects.sort()).toEqual(rows.map(({ key }) => key.split('/')[1]).sort());
}
