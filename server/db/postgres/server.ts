import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { CannotStart } from './cannot-start.ts';
import { type Runner, spawnAs } from './runner.ts';

/** Whom `initdb` makes. Has no password, and so can't log in to a server that asks for one. */
export const superuser = 'footnote';

/** Long, because after a power cut the server first works through what it had written down. */
const startTimeoutMs = 300_000;
const stopTimeoutMs = 20_000;
/** One that has come up answers at once; an answer that was lost while it came up never comes. */
const answerTimeoutMs = 5000;

/** Small: the whole product is to fit beside whatever else runs on the machine. */
const settings = {
  listen_addresses: '',
  // One that nobody uses takes some kilobytes; a service takes up to 23, its commands some more.
  max_connections: '200',
  shared_buffers: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  jit: 'off',
  // Failed statements are told to us; in the log they would leave words of documents that are to be erased.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/**
 * Keeps the database server running while the shell's standard input, a pipe from us, is open. However we die, the pipe
 * ends, and the server is told to stop; it is not ours to leave behind.
 */
const lifeline = `
exec 4<&0
"$@" </dev/null 4<&- &
server=$!
(cat <&4 >/dev/null; kill -INT $server 2>/dev/null) 3<&- &
exec 4<&-
wait $server
status=$?
rmdir "$0" 2>/dev/null
exit $status
`;

export interface ServerOptions {
  binaries: string;
  runner: Runner;
  /** The cluster. */
  data: string;
  /** Folder for the socket; made here. */
  sockets: string;
  /** The open lock file: the server holds the lock as long as it lives. */
  lockFile: number;
  /** File that the server writes its log to. */
  log: string;
}

/** The password is not the one that the database knows: its folder was put together from two. */
export class WrongLogin extends Error {}

/**
 * Starts the server and waits until it answers.
 * @param login who uses it; null: the superuser, and nobody else, who is then asked for no password
 * @throws CannotStart with the end of its log; WrongLogin
 */
export async function startServer(
  options: ServerOptions,
  login: { user: string; password: string } | null,
): Promise<ChildProcess> {
  const { binaries, runner, data, sockets, lockFile, log } = options;
  await writeAccess(data, runner, login ? 'local all all scram-sha-256' : `local all ${superuser} trust`);
  await makeSocketFolder(sockets, runner);
  const set = Object.entries({ ...settings, unix_socket_directories: sockets }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const output = await open(log, 'w');
  const server = spawnAs(
    runner,
    ['/bin/sh', '-c', lifeline, sockets, join(binaries, 'bin', 'postgres'), '-D', data, ...set],
    {
      stdio: ['pipe', output.fd, output.fd, lockFile],
      env: environment(),
      // In a process group of its own: Ctrl-C is for us, and we still need the database to end well.
      detached: true,
    },
  );
  server.stdin?.on('error', () => {});
  await output.close();
  const answer = await isReady(server, { host: sockets, database: 'postgres', ...(login ?? { user: superuser }) });
  if (answer === 'ready') return server;
  await stopServer(server);
  await rm(sockets, { recursive: true, force: true });
  if (answer === 'refused') throw new WrongLogin('The database refuses its own login.');
  const said = (await readFile(log, 'utf8').catch(() => '')).trim();
  if (/No space left on device|Disk quota exceeded/i.test(said))
    throw new CannotStart(`The disk is full: the database in ${data} can't start.`);
  throw new CannotStart(`The database server does not start on ${data}:\n${said.split('\n').slice(-10).join('\n')}`);
}

export async function stopServer(server: ChildProcess): Promise<void> {
  server.stdin?.end();
  if (hasEnded(server)) return;
  await Promise.race([once(server, 'exit'), wait(stopTimeoutMs, null, { ref: false })]);
}

/**
 * Stops it for good, and nobody works on its data any more.
 * @throws CannotStart where it does not end
 */
export async function endServer(server: ChildProcess): Promise<void> {
  await stopServer(server);
  if (!hasEnded(server)) throw new CannotStart(`The database server ${server.pid} does not stop. Please end it.`);
}

/** Nothing of ours (passwords, addresses) is for the server to see. */
export function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/** Who may log in, and how: over the socket alone. */
async function writeAccess(data: string, { ids }: Runner, line: string): Promise<void> {
  const path = join(data, 'pg_hba.conf');
  const content = `# Written by Footnote at every start.\n${line}\n`;
  if ((await readFile(path, 'utf8').catch(() => '')) === content) return;
  await rm(`${path}.new`, { force: true });
  await writeFile(`${path}.new`, content, { mode: 0o600, flag: 'wx' });
  if (ids.uid !== undefined) await chown(`${path}.new`, ids.uid, ids.gid ?? ids.uid);
  await rename(`${path}.new`, path);
}

async function makeSocketFolder(sockets: string, { ids }: Runner): Promise<void> {
  const owner = ids.uid ?? process.getuid?.() ?? 0;
  await mkdir(sockets, { mode: 0o700 }).catch(async (error) => {
    // Left by a server that was killed; anyone else's would be a trap.
    if (error.code !== 'EEXIST' || (await stat(sockets)).uid !== owner) throw error;
  });
  if (ids.uid !== undefined) await chown(sockets, ids.uid, ids.gid ?? ids.uid);
}

/** What PostgreSQL says where the password is wrong, or there is no such user. */
const refusals = new Set(['28P01', '28000']);

async function isReady(server: ChildProcess, connection: pg.ClientConfig): Promise<'ready' | 'refused' | 'ended'> {
  const until = Date.now() + startTimeoutMs;
  let delay = 5;
  while (Date.now() < until && !hasEnded(server)) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: answerTimeoutMs });
    client.on('error', () => {});
    const answer = await client.connect().then(
      () => 'ready' as const,
      (error) => (refusals.has(error.code) ? ('refused' as const) : null),
    );
    // Not waited for: a connection that broke in between may never say that it has ended, and who then waits here never
    // notices that the server dies once more.
    client.end().catch(() => {});
    if (answer) return answer;
    await wait(delay);
    delay = Math.min(delay * 1.5, 200);
  }
  return 'ended';
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}
