import { randomBytes } from 'node:crypto';
import { access, constants, type FileHandle, mkdir, open, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Binaries, copyBinaries, findBinaries, linkLibraries } from './binaries.ts';
import { CannotStart } from './cannot-start.ts';
import { createCluster, majorOf, refuseNewer } from './cluster.ts';
import { lockFolder } from './lock.ts';
import { administer, forgetLogin, type Login, prepareLogin, readLogin } from './login.ts';
import { clearOrphan } from './orphan.ts';
import { chooseRunner, type Runner } from './runner.ts';
import { type ServerOptions, startServer, stopServer, WrongLogin } from './server.ts';
import { type BringOver, foldersIn, type Say, settleUpgrade, upgradeCluster } from './upgrade.ts';

export interface Postgres {
  /** How to reach it: a socket, no TCP. */
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  dataDir: string;
  log: Logger;
  /** Brings older data over to the server's version; absent: such data is refused. */
  bringOver?: BringOver;
  /** Hears how far that is. */
  say?: Say;
  /** Another PostgreSQL than the one that comes with this version. */
  binaries?: Binaries;
}

/** What a killed server leaves behind may take long to end on a busy machine, and holds what the next one needs. */
const restartTimeoutMs = 60_000;
const restartDelayMs = 300;

/**
 * Starts the PostgreSQL that npm brought on `<dataDir>/postgres`, and makes the cluster at the first start. A server
 * that ends by itself (killed for want of memory) is started again on the same socket.
 * @throws DataDirInUse where another process has it; CannotStart, in plain words, where it can't start
 */
export async function startPostgres(asked: PostgresOptions): Promise<Postgres> {
  const { log } = asked;
  const { folder, options, close } = await openCluster(asked);
  try {
    const { server, login } = await logIn(options, folder, log);
    log.debug({ runsAs: options.runner.description }, 'the database server runs');
    return {
      connection: connectionTo(options.sockets, login),
      async stop() {
        await server.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Runs statements as the superuser, as whom nobody can log in, on a database that is stopped.
 * @throws as `startPostgres`, and what a statement fails with
 */
export async function administerPostgres(asked: PostgresOptions, statements: readonly string[]): Promise<void> {
  const { options, close } = await openCluster(asked);
  await administer(options, statements).finally(close);
}

/**
 * How to reach a database that another process has started on the folder.
 * @returns null where none runs
 */
export async function findPostgres(dataDir: string): Promise<pg.PoolConfig | null> {
  const folder = join(dataDir, 'postgres');
  // It says in its fifth line where its socket is.
  const lines = (await readFile(join(folder, 'pg', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const login = await readLogin(folder);
  return lines[4] && login ? connectionTo(lines[4], login) : null;
}

function connectionTo(sockets: string, login: Login): pg.PoolConfig {
  return { host: sockets, database: 'postgres', ...login };
}

/** A cluster that is ours alone until it is closed, and what it takes to start its server. */
async function openCluster({ dataDir, log, bringOver, say = () => {}, ...asked }: PostgresOptions) {
  const folder = await makeFolder(dataDir);
  const unlock = await lockFolder(folder);
  let lockFile: FileHandle | undefined;
  const sockets = socketFolder();
  const close = async () => {
    await rm(sockets, { recursive: true, force: true });
    await lockFile?.close();
    await unlock();
  };
  try {
    const { data, upgraded } = foldersIn(folder);
    lockFile = await open(join(folder, 'server.lock'), 'a', 0o600);
    const { fd } = lockFile;
    await clearOrphan([data, upgraded], fd, log);
    const { folder: shipped, major } = asked.binaries ?? (await findBinaries());
    const { binaries, runner } = await prepare(shipped, folder);
    const options = { binaries, runner, data, sockets, lockFile: fd, log: join(folder, 'postgres.log') };
    await settleUpgrade(folder, major);
    const found = await majorOf(data);
    if (found === null) await createCluster(binaries, runner, folder, data);
    else if (found < major)
      await upgradeCluster({ folder, options, from: found, to: major, bringOver, say, prepare, socketFolder });
    else refuseNewer(data, found, major);
    return { folder, options, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the server with the login that lies beside the data, or with a new one where the data knows another. */
async function logIn(options: ServerOptions, folder: string, log: Logger) {
  for (let isSecond = false; ; isSecond = true) {
    const login = await prepareLogin(options, folder);
    try {
      return { server: await keepRunning(options, login, log), login };
    } catch (error) {
      if (!(error instanceof WrongLogin) || isSecond) throw error;
      log.warn('the database has another login than the one beside it, and gets a new one');
      await forgetLogin(folder);
    }
  }
}

async function makeFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'postgres');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
    return await realpath(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`${dataDir} can't be written: ${reason}. Set DATA_DIR to a folder of your own.`, { cause });
  }
}

/**
 * Finds binaries that can be used, and a user to use them.
 * @param name of their copy, where they can't be used where they are
 */
async function prepare(shipped: string, folder: string, name?: string): Promise<{ binaries: string; runner: Runner }> {
  const linked = await linkLibraries(shipped).then(
    () => true,
    () => false,
  );
  if (linked) {
    const runner = await chooseRunner(shipped, folder);
    if (runner) return { binaries: shipped, runner };
  }
  const copy = await copyBinaries(shipped, folder, name);
  const runner = await chooseRunner(copy, folder);
  if (runner) return { binaries: copy, runner };
  throw new CannotStart(
    process.getuid?.() === 0
      ? `PostgreSQL does not run as root, and no other user can get at ${folder}. Start Footnote as another user, set ` +
          'DATA_DIR to a folder that everyone may enter, or set DATABASE_URL.'
      : 'The PostgreSQL that comes with Footnote does not run on this system. Please set DATABASE_URL to one that does.',
  );
}

/** A path to a socket may have 107 bytes, and as root it must be one that other users can enter. */
function socketFolder(): string {
  const own = tmpdir();
  const folder = own.length > 60 || process.getuid?.() === 0 ? '/tmp' : own;
  return join(folder, `footnote-${randomBytes(6).toString('hex')}`);
}

async function keepRunning(options: ServerOptions, login: Login, log: Logger) {
  let stopping = false;
  let running = start();
  await running;

  async function start() {
    const server = await startServer(options, login);
    server.once('exit', () => {
      if (stopping) return;
      log.error('the database server ended by itself, and is started again');
      running = startAgain();
      // Its failure is in the log; whoever stops us must not stumble over it.
      running.catch(() => {});
    });
    return server;
  }

  async function startAgain(): ReturnType<typeof start> {
    const until = Date.now() + restartTimeoutMs;
    for (;;) {
      try {
        await clearOrphan([options.data], options.lockFile, log);
        return await start();
      } catch (err) {
        if (Date.now() > until || stopping) {
          log.fatal({ err }, 'the database server does not start again');
          throw err;
        }
        // What is left of the old one may need a moment to end.
        await wait(restartDelayMs);
      }
    }
  }

  return {
    async stop() {
      stopping = true;
      const server = await running.catch(() => null);
      if (server) await stopServer(server);
    },
  };
}
