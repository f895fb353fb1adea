import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { createApp } from '#server/app.ts';
import type { App } from '#server/app-options.ts';
import { sql } from '#server/db/drizzle.ts';
import { createLog } from '#server/http/log.ts';
import { termsFolder } from '#server/ports/search/lance.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
let made: TestApp;
let companyId: string;
let token: string;

beforeAll(async () => {
  made = await startTestApp();
  const { company, ...signedUp } = await made.signUp();
  [companyId, token] = [company.id, signedUp.token];
  const client = createClient(made.url, token);
  await client.upload('Rules.md', Buffer.from('# House rules\n\nThe cellar key hangs behind the green door.\n'));
  await client.upload('Gone.md', Buffer.from('The canteen opens at noon.'));
  await made.idle();
  await client.call('deleteFile', { filePath: `${companyId}/Gone.md` });
  await made.idle();
  await made.app.close();
});
afterAll(() => made.close());

const searchFolder = () => join(made.config.dataDir, 'search');

/** Runs the command on the stopped app's data. */
async function reindex(...args: string[]): Promise<{ code: number; said: string }> {
  const { databaseUrl: DATABASE_URL, dataDir: DATA_DIR } = made.config;
  const child = spawn(process.execPath, ['scripts/reindex.ts', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, DATABASE_URL, DATA_DIR },
  });
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, said: said + complained };
}

/** Starts the app again on what is there. */
async function withApp<T>(work: (app: App, found: (query: string) => Promise<string[]>) => Promise<T>): Promise<T> {
  const app = await createApp(made.config, { log: createLog('warn') });
  try {
    const client = createClient(await app.listen(), token);
    return await work(app, async (query) =>
      (await client.call('searchPassages', { query })).passages.map(({ name }) => name),
    );
  } finally {
    await app.close();
  }
}

const rewritings = async (app: App) => {
  const { rows } = await app.db.asSystem((tx) =>
    tx.execute(sql`select id from pgboss.job where name = 'erase-search' and data->>'companyId' = ${companyId}`),
  );
  return rows.length;
};

test('the command builds a search table that was thrown away, or is damaged', { timeout: 180_000 }, async () => {
  await rm(searchFolder(), { recursive: true });
  expect(await reindex()).toMatchObject({ code: 0, said: expect.stringContaining('of 1 company are built anew') });
  expect(await readdir(join(searchFolder(), termsFolder))).toContain(`${companyId}.lance`);
  const before = await withApp(async (app, found) => {
    expect([await found('cellar key'), await found('canteen')]).toEqual([['Rules.md'], []]);
    return rewritings(app);
  });
  await rm(searchFolder(), { recursive: true });
  const versions = join(searchFolder(), termsFolder, `${companyId}.lance`, '_versions');
  await mkdir(versions, { recursive: true });
  await writeFile(join(versions, '1.manifest'), 'no manifest');
  expect(await reindex(companyId)).toMatchObject({ code: 0, said: expect.stringContaining(`${companyId}): done`) });
  await withApp(async (app, found) => {
    expect(await found('cellar key')).toEqual(['Rules.md']);
    // It is the command that has built it, not the start.
    expect(await rewritings(app)).toBe(before);
  });
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await reindex(unknown)).toMatchObject({ code: 1, said: expect.stringContaining('No company with documents') });
});

test('a start builds a table that is missing by itself, whole, though files come first', {
  timeout: 90_000,
}, async () => {
  await rm(searchFolder(), { recursive: true });
  // Where an earlier version kept its tables: what is deleted must not stay there.
  for (const earlier of ['', 'terms', 'terms-3'])
    await mkdir(join(searchFolder(), earlier, `${companyId}.lance`, 'data'), { recursive: true });
  await withApp(async (app, found) => {
    expect(await readdir(searchFolder())).toEqual([termsFolder]);
    const client = createClient(`http://127.0.0.1:${addressOf(app)}`, token);
    await client.upload('News.md', Buffer.from('The canteen opens at one.'));
    await app.jobs.idle();
    expect([await found('cellar key'), await found('canteen')]).toEqual([['Rules.md'], ['News.md']]);
  });
});

function addressOf(app: App): number {
  const address = app.http.server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
