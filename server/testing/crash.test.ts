import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import { makeScan } from '#server/features/ingestion/fixtures.ts';
import type { CrashPoint } from './crash-point.ts';
import { goodPassword } from './factories.ts';
import { openUpload, resumeUpload } from './open-upload.ts';
import { readZip } from './read-zip.ts';
import {
  allEnded,
  makePlace,
  type Place,
  processesIn,
  type ServerProcess,
  startServerProcess,
} from './server-process.ts';

// The real program, killed at fixed points and started again on what it left.

const rules = Buffer.from('# House rules\n\nThe cellar key hangs behind the green door.\n');
const letter = Buffer.from(
  [
    'Subject: Papers',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Two papers for you.',
    ...[
      ['plan.txt', 'The pier is rebuilt in April.'],
      ['fees.txt', 'A trawler pays 45 euros.'],
    ].flatMap(([name, text]) => [
      '--b',
      'Content-Type: text/plain',
      `Content-Disposition: attachment; filename="${name}"`,
      '',
      text,
    ]),
    '--b--',
    '',
  ].join('\r\n'),
);
const news = Buffer.from('# News\n\nThe canteen opens at noon.\n');
const email = 'admin@example.com';

/** A data folder with a company and one file that is read; every test has a copy. */
let made: { place: Place; token: string; companyId: string };

beforeAll(async () => {
  const place = await makePlace();
  const server = await startServerProcess(place);
  const session = await createClient(server.url).call('signUp', { companyName: 'One', email, password: goodPassword });
  const client = createClient(server.url, session.idToken);
  await client.upload('Rules.md', rules);
  await client.filesWhenRead();
  await hurry(server, 'optimize-search');
  await until(async () => (await server.query("select id from pgboss.job where state < 'completed'")).length === 0);
  await server.stop();
  made = { place, token: session.idToken, companyId: session.user.companyId };
}, 300_000);
afterAll(() => made.place.remove());

/** A running copy, and how to kill it and start it again. */
interface World {
  place: Place;
  server: ServerProcess;
  client: Client;
  /** Does something in the course of which the server is killed at the point; resolves when it serves again. */
  crash(point: CrashPoint, act: (world: World) => Promise<unknown>): Promise<void>;
  restart(): Promise<void>;
}

function survives(name: string, run: (world: World) => Promise<void>): void {
  test.concurrent(name, { timeout: 300_000 }, async () => {
    const place = await makePlace(made.place);
    const connect = async () => {
      const server = await startServerProcess(place);
      return { server, client: createClient(server.url, made.token) };
    };
    const world: World = {
      place,
      ...(await connect()),
      async crash(point, act) {
        await world.server.killAt(point);
        const acting = act(world).catch(() => {});
        await world.server.ended;
        await acting;
        await world.restart();
      },
      async restart() {
        // Whatever is left of the killed server ends by itself.
        await allEnded(place);
        Object.assign(world, await connect());
      },
    };
    try {
      await run(world);
      await expectWhole(world);
      await world.server.stop();
      await allEnded(place);
    } finally {
      for (const { pid } of await processesIn(place)) process.kill(pid, 'SIGKILL');
      await allEnded(place);
      await place.remove();
    }
  });
}

/** What holds after any crash. */
async function expectWhole({ client, place, server }: World): Promise<void> {
  await createClient(server.url).call('signIn', { email, password: goodPassword });
  const files = await client.filesWhenRead();
  expect(files.filter(({ state }) => state !== 'ready' && state !== 'failed')).toEqual([]);
  for (const name of ['Rules.md', 'News.md']) {
    expect(await answersFrom(client, name)).toBe(files.some((file) => file.name === name && file.state === 'ready'));
  }
  const [{ versions } = {}] = await server.query('select count(*)::int as versions from versions');
  await until(async () => (await filesIn(place, 'files')).length === versions);
  expect(await filesIn(place, 'uploads')).toEqual([]);
  await until(async () => (await filesIn(place, 'temp')).length === 0);
}

async function answersFrom(client: Client, name: string): Promise<boolean> {
  const text = name === 'Rules.md' ? 'Where does the cellar key hang?' : 'When does the canteen open?';
  const { sources } = await client.call('query', { history: [{ role: 'user', parts: [{ text }] }] });
  return sources.some((source) => source.name === name);
}

async function filesIn({ dataDir }: Place, part: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, part), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Resolves when it holds. What never holds ends the test by its time. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(20);
}

const names = async (client: Client) => (await client.call('getCompanyFiles', null)).map(({ name }) => name);
const removeRules = ({ client }: World) => client.call('deleteFile', { filePath: `${made.companyId}/Rules.md` });
const uploadNews = ({ client }: World) => client.upload('News.md', news);

/** Work on the search table that is put off for a while starts now, once it is there. */
async function hurry(server: ServerProcess, job: 'erase-search' | 'optimize-search'): Promise<void> {
  const statement = `update pgboss.job set start_after = now() where name = '${job}' and state = 'created' returning id`;
  await until(async () => (await server.query(statement)).length > 0);
}

describe.skipIf(process.platform !== 'linux')('killed', () => {
  survives('during sign-up, it has no half company', async (world) => {
    const person = { companyName: 'Two', email: 'two@example.com', password: goodPassword };
    await world.crash({ statement: '^insert into "users"', when: 'before' }, (now) =>
      createClient(now.server.url).call('signUp', person),
    );
    expect(await world.server.query('select id from companies')).toHaveLength(1);
    const { user } = await createClient(world.server.url).call('signUp', person);
    expect(user.role).toBe('admin');
  });

  survives('in the middle of a piece of an upload, it has what came, and the upload goes on', async (world) => {
    const content = Buffer.concat([news, Buffer.from(`${'More news. '.repeat(20_000)}\n`)]);
    const upload = await openUpload(world.server.url, made.token, 'News.md', content.byteLength);
    const piece = new TransformStream<Uint8Array, Uint8Array>();
    const writer = piece.writable.getWriter();
    const sending = upload.send(0, piece.readable).catch(() => {});
    void writer.write(content.subarray(0, 100_000)).catch(() => {});
    const path = join(world.place.dataDir, 'uploads', upload.id);
    while ((await stat(path)).size === 0) await wait(5);
    world.server.kill();
    await sending;
    await world.restart();
    const resumed = resumeUpload(world.server.url, made.token, upload.id);
    const offset = await resumed.offset();
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(100_000);
    const reply = await resumed.send(offset, content.subarray(offset));
    expect(await reply.json()).toMatchObject({ version: 1 });
    const gsUri = `gs://footnote/${made.companyId}/News.md`;
    const { url } = await world.client.call('getFileLink', { gsUri });
    const original = await fetch(new URL(new URL(url).pathname, world.server.url));
    expect(Buffer.from(await original.arrayBuffer()).equals(content)).toBe(true);
  });

  survives('between the bytes of an upload and its rows, it finishes the upload when asked', async (world) => {
    let id = '';
    await world.crash({ statement: '^delete from "uploads"', when: 'before' }, async ({ server }) => {
      const upload = await openUpload(server.url, made.token, 'News.md', news.byteLength);
      id = upload.id;
      await upload.send(0, news);
    });
    expect(await resumeUpload(world.server.url, made.token, id).offset()).toBe(news.byteLength);
    await world.client.call('getUpload', { uploadId: id });
    expect(await names(world.client)).toEqual(['News.md', 'Rules.md']);
  });

  survives('as soon as an upload is a document, before its reply, it has it', async (world) => {
    await world.crash({ statement: '^insert into "versions"', when: 'committed' }, uploadNews);
    expect(await names(world.client)).toEqual(['News.md', 'Rules.md']);
  });

  // Where a file is while it is read, by the first statement of the step.
  const steps: [string, CrashPoint][] = [
    ['is stored', { statement: '^insert into "chunks"', when: 'before' }],
    ['is stored, but not indexed', { statement: 'pg_advisory_xact_lock_shared', when: 'before' }],
    ['is indexed', { statement: 'pg_advisory_xact_lock_shared', when: 'search-write' }],
  ];
  for (const [step, point] of steps) {
    survives(`while a file ${step}, it is read after the next start`, async (world) => {
      await world.crash(point, async (now) => {
        await uploadNews(now);
        await now.client.filesWhenRead();
      });
      const files = await world.client.filesWhenRead();
      expect(files.find(({ name }) => name === 'News.md')?.state).toBe('ready');
    });
  }

  // A mail's own document is the first that is inserted, its attachments are the second and the third.
  const moments: [string, CrashPoint][] = [
    ['become documents', { statement: '^insert into "documents"', nth: 3, when: 'before' }],
    ['are documents with it', { statement: '^update "documents" set "current_version"', when: 'committed' }],
  ];
  for (const [moment, point] of moments) {
    survives(`while the attachments of a mail ${moment}, it has each of them once`, async (world) => {
      await world.crash(point, async ({ client }) => {
        await client.upload('Letter.eml', letter);
        await client.filesWhenRead();
      });
      const expected = ['Letter.eml', 'Letter.eml › fees.txt', 'Letter.eml › plan.txt', 'Rules.md'];
      const listed = async () => await world.client.call('getCompanyFiles', null);
      await until(async () => (await listed()).filter(({ state }) => state === 'ready').length === expected.length);
      expect((await listed()).map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual(
        expected.map((name) => `${name} 1`).toSorted(),
      );
      const { passages } = await world.client.call('searchPassages', { query: 'When is the pier rebuilt?' });
      expect(passages.filter(({ text }) => text.includes('in April')).map(({ name }) => name)).toEqual([
        'Letter.eml › plan.txt',
      ]);
    });
  }

  survives(
    'while a file is parsed, it takes the parser with it, and the file is read after the next start',
    async (world) => {
      const parser = async () =>
        (await processesIn(world.place)).find(({ command }) => command.startsWith('footnote-parser office '))?.pid;
      await until(async () => (await parser()) !== undefined);
      // A process that is stopped sees as little of its parent's end as one that computes.
      process.kill((await parser()) ?? 0, 'SIGSTOP');
      await uploadNews(world);
      await until(async () => (await filesIn(world.place, 'temp')).length > 0);
      world.server.kill();
      await world.restart();
      const files = await world.client.filesWhenRead();
      expect(files.find(({ name }) => name === 'News.md')?.state).toBe('ready');
    },
  );

  survives('while a scan is recognised, the pages that are done are not recognised again', async (world) => {
    // What is written down of the first page differs from what is seen on it.
    await world.server.query(`
      create function as_known() returns trigger language plpgsql as $$
        begin new.content := replace(new.content::text, 'harbour', 'lighthouse')::jsonb; return new; end $$;
      create trigger as_known before insert on recognised_pages for each row when (new.page = 1) execute function as_known()`);
    const pages = [7, 8, 9].map((hour) => [[`The harbour opens at ${hour} in the morning.`, 16] as [string, number]]);
    const scan = await makeScan(pages);
    await world.crash(
      { statement: '^insert into "recognised_pages"', nth: 2, when: 'committed' },
      async ({ client }) => {
        await client.upload('Scan.pdf', scan);
        await client.filesWhenRead();
      },
    );
    await world.client.filesWhenRead();
    const { passages } = await world.client.call('searchPassages', { query: 'When does it open in the morning?' });
    const scanned = passages.filter(({ name }) => name === 'Scan.pdf').map(({ text }) => text);
    expect(scanned.join(' ')).toContain('The lighthouse opens at 7 in the morning.');
    expect(scanned.join(' ')).toContain('The harbour opens at 9 in the morning.');
  });

  survives(
    'in the last attempt to read a file, it says so at the next start, and reads it when asked',
    async (world) => {
      await world.server.query("update pgboss.queue set retry_limit = 0 where name = 'ingest-version'");
      await world.crash({ statement: '^insert into "chunks"', when: 'before' }, async (now) => {
        await uploadNews(now);
        await now.client.filesWhenRead();
      });
      const file = (await world.client.filesWhenRead()).find(({ name }) => name === 'News.md');
      expect(file).toMatchObject({ state: 'failed', reason: 'Reading it was interrupted. Please try again.' });
      await world.client.call('retryFile', { documentId: file?.id ?? '' });
      await world.client.filesWhenRead();
    },
  );

  survives('in the middle of an export, it goes on behind what it has read', async (world) => {
    await uploadNews(world);
    await world.client.filesWhenRead();
    await world.server.query(`
      create table reads (index int);
      grant insert on reads to footnote_app;
      create function note_read() returns trigger language plpgsql as $$
        begin insert into reads values (new.index); return new; end $$;
      create trigger note_read after update of crc32 on export_entries for each row execute function note_read()`);
    let exportId = '';
    const point: CrashPoint = { statement: '^update "export_entries" set "size"', nth: 2, when: 'before' };
    await world.crash(point, async ({ client }) => {
      ({ exportId } = await client.call('startExport', null));
    });
    await until(async () => (await world.server.query("select id from exports where state = 'ready'")).length > 0);
    expect(await world.server.query('select index from reads order by index')).toEqual([{ index: 0 }, { index: 1 }]);
    const { url = '' } = await world.client.call('getExport', { exportId });
    const zip = await readZip(
      Buffer.from(await (await fetch(new URL(new URL(url).pathname, world.server.url))).arrayBuffer()),
    );
    expect([zip.get('documents/Rules.md'), zip.get('documents/News.md')]).toEqual([rules, news]);
  });

  survives('while a company is erased, it erases the rest after the next start', async (world) => {
    const person = { companyName: 'Two', email: 'two@example.com', password: goodPassword };
    const { idToken, user } = await createClient(world.server.url).call('signUp', person);
    const theirs = createClient(world.server.url, idToken);
    await theirs.upload('Theirs.md', news);
    await theirs.filesWhenRead();
    await theirs.call('deleteCompany', { companyName: 'Two' });
    await world.crash({ statement: '^select "id" from "queries"', when: 'before' }, async ({ server }) => {
      await server.query(`update companies set ends_at = now() where id = '${user.companyId}'`);
      await server.query("insert into pgboss.job (name, data) values ('end-companies', '{}')");
    });
    const left = 'select id from companies union all select id from documents union all select id from users';
    await until(async () => (await world.server.query(left)).length === 3);
    await until(async () => (await filesIn(world.place, 'files')).length === 1);
  });

  survives('in a deletion that is not done, it still has the file', async (world) => {
    await world.crash({ statement: '^update "documents" set "deleted_at"', when: 'before' }, removeRules);
    expect(await names(world.client)).toEqual(['Rules.md']);
  });

  survives('in a deletion that is done, before its reply, it has no trace of the file', async (world) => {
    await world.crash({ statement: '^update "documents" set "deleted_at"', when: 'committed' }, removeRules);
    expect(await names(world.client)).toEqual([]);
    await expectErased(world);
  });

  survives('while a deleted file is erased, it erases it after the next start', async (world) => {
    await world.crash({ statement: '^delete from "documents"', when: 'before' }, async (now) => {
      await removeRules(now);
    });
    expect(await names(world.client)).toEqual([]);
    await expectErased(world);
  });

  survives('while the search table is rewritten, it rewrites it after the next start', async (world) => {
    await uploadNews(world);
    await world.client.filesWhenRead();
    const data = async () => {
      const entries = await readdir(join(world.place.dataDir, 'search'), { recursive: true, withFileTypes: true });
      return entries.filter(({ parentPath }) => basename(parentPath) === 'data').map(({ name }) => name);
    };
    const before = new Set(await data());
    expect(before.size).toBeGreaterThan(0);
    // What is left is looked up as the rewriting begins.
    const begins = '^select "id", "current_version" from "documents"';
    await world.crash({ statement: begins, when: 'search-write' }, async (now) => {
      await removeRules(now);
      await hurry(now.server, 'erase-search');
    });
    await until(async () => {
      // A folder can go while it is read.
      const now = await data().catch(() => null);
      return now !== null && !now.some((name) => before.has(name));
    });
    expect(await names(world.client)).toEqual(['News.md']);
  });

  survives('while the search index is folded, it still finds everything', async (world) => {
    const sections = Array.from(
      { length: 250 },
      (_, i) => `# Shelf ${i}\n\n${'It holds bolts of many sizes. '.repeat(12)}`,
    );
    await world.crash({ statement: 'pg_advisory_xact_lock_shared', nth: 2, when: 'search-write' }, async (now) => {
      await now.client.upload('Shelves.md', Buffer.from(sections.join('\n\n')));
      await now.client.filesWhenRead();
      await hurry(now.server, 'optimize-search');
    });
    const { passages } = await world.client.call('searchPassages', { query: 'shelf 77' });
    expect(passages[0]?.heading).toContain('Shelf 77');
  });

  survives('of its own parts the database, it goes on when that is back', async (world) => {
    const pidFile = join(world.place.dataDir, 'postgres', 'pg', 'postmaster.pid');
    const pid = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    const isBack = async () => (await fetch(`${world.server.url}/readyz`)).ok;
    await until(async () => Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]) !== pid);
    await until(isBack);
    await uploadNews(world);
    expect(await world.client.filesWhenRead()).toHaveLength(2);
  });
});

async function expectErased({ server, place }: World): Promise<void> {
  await until(async () => (await server.query('select id from documents')).length === 0);
  expect(await filesIn(place, 'files')).toEqual([]);
}
