import { randomBytes } from 'node:crypto';
import { access, constants, type FileHandle, mkdir, open, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { copyBinaries, findBinaries, linkLibraries } from './binaries.ts';
import { CannotStart } from './cannot-start.ts';
import { createCluster } from './cluster.ts';
import { lockFolder } from './lock.ts';
import { clearOrphan } from './orphan.ts';
import { chooseRunner, type Runner } from './runner.ts';
import { startServer, stopServer, user } from './server.ts';

export interface Postgres {
  /** How to reach it: a socket, no TCP. */
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

/** What a killed server leaves behind may take long to end on a busy machine, and holds what the next one needs. */
const restartPatienceMs = 60_000;
const restartDelayMs = 300;

/**
 * Starts the PostgreSQL that npm brought on `<dataDir>/postgres`, and makes the cluster at the first start. A server
 * that ends by itself (killed for want of memory) is started again on the same socket.
 * @throws DataDirInUse where another process has it; CannotStart, in plain words, where it can't start
 */
export async function startPostgres({ dataDir, log }: { dataDir: string; log: Logger }): Promise<Postgres> {
  const folder = await makeFolder(dataDir);
  const unlock = await lockFolder(folder);
  let lockFile: FileHandle | undefined;
  try {
    const data = join(folder, 'pg');
    lockFile = await open(join(folder, 'server.lock'), 'a');
    const { fd } = lockFile;
    await clearOrphan(data, fd, log);
    const { binaries, runner } = await prepare(folder);
    await createCluster(binaries, runner, folder);
    const sockets = socketFolder();
    const options = { binaries, runner, data, sockets, lockFile: fd, log: join(folder, 'postgres.log') };
    const server = await keepRunning(options, log);
    log.debug({ runsAs: runner.description }, 'the database server runs');
    return {
      connection: { host: sockets, user, database: 'postgres' },
      async stop() {
        await server.stop();
        await rm(sockets, { recursive: true, force: true });
        await lockFile?.close();
        await unlock();
      },
    };
  } catch (error) {
    await lockFile?.close();
    await unlock();
    throw error;
  }
}

async function makeFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'postgres');
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
    return await realpath(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`${dataDir} can't be written: ${reason}. Set DATA_DIR to a folder of your own.`, { cause });
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

async function keepRunning(options: Parameters<typeof startServer>[0], log: Logger) {
  let stopping = false;
  let running = start();
  await running;

  async function start() {
    const server = await startServer(options);
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
    const until = Date.now() + restartPatienceMs;
    for (;;) {
      try {
        await clearOrphan(options.data, options.lockFile, log);
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
