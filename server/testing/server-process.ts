import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPostgres } from '#server/db/postgres/launcher.ts';
import type { CrashPoint } from './crash-point.ts';
import { queryOnce } from './outside-postgres.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const crashPoint = fileURLToPath(new URL('./crash-point.ts', import.meta.url));

const compiled = join(tmpdir(), 'footnote-compiled');

/** A folder with everything that a server and the processes it starts write, and by which they are recognised. */
export interface Place {
  path: string;
  dataDir: string;
  remove(): Promise<void>;
}

/** @param from a place whose data is copied; its server must have ended */
export async function makePlace(from?: Place): Promise<Place> {
  // Short: the path of a socket may have 107 characters.
  const path = await mkdtemp(join(tmpdir(), 'fn-crash-'));
  const dataDir = join(path, 'data');
  // As root the database and the parsers run as other users, who must get in.
  await chmod(path, 0o755);
  await mkdir(join(path, 'tmp'));
  await chmod(join(path, 'tmp'), 0o1777);
  // Node's own copying is several calls for each of a thousand files, in the process of the tests.
  if (from) await run('cp', ['-a', from.dataDir, dataDir]);
  return { path, dataDir, remove: () => rm(path, { recursive: true, force: true, maxRetries: 20 }) };
}

/** `node server/main.ts`, as it is started in earnest. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Kills the server where it comes to the point. */
  killAt(point: CrashPoint): Promise<void>;
  kill(): void;
  /** Resolves when the process has ended. */
  ended: Promise<void>;
  /** Asks the server's own database. */
  query(statement: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** @param settings environment variables beside the usual ones */
export async function startServerProcess(place: Place, settings: Record<string, string> = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--import', crashPoint, 'server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      TMPDIR: join(place.path, 'tmp'),
      // Each start would compile the same code again.
      NODE_COMPILE_CACHE: compiled,
      DATA_DIR: place.dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      BILLING: 'off',
      SIGNUP: 'open',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
      ...settings,
    },
  });
  const ended = once(child, 'exit').then(() => {});
  const url = await addressOf(child);
  return {
    url,
    pid: child.pid ?? 0,
    ended,
    async killAt(point) {
      child.send(point);
      await once(child, 'message');
    },
    kill: () => void child.kill('SIGKILL'),
    query: (statement) => ask(place, statement),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** What the server says when it listens. @throws Error with all it said when it ends instead */
async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece) => {
        said += piece;
        const address = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
        if (address !== undefined) resolve(address);
      });
    }
    child.once('exit', (code, signal) => reject(new Error(`the server ended (${signal ?? code}): ${said}`)));
  });
}

async function ask({ dataDir }: Place, statement: string): Promise<Record<string, unknown>[]> {
  const connection = await findPostgres(dataDir);
  if (!connection) throw new Error('no database runs');
  return queryOnce(connection, statement);
}

/** What the database server of a folder says of itself. @throws where none has started */
export async function databaseIn(dataDir: string): Promise<{ pid: number; sockets: string }> {
  const lines = (await readFile(join(dataDir, 'postgres', 'pg', 'postmaster.pid'), 'utf8')).split('\n');
  return { pid: Number(lines[0]), sockets: lines[4] ?? '' };
}

/** Of each place, what was seen to work elsewhere: a process may come to the place only with another command. */
const elsewhere = new WeakMap<Place, Map<number, string>>();

/** Every process that works in the place: the server, its database, its parsers. */
export async function processesIn(place: Place): Promise<{ pid: number; command: string }[]> {
  const { path } = place;
  const known = elsewhere.get(place) ?? new Map<number, string>();
  elsewhere.set(place, known);
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  return pids.flatMap((pid) => {
    const command = commandOf(pid);
    // The kernel's own, and what has ended but is not yet gone, have none, and work nowhere.
    if (command === '' || known.get(pid) === command) return [];
    const isIn = command.includes(path) || folderOf(pid).includes(path) || readProc(pid, 'environ').includes(path);
    if (!isIn) known.set(pid, command);
    return isIn ? [{ pid, command }] : [];
  });
}

/** Resolves when nothing works in the place any more. */
export async function allEnded(place: Place): Promise<void> {
  // Those that were seen are looked at first: to look through all there are, again and again, keeps a processor busy.
  for (let left = await processesIn(place); left.length > 0; left = await processesIn(place)) {
    while (left.some(({ pid, command }) => commandOf(pid) === command)) await wait(20);
  }
}

const commandOf = (pid: number) => readProc(pid, 'cmdline').replaceAll('\0', ' ');

/** What the kernel says of a process, at once and without a thread for it; nothing where it has ended. */
function readProc(pid: number, what: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
