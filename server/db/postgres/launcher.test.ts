import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { postgresUid } from '#server/lib/system-users.ts';
import { copyBinaries, findBinaries } from './binaries.ts';
import { administerPostgres, findPostgres, type Postgres, startPostgres } from './launcher.ts';
import { DataDirInUse, isAlive, lockByFile } from './lock.ts';
import { clearOrphan } from './orphan.ts';

const log = pino({ level: 'silent' });
let base: string;
let dataDir: string;
let started: Postgres[] = [];
let children: ChildProcess[] = [];

/**
 * A data folder with a database, stopped, for the tests that are not about the first start: making one takes a second.
 */
let made: string;
beforeAll(async () => {
  made = await openFolder();
  await (await startPostgres({ dataDir: made, log })).stop();
});
afterAll(() => rm(made, { recursive: true, force: true }));
const copyMade = () => cp(made, dataDir, { recursive: true });

beforeEach(async () => {
  base = await openFolder();
  dataDir = join(base, 'data');
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const postgres of started) await postgres.stop();
  started = [];
  children = [];
  await rm(base, { recursive: true, force: true, maxRetries: 20 });
});

/** As root the server runs as another user, who must get in. */
async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-launcher-'));
  await chmod(folder, 0o755);
  return folder;
}

async function start(folder = dataDir): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir: folder, log });
  started.push(postgres);
  return postgres;
}

/** Another process that starts the database, and says where it is or why not. */
function startInChild(prefix: string[] = [], env = process.env): ChildProcess {
  const script = `
    import { pino } from 'pino';
    import { startPostgres } from '#server/db/postgres/launcher.ts';
    try {
      const { connection } = await startPostgres({ dataDir: process.argv[1], log: pino({ level: 'silent' }) });
      console.log(connection.host);
      setInterval(() => {}, 60_000);
    } catch (error) {
      console.log(error.name + ': ' + error.message);
    }
  `;
  const [program = process.execPath, ...args] = [...prefix, process.execPath, '--input-type=module', '-e', script];
  const child = spawn(program, [...args, dataDir], { stdio: ['ignore', 'pipe', 'inherit'], env });
  children.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [said] = child.stdout ? await once(child.stdout, 'data') : [];
  return String(said).trim();
}

async function query(connection: pg.ClientConfig, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The database that another process has started. */
async function theirs(): Promise<pg.ClientConfig> {
  const found = await findPostgres(dataDir);
  if (!found) throw new Error('no database runs');
  return found;
}
const pathOf = (...parts: string[]) => join(dataDir, 'postgres', ...parts);
const postmaster = async () => Number((await readFile(pathOf('pg', 'postmaster.pid'), 'utf8')).split('\n')[0]);

describe('a start', () => {
  test('stops without a trace, and finds its data at the next', async () => {
    const first = await startPostgres({ dataDir, log });
    await query(first.connection, 'create table kept as select 7 as number');
    const { host = '' } = first.connection;
    await first.stop();
    await expect(access(host)).rejects.toThrow();
    await expect(access(pathOf('pg', 'postmaster.pid'))).rejects.toThrow();
    const second = await start();
    expect(await query(second.connection, 'select number from kept')).toEqual([{ number: 7 }]);
  });

  test('keeps what is written safe from a power cut, and listens on no port', async () => {
    await copyMade();
    const { connection } = await start();
    const show = async (name: string) => Object.values((await query(connection, `show ${name}`))[0] ?? {})[0];
    expect(await show('fsync')).toBe('on');
    expect(await show('synchronous_commit')).toBe('on');
    expect(await show('full_page_writes')).toBe('on');
    expect(await show('listen_addresses')).toBe('');
    expect((await stat(pathOf('pg'))).mode & 0o077, 'nobody else can read it').toBe(0);
    expect((await stat(connection.host ?? '')).mode & 0o077, 'nobody else can connect').toBe(0);
  });

  test('works below a long path with spaces and letters of other alphabets', async () => {
    const folder = join(base, 'Akten der Geschäftsführung', 'ö'.repeat(100), 'données 資料');
    expect(folder.length).toBeGreaterThan(160);
    const { connection } = await start(folder);
    expect(await query(connection, "select lower('ÄÖÜ') as lower")).toEqual([{ lower: 'äöü' }]);
  });

  test('removes what a first start that was cut off has left', async () => {
    for (const left of ['pg.new', 'pg.new-1']) {
      await mkdir(pathOf(left, 'base'), { recursive: true });
      await writeFile(pathOf(left, 'PG_VERSION'), '18');
    }
    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(pathOf())).filter((name) => name.startsWith('pg'))).toEqual(['pg']);
  });

  test('drops a postmaster.pid whose number another program has now', async () => {
    await copyMade();
    const first = await startPostgres({ dataDir, log });
    const lines = (await readFile(pathOf('pg', 'postmaster.pid'), 'utf8')).split('\n');
    await first.stop();
    const { uid } = await stat(pathOf('pg'));
    const other = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, cwd: '/' } : {});
    children.push(other);
    await writeFile(pathOf('pg', 'postmaster.pid'), [other.pid, ...lines.slice(1)].join('\n'));
    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isAlive(other.pid ?? 0)).toBe(true);
  });
});

describe('the login of the service', () => {
  const outcome = (connection: pg.ClientConfig, statement = 'select 1') =>
    query(connection, statement).then(
      () => 'done',
      (error) => error.code ?? error.message,
    );

  test('is asked for a password, and nobody can log in as the superuser', async () => {
    await copyMade();
    const { connection } = await start();
    const { host, user, database, password } = connection;
    expect(await outcome({ host, user, database, password })).toBe('done');
    expect(await outcome({ host, user, database, password: 'guessed' })).toBe('28P01');
    expect(await outcome({ host, user, database })).toContain('password must be a string');
    for (const other of ['footnote', 'postgres', 'footnote_app', 'nobody'])
      expect(await outcome({ host, user: other, database, password }), other).toBe('28P01');
    expect((await stat(pathOf('login.json'))).mode & 0o077, 'nobody else can read the password').toBe(0);
    expect(await readFile(pathOf('postgres.log'), 'utf8')).not.toContain(String(password));
  });

  test('is no superuser, and can not become one', async () => {
    await copyMade();
    const { connection } = await start();
    const [role] = await query(
      connection,
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
    );
    expect(role).toEqual({
      rolname: 'footnote_service',
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    });
    for (const statement of [
      'alter role footnote_service superuser',
      'alter role footnote_service bypassrls',
      'create role another superuser',
      'set role footnote',
      'set session authorization footnote',
      'grant footnote to footnote_service',
      "alter role footnote password 'mine'",
      'grant pg_execute_server_program to footnote_service',
      "copy (select 1) to program 'true'",
      "copy (select 1) to '/tmp/written-by-the-database'",
      "select pg_read_file('/etc/passwd')",
      'select * from pg_authid',
      "alter system set archive_command = 'true'",
      "create function f() returns int language c as 'libc', 'getpid'",
      "select lo_import('/etc/passwd')",
      "load '/tmp/library'",
    ])
      expect(await outcome(connection, statement), statement).toBe('42501');
  });

  test('owns what is there from before it was there', async () => {
    await copyMade();
    await administerPostgres({ dataDir, log }, [
      'create schema queue create table jobs (id serial primary key)',
      'create table queue.all_jobs (id int) partition by list (id)',
      'create table queue.some_jobs partition of queue.all_jobs for values in (1)',
      "create type queue.state as enum ('waiting')",
      'create function queue.next() returns int language sql as $$ select 1 $$',
      'create table kept as select 7 as number',
      'create view seen as select * from kept',
      'drop owned by footnote_service',
      'drop owned by footnote_app',
      'alter database postgres owner to footnote',
      'drop role footnote_service',
      'drop role footnote_app',
    ]);
    // As it was until then: no login, and whoever reached the socket got in as whom they liked.
    await rm(pathOf('login.json'));
    await writeFile(pathOf('pg', 'pg_hba.conf'), 'local all all trust\n');
    const { connection } = await start();
    expect(await query(connection, 'select number from kept')).toEqual([{ number: 7 }]);
    for (const statement of [
      'alter table kept add column word text',
      'insert into queue.jobs default values',
      'alter table queue.jobs add column word text',
      'alter table queue.all_jobs add column word text',
      'select * from queue.some_jobs',
      "alter type queue.state add value 'done'",
      'drop function queue.next',
      'drop view seen',
      'create schema another',
      'create table public.another (id int)',
      'grant select on kept to footnote_app',
      'begin; set local role footnote_app; select * from kept; rollback',
    ])
      expect(await outcome(connection, statement), statement).toBe('done');
    expect(await outcome({ ...connection, user: 'footnote' })).toBe('28P01');
  });

  test('is made anew where the data knows another', async () => {
    await copyMade();
    const login = JSON.parse(await readFile(pathOf('login.json'), 'utf8'));
    await writeFile(pathOf('login.json'), JSON.stringify({ ...login, password: 'of another backup' }));
    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(JSON.parse(await readFile(pathOf('login.json'), 'utf8'))).toMatchObject({ password: connection.password });
  });
});

describe('another process', () => {
  test('is refused the same folder in plain words, and harms nobody', async () => {
    await copyMade();
    const { connection } = await start();
    expect(await firstLine(startInChild())).toBe(
      `DataDirInUse: Another Footnote is running on ${pathOf()}. Stop it first, set DATA_DIR to another folder, or, for several processes on one, DATABASE_URL.`,
    );
    await expect(startPostgres({ dataDir, log })).rejects.toThrow(DataDirInUse);
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('at the same first start: one makes the database, the other is refused', async () => {
    const said = await Promise.all([firstLine(startInChild()), firstLine(startInChild())]);
    const refused = said.filter((line) => line.startsWith('DataDirInUse: '));
    expect(refused, said.join()).toHaveLength(1);
    await query(await theirs(), 'create table kept as select 7 as number');
    for (const child of children) child.kill('SIGKILL');
    const { connection } = await start();
    expect(await query(connection, 'select number from kept')).toEqual([{ number: 7 }]);
    expect((await readdir(pathOf())).filter((name) => name.startsWith('pg'))).toEqual(['pg']);
  });

  test('that can not be seen, as in a container of its own, is found by the lock that its server holds', async () => {
    await copyMade();
    const { connection } = await start();
    const before = await postmaster();
    const lockFile = await open(pathOf('server.lock'), 'a');
    try {
      await expect(clearOrphan([pathOf('pg')], lockFile.fd, log, 100)).rejects.toThrow(DataDirInUse);
      // As where the number in the file means nothing here.
      const pidFile = await readFile(pathOf('pg', 'postmaster.pid'), 'utf8');
      await writeFile(pathOf('pg', 'postmaster.pid'), pidFile.replace(/^\d+/, '999999999'));
      await expect(clearOrphan([pathOf('pg')], lockFile.fd, log, 100)).rejects.toThrow(DataDirInUse);
      expect(await postmaster()).toBe(999999999);
      await writeFile(pathOf('pg', 'postmaster.pid'), pidFile);
    } finally {
      await lockFile.close();
    }
    expect(isAlive(before)).toBe(true);
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('kill -9', () => {
  test('of the app: the server ends with it, and the next start has all that was committed', async () => {
    await copyMade();
    const child = startInChild();
    const host = await firstLine(child);
    await query(await theirs(), 'create table kept as select generate_series(1, 1000) as number');
    const orphan = await postmaster();
    child.kill('SIGKILL');
    const { connection } = await start();
    expect(await query(connection, 'select count(*)::int as count from kept')).toEqual([{ count: 1000 }]);
    expect(isAlive(orphan)).toBe(false);
    expect(await postmaster()).not.toBe(orphan);
    await expect(access(host), 'its socket').rejects.toThrow();
  });

  test.skipIf(process.platform !== 'linux')('of the app and its shell: what they left is stopped first', async () => {
    await copyMade();
    const child = startInChild();
    const host = await firstLine(child);
    await query(await theirs(), 'create table kept as select 7 as number');
    const orphan = await postmaster();
    const shell = /^PPid:\s*(\d+)/m.exec(await readFile(`/proc/${orphan}/status`, 'utf8'))?.[1];
    // The shell first: with the app gone it would end the server.
    process.kill(Number(shell), 'SIGKILL');
    child.kill('SIGKILL');
    const { connection } = await start();
    expect(isAlive(orphan)).toBe(false);
    expect(await query(connection, 'select number from kept')).toEqual([{ number: 7 }]);
    await expect(access(join(host, '.s.PGSQL.5432')), 'its socket').rejects.toThrow();
  });

  test('while the first start is making the database: the next makes it anew', async () => {
    const child = startInChild();
    const isMaking = () => readdir(pathOf()).then((names) => names.some((name) => name.startsWith('pg.new')));
    await expect.poll(() => isMaking().catch(() => false), { interval: 5 }).toBe(true);
    child.kill('SIGKILL');
    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(pathOf())).filter((name) => name.startsWith('pg'))).toEqual(['pg']);
  });

  test('of the server: it is started again, on the same socket', async () => {
    await copyMade();
    const { connection } = await start();
    await query(connection, 'create table kept as select 7 as number');
    const killed = await postmaster();
    process.kill(killed, 'SIGKILL');
    await expect
      .poll(() => query(connection, 'select number from kept').catch((error) => error.code))
      .toEqual([{ number: 7 }]);
    expect(await postmaster()).not.toBe(killed);
  });
});

describe('what only the operator can put right is told in plain words', () => {
  test('a folder that can not be made', async () => {
    await writeFile(dataDir, 'a file');
    await expect(start()).rejects.toThrow(/data can't be written: .*Set DATA_DIR to a folder of your own\.$/);
  });

  test('data of another version', async () => {
    await mkdir(pathOf('pg'), { recursive: true });
    await writeFile(pathOf('pg', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow('was made by PostgreSQL 17, and this version comes with 18. Start Footnote');
    await writeFile(pathOf('pg', 'PG_VERSION'), '19\n');
    await expect(start()).rejects.toThrow('by PostgreSQL 19, which came with a newer version of Footnote');
  });

  test('a folder in the place of the data', async () => {
    await mkdir(pathOf('pg', 'holiday pictures'), { recursive: true });
    await expect(start()).rejects.toThrow('is not a database. Please move it away');
    expect(await readdir(pathOf('pg'))).toEqual(['holiday pictures']);
  });

  test('settings that the server does not take: the end of its log', async () => {
    await copyMade();
    await writeFile(pathOf('pg', 'postgresql.auto.conf'), "work_mem = 'much'\n");
    await expect(start()).rejects.toThrow(/does not start on [\s\S]*invalid value for parameter "work_mem"/);
    await writeFile(pathOf('pg', 'postgresql.auto.conf'), '');
    await expect(start(), 'the folder is free again').resolves.toBeDefined();
  });

  const canMount = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0;
  test.skipIf(!canMount)('a full disk', async () => {
    await mkdir(dataDir);
    const small = ['unshare', '-m', 'sh', '-c', 'mount -t tmpfs -o size=10m,mode=755 none "$0" && exec "$@"', dataDir];
    const child = startInChild(small);
    const said = child.stdout ? await text(child.stdout) : '';
    expect(said.trim()).toBe(
      `CannotStart: The disk is full: there is no room for the database in ${pathOf()}. It needs about 100 MB.`,
    );
  });
});

const isRoot = process.getuid?.() === 0;
const canMapUsers = spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status === 0;

describe.skipIf(!isRoot)('root, as whom PostgreSQL does not run', () => {
  test('starts it as a user of its own, who alone gets through to the data', async () => {
    const { connection } = await start();
    const { uid } = await stat(pathOf('pg'));
    expect(uid).toBe(postgresUid);
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o710);
    expect((await stat(dataDir)).gid).toBe(uid);
    for (const path of [pathOf(), pathOf('pg')]) expect((await stat(path)).mode & 0o777).toBe(0o700);
    const { stdout } = spawnSync('ps', ['-o', 'uid=', '-p', String(await postmaster())], { encoding: 'utf8' });
    expect(Number(stdout)).toBe(uid);
  });

  test('takes over data that the user nobody has, whom other services share', async () => {
    await copyMade();
    expect(spawnSync('chown', ['-R', 'nobody', pathOf()]).status).toBe(0);
    const { connection } = await start();
    expect((await stat(pathOf('pg'))).uid).toBe(postgresUid);
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('starts it as the user whose data it is, who can then go on without root', async () => {
    await copyMade();
    expect(spawnSync('chown', ['-R', 'daemon', pathOf()]).status).toBe(0);
    const { uid } = await stat(pathOf());
    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    for (const path of [pathOf(), pathOf('pg'), pathOf('pg', 'postmaster.pid')])
      expect((await stat(path)).uid).toBe(uid);
  });

  // Skipped where the system forbids user namespaces: there is no way then, which the next test is about.
  test.skipIf(!canMapUsers)('starts it below a folder that only root may enter', async () => {
    await chmod(base, 0o700);
    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('says what to do where there is no way into such a folder', async () => {
    await chmod(base, 0o700);
    const withoutTools = { ...process.env, PATH: '/nowhere' };
    expect(await firstLine(startInChild([], withoutTools))).toBe(
      `CannotStart: PostgreSQL does not run as root, and no other user can get at ${pathOf()}. Start Footnote as ` +
        'another user, set DATA_DIR to a folder that everyone may enter, or set DATABASE_URL.',
    );
  });
});

test.skipIf(!canMapUsers)('root of a user namespace that has no other user, as in some containers', async () => {
  expect(await firstLine(startInChild(['unshare', '--user', '--map-root-user']))).not.toContain('CannotStart');
  expect(await query(await theirs(), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a copy of the binaries is whole, made once, and takes the place of an older one', async () => {
  await mkdir(join(base, 'native-0.0.1'));
  const copy = await copyBinaries((await findBinaries()).folder, base);
  const { stdout } = spawnSync(join(copy, 'bin', 'initdb'), ['--version'], { encoding: 'utf8' });
  expect(stdout).toContain('PostgreSQL) 18');
  const { ino } = await stat(copy);
  expect(await copyBinaries((await findBinaries()).folder, base)).toBe(copy);
  expect((await stat(copy)).ino).toBe(ino);
  expect(await readdir(base)).toEqual([basename(copy)]);
});

test.skipIf(process.platform !== 'linux')(
  'a process that has ended counts as ended, even if nobody fetches it',
  async () => {
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(parent);
    const pid = Number(await firstLine(parent));
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(await readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
  },
);

describe('the lock file, for systems without abstract sockets', () => {
  test('holds until it is let go, and falls with its process', async () => {
    const unlock = await lockByFile(base);
    await expect(lockByFile(base)).rejects.toThrow(DataDirInUse);
    await unlock();
    await (await lockByFile(base))();
  });

  test('of a process that is gone, or whose number another one has, counts for nothing', async () => {
    const { pid } = spawnSync('true');
    await writeFile(join(base, 'lock'), `${pid}\nMon Jan  5 10:00:00 2026`);
    await (await lockByFile(base))();
    await writeFile(join(base, 'lock'), `${process.pid}\nMon Jan  5 10:00:00 2026`);
    await (await lockByFile(base))();
  });
});
