import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { getRollbackPlans } from 'pg-boss';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { administerPostgres, startPostgres } from '#server/db/postgres/launcher.ts';
import type { BringOver } from '#server/db/postgres/upgrade.ts';
import { queueVersion } from '#server/jobs/queue-tables.ts';
import { goodPassword } from '#server/testing/factories.ts';
import {
  askIn,
  clustersIn,
  email,
  makeOlderPlace,
  type OlderPlace,
  previousBinaries,
  rightsStatement,
  startUntilKilled,
} from '#server/testing/older-data.ts';
import { makePlace, type Place, startServerProcess } from '#server/testing/server-process.ts';
import { bringOver } from './bring-over.ts';

const log = pino({ level: 'silent' });
const canMount = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0;
let made: OlderPlace;
beforeAll(async () => {
  made = await makeOlderPlace();
}, 300_000);
afterAll(() => made.place.remove());

async function copyOf(place: Place): Promise<Place> {
  const copy = await makePlace(place);
  onTestFinished(() => copy.remove());
  return copy;
}

const dataOf = ({ dataDir }: Place, ...parts: string[]) => join(dataDir, 'postgres', 'pg', ...parts);
const majorIn = async (place: Place) => (await readFile(dataOf(place, 'PG_VERSION'), 'utf8')).trim();

/** Everything is there, on the newer PostgreSQL. */
async function expectEverything(place: Place): Promise<void> {
  const server = await startServerProcess(place);
  try {
    expect(await majorIn(place)).toBe('18');
    expect(await server.query('show server_version_num')).toEqual([
      { server_version_num: expect.stringMatching(/^18/) },
    ]);
    const client = createClient(server.url, made.token);
    expect((await client.filesWhenRead()).map(({ name, state }) => `${name}: ${state}`).sort()).toEqual([
      'Rules.md: ready',
      'Waiting.md: ready',
    ]);
    expect(await askIn(client)).toEqual(made.answer);
    const { idToken } = await createClient(server.url).call('signIn', { email, password: goodPassword });
    const waiting = `${made.companyId}/Waiting.md`;
    await createClient(server.url, idToken).call('deleteFile', { filePath: waiting });
    expect(await server.query(rightsStatement)).toEqual(made.rights);
    expect(await clustersIn(place), 'the older data goes with the first good start').toEqual(['pg']);
  } finally {
    await server.stop();
  }
}

test('data of the PostgreSQL before is brought over at the start: sign-ins, documents, answers, jobs, rights', async () => {
  const place = await copyOf(made.place);
  expect(await majorIn(place)).toBe('17');
  await expectEverything(place);
}, 300_000);

test('killed while rows are copied, between the two folders and before the older goes, it goes on', async () => {
  const place = await copyOf(made.place);
  await startUntilKilled(place, { statement: '^copy "public"."documents" .* from stdin', when: 'before' });
  expect(await clustersIn(place)).toEqual(['pg', 'pg.upgraded']);
  expect(await majorIn(place)).toBe('17');
  await startUntilKilled(place, { renamedTo: 'pg.before-upgrade', when: 'after' });
  expect(await clustersIn(place)).toEqual(['pg.before-upgrade', 'pg.upgraded']);
  await startUntilKilled(place, { renamedTo: 'pg.leaving', when: 'before' });
  expect(await clustersIn(place)).toEqual(['pg', 'pg.before-upgrade']);
  expect(await majorIn(place)).toBe('18');
  await expectEverything(place);
}, 600_000);

describe('what can not be brought over is refused in words, and stays as it is', () => {
  /** Starts the database as the service does. */
  const startOn = ({ dataDir }: Place) => startPostgres({ dataDir, log, bringOver });

  async function expectUnchanged(place: Place): Promise<void> {
    expect(await clustersIn(place)).toContain('pg');
    expect(await clustersIn(place)).not.toContain('pg.upgraded');
    expect(await majorIn(place)).toBe('17');
  }

  /** Runs statements on the older data, as the version before could. */
  async function change({ dataDir }: Place, ...statements: string[]): Promise<void> {
    await administerPostgres({ dataDir, log, binaries: await previousBinaries() }, statements);
  }

  test('tables that are not ours, another database, half a restore, tables of a newer version', async () => {
    const place = await copyOf(made.place);
    for (const [before, said, after] of [
      ['create table theirs (id int)', 'The database holds "public"."theirs", not as', 'drop table theirs'],
      [
        'alter table companies add note text',
        'The database holds "public"."companies"',
        'alter table companies drop note',
      ],
      ['create database theirs', "holds theirs, which is not Footnote's", 'drop database theirs'],
      ['create schema footnote_restoring', 'has not come to its end', 'drop schema footnote_restoring'],
      [
        "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9000000000000)",
        'A newer version of Footnote has worked on this data',
        "delete from drizzle.__drizzle_migrations where hash = 'later'",
      ],
    ] as const) {
      await change(place, before);
      await expect(startOn(place)).rejects.toThrow(said);
      await expectUnchanged(place);
      await change(place, after);
    }
    await (await startOn(place)).stop();
    expect(await majorIn(place)).toBe('18');
  }, 600_000);

  test('rows that do not come over as they were', async () => {
    const place = await copyOf(made.place);
    const { dataDir } = place;
    const spoilt = startPostgres({
      dataDir,
      log,
      async bringOver(from, to, told) {
        const spoiling = (text: unknown) => typeof text === 'string' && text.startsWith('select setval');
        const query = to.query.bind(to) as (...args: unknown[]) => Promise<unknown>;
        let isSpoilt = false;
        Object.assign(to, {
          query(...args: unknown[]) {
            if (isSpoilt || !spoiling(args[0])) return query(...args);
            isSpoilt = true;
            return query(`update companies set name = 'Two'`).then(() => query(...args));
          },
        });
        await bringOver(from, to, told);
      },
    });
    await expect(spoilt).rejects.toThrow('"public"."companies" was not brought over whole: 1 rows');
    await expectUnchanged(place);
  }, 300_000);

  test('a server that is killed meanwhile', async () => {
    const place = await copyOf(made.place);
    const killed: BringOver = async (from, to, told) => {
      const lines = (await readFile(join(place.dataDir, 'postgres', 'pg.upgraded', 'postmaster.pid'), 'utf8')).split(
        '\n',
      );
      process.kill(Number(lines[0]), 'SIGKILL');
      await bringOver(from, to, told);
    };
    await expect(startPostgres({ dataDir: place.dataDir, log, bringOver: killed })).rejects.toThrow(
      'could not be brought from PostgreSQL 17 to 18, and nothing is changed. Start again, or the version before. What failed: ',
    );
    await expectUnchanged(place);
    await (await startOn(place)).stop();
    expect(await majorIn(place)).toBe('18');
  });

  test('by a command, data that the service has not brought over yet', async () => {
    const place = await copyOf(made.place);
    await expect(startPostgres({ dataDir: place.dataDir, log })).rejects.toThrow(
      'was made by PostgreSQL 17, and this version comes with 18. Start Footnote first, which brings it over.',
    );
    await expectUnchanged(place);
  });

  test('data of a version whose programs are not there', async () => {
    const place = await copyOf(made.place);
    await writeFile(dataOf(place, 'PG_VERSION'), '16\n');
    await expect(startServerProcess(place)).rejects.toThrow(
      /was made by PostgreSQL 16, which this version, with 18, can not bring over\. Start the version that it was made with, make a backup/,
    );
    await expect(startOn(place)).rejects.toThrow('npm run restore');
  });

  test('data of a newer PostgreSQL, also where a newer version was cut off in bringing it over', async () => {
    const place = await copyOf(made.place);
    const said =
      'came with a newer version of Footnote, and this version, with 18, can not read it. Start that version';
    await writeFile(dataOf(place, 'PG_VERSION'), '19\n');
    await expect(startServerProcess(place)).rejects.toThrow(said);
    const folder = join(place.dataDir, 'postgres');
    await cp(join(folder, 'pg'), join(folder, 'pg.upgraded'), { recursive: true });
    await rename(join(folder, 'pg'), join(folder, 'pg.before-upgrade'));
    await expect(startOn(place)).rejects.toThrow(said);
    expect(await clustersIn(place)).toEqual(['pg.before-upgrade', 'pg.upgraded']);
  });

  test('what an earlier upgrade has kept, beside older data', async () => {
    const place = await copyOf(made.place);
    await mkdir(join(place.dataDir, 'postgres', 'pg.before-upgrade'));
    await expect(startOn(place)).rejects.toThrow('pg.before-upgrade of an earlier time is in the way');
    await expectUnchanged(place);
  });

  test.skipIf(!canMount)('without room for both, before and while it is brought over', async () => {
    const place = await copyOf(made.place);
    const script = `
      import { cp, rm, writeFile } from 'node:fs/promises';
      import { pino } from 'pino';
      import { bringOver } from '#server/db/upgrade/bring-over.ts';
      import { startPostgres } from '#server/db/postgres/launcher.ts';
      const [made, dataDir] = process.argv.slice(1);
      await cp(made, dataDir, { recursive: true });
      const filler = dataDir + '/filler';
      const start = (bringOver) =>
        startPostgres({ dataDir, log: pino({ level: 'silent' }), bringOver })
          .then(({ stop }) => stop())
          .then(() => 'It runs.', (error) => error.message)
          .then((said) => console.log(said));
      const fill = (megabytes) => writeFile(filler, Buffer.alloc(megabytes * 1e6));
      await fill(250);
      await start(bringOver);
      await rm(filler);
      await start(async (...asked) => {
        await fill(400).catch(() => {});
        await bringOver(...asked);
      });
      await rm(filler);
      await start(bringOver);`;
    const small = 'mount -t tmpfs -o size=400m,mode=755 none "$0" && exec "$@"';
    const disk = join(place.path, 'small');
    await mkdir(disk);
    const node = [process.execPath, '--input-type=module', '-e', script, place.dataDir, join(disk, 'data')];
    const child = spawn('unshare', ['-m', 'sh', '-c', small, disk, ...node], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect((await text(child.stdout)).trim().split('\n')).toEqual([
      expect.stringMatching(
        /^To bring the database to PostgreSQL 18 takes \d+ MB beside it in .*, and \d+ MB are free\./,
      ),
      expect.stringMatching(/^The disk became full while .* Nothing is changed\. Make room in /),
      'It runs.',
    ]);
  });
});

test('an older database that has no tables yet becomes a newer that has none', async () => {
  const place = await makePlace();
  onTestFinished(() => place.remove());
  const { dataDir } = place;
  await (await startPostgres({ dataDir, log, binaries: await previousBinaries() })).stop();
  expect(await ask(place, 'show server_version_num')).toEqual([{ server_version_num: expect.stringMatching(/^18/) }]);
});

test('the queue of an older version is brought to its newest tables, and numbering stands where it stood', async () => {
  const place = await copyOf(made.place);
  const { dataDir } = place;
  const before = getRollbackPlans('pgboss');
  await administerPostgres({ dataDir, log, binaries: await previousBinaries() }, [before]);
  const versions: (number | null)[] = [];
  const numbering =
    'select schemaname, sequencename, last_value::int as stands from pg_sequences order by schemaname, sequencename';
  const numbered: unknown[][] = [];
  const noted: BringOver = async (from, to, told) => {
    versions.push(await queueVersion(from));
    await bringOver(from, to, told);
    versions.push(await queueVersion(to));
    for (const client of [from, to]) numbered.push((await client.query(numbering)).rows);
  };
  const waiting = `select name, state from pgboss.job where state = 'created' and name = 'ingest-version'`;
  expect(await ask(place, waiting, noted)).toEqual([{ name: 'ingest-version', state: 'created' }]);
  const [older = 0, newer] = versions;
  expect(newer).toBe((older ?? 0) + 1);
  expect(numbered[0]).toContainEqual(expect.objectContaining({ schemaname: 'public', stands: expect.any(Number) }));
  expect(numbered[1]).toEqual(numbered[0]);
});

/** What the database answers, brought over. */
async function ask({ dataDir }: Place, statement: string, bringing: BringOver = bringOver): Promise<unknown[]> {
  const said: string[] = [];
  const newer = await startPostgres({ dataDir, log, bringOver: bringing, say: (line) => said.push(line) });
  onTestFinished(() => newer.stop());
  expect(said).toEqual([
    expect.stringMatching(/^The database is brought from PostgreSQL 17 to 18 \(\d+ MB\)\. This is done once/),
    'Every row is there, and is now compared ...',
    'The database is brought over. The older one is kept until Footnote has started on it.',
  ]);
  const client = new pg.Client(newer.connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
