import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, type FileHandle, mkdir, mkdtemp, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { copyBinaries, findBinaries, linkLibraries } from './binaries.ts';
import { lockFolder } from './lock.ts';
import { clearOrphan } from './orphan.ts';
import { chooseRunner, type Runner, spawnAs } from './runner.ts';

export interface Postgres {
  /** How to reach it: a socket, no TCP. */
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

const majorVersion = '18';
const user = 'footnote';
const startPatienceMs = 60_000;
const stopPatienceMs = 20_000;

/** Small: the whole product is to fit beside whatever else runs on the machine. */
const settings = {
  listen_addresses: '',
  max_connections: '60',
  shared_buffers: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  jit: 'off',
  log_min_messages: 'warning',
};

/**
 * Keeps the database server running while the shell's standard input, a pipe from us, is open. However we die, the pipe
 * ends, and the server is told to stop; it is not ours to leave behind.
 */
const lifeline = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(cat <&3 >/dev/null; kill -INT $server 2>/dev/null) &
exec 3<&-
wait $server
`;

/**
 * Starts the PostgreSQL that npm brought on `<dataDir>/postgres`, and makes the cluster at the first start.
 * @throws DataDirInUse where another process has it; an Error in plain words where it can't start
 */
export async function startPostgres({ dataDir, log }: { dataDir: string; log: Logger }): Promise<Postgres> {
  const home = join(dataDir, 'postgres');
  await mkdir(home, { recursive: true }).catch((error) => {
    throw new Error(`${dataDir} can't be written: ${error.message}. Set DATA_DIR to a folder of your own.`);
  });
  const folder = await realpath(home);
  const unlock = await lockFolder(folder);
  try {
    const { binaries, runner } = await prepare(folder);
    const data = join(folder, 'pg');
    await checkVersion(data);
    await clearOrphan(data, log);
    await createCluster(binaries, runner, folder);
    // A path to a socket may have 107 bytes, and a data folder may lie deep.
    const sockets = await mkdtemp(join(tmpdir().length > 60 ? '/tmp' : tmpdir(), 'footnote-'));
    if (runner.ids.uid !== undefined) await chown(sockets, runner.ids.uid, runner.ids.gid ?? runner.ids.uid);
    const output = await open(join(folder, 'postgres.log'), 'w');
    const server = startServer({ binaries, runner, data, sockets, output });
    const connection = { host: sockets, user, database: 'postgres' };
    await untilReady(server, connection, folder);
    log.debug({ runsAs: runner.description }, 'the database server runs');
    return {
      connection,
      async stop() {
        server.stdin?.end();
        await Promise.race([
          server.exitCode === null ? once(server, 'exit') : null,
          wait(stopPatienceMs, null, { ref: false }),
        ]);
        await output.close();
        await rm(sockets, { recursive: true, force: true });
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Finds binaries that can be used, and a user to use them. */
async function prepare(folder: string): Promise<{ binaries: string; runner: Runner }> {
  const shipped = await findBinaries();
  const linked = await linkLibraries(shipped).then(
    () => true,
    () => false,
  );
  if (linked) {
    const runner = await chooseRunner(shipped, folder);
    if (runner) return { binaries: shipped, runner };
  }
  const copy = await copyBinaries(shipped, folder);
  const runner = await chooseRunner(copy, folder);
  if (runner) return { binaries: copy, runner };
  throw new Error(
    `PostgreSQL does not run as root, and no other user can get at ${folder}. Start Footnote as another user, set ` +
      'DATA_DIR to a folder that everyone may enter, or set DATABASE_URL.',
  );
}

async function checkVersion(data: string): Promise<void> {
  const found = (await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => majorVersion)).trim();
  if (found !== majorVersion) {
    throw new Error(
      `${data} was made by PostgreSQL ${found}, and this is ${majorVersion}. Please move the data with pg_dump.`,
    );
  }
}

/** Made beside its place and then renamed: a first start that was cut off leaves nothing that looks like a database. */
async function createCluster(binaries: string, runner: Runner, folder: string): Promise<void> {
  const data = join(folder, 'pg');
  if (
    await access(data).then(
      () => true,
      () => false,
    )
  )
    return;
  const unfinished = join(folder, 'pg.new');
  await rm(unfinished, { recursive: true, force: true });
  const initdb = spawnAs(
    runner,
    [
      join(binaries, 'bin', 'initdb'),
      '-D',
      unfinished,
      '-U',
      user,
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-instructions',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: environment() },
  );
  const said: string[] = [];
  initdb.stdout?.on('data', (data) => said.push(String(data)));
  initdb.stderr?.on('data', (data) => said.push(String(data)));
  const [code] = await once(initdb, 'close');
  if (code !== 0) throw new Error(`The database can't be made in ${folder}:\n${said.join('').trim()}`);
  await rename(unfinished, data);
}

function startServer(start: {
  binaries: string;
  runner: Runner;
  data: string;
  sockets: string;
  output: FileHandle;
}): ChildProcess {
  const options = Object.entries({ ...settings, unix_socket_directories: start.sockets }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const postgres = [join(start.binaries, 'bin', 'postgres'), '-D', start.data, ...options];
  return spawnAs(start.runner, ['/bin/sh', '-c', lifeline, 'sh', ...postgres], {
    stdio: ['pipe', start.output.fd, start.output.fd],
    env: environment(),
    // In a process group of its own: Ctrl-C is for us, and we still need the database to end well.
    detached: true,
  });
}

/** Nothing of ours (passwords, addresses) is for the server to see. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
}

async function untilReady(server: ChildProcess, connection: pg.PoolConfig, folder: string): Promise<void> {
  const until = Date.now() + startPatienceMs;
  let delay = 5;
  while (Date.now() < until) {
    if (server.exitCode !== null || server.signalCode !== null) break;
    const client = new pg.Client(connection);
    client.on('error', () => {});
    const ready = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (ready) return;
    await wait(delay);
    delay = Math.min(delay * 1.5, 200);
  }
  server.stdin?.end();
  const said = await readFile(join(folder, 'postgres.log'), 'utf8').catch(() => '');
  throw new Error(`The database server does not start on ${folder}:\n${said.trim().split('\n').slice(-10).join('\n')}`);
}
