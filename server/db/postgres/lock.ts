import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from './cannot-start.ts';

/** Another process works on this folder. */
export class DataDirInUse extends CannotStart {
  constructor(dataDir: string) {
    super(
      `Another Footnote is running on ${dataDir}. Stop it first, set DATA_DIR to another folder, or, for several processes on one, DATABASE_URL.`,
    );
    this.name = 'DataDirInUse';
  }
}

/** A process that is being killed, or stopped for a new one, needs a moment. */
const timeoutMs = 1500;

/**
 * Takes the folder for this process alone. Two first starts at once would destroy each other's database, so this comes
 * before anything else; it ends with the process, however that ends.
 * @param folder its real path
 * @returns how to let go
 * @throws DataDirInUse
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await (process.platform === 'linux' ? lockBySocket(folder) : lockByFile(folder));
    } catch (error) {
      if (!(error instanceof DataDirInUse) || Date.now() > until) throw error;
      await wait(50);
    }
  }
}

/** An abstract socket has no file that could outlive its process. */
async function lockBySocket(folder: string): Promise<() => Promise<void>> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  const server = createServer((connection) => connection.destroy());
  server.unref();
  try {
    server.listen(`\0footnote-${name}`);
    await once(server, 'listening');
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw new DataDirInUse(folder);
    throw error;
  }
  return async () => {
    server.close();
  };
}

/**
 * For systems without abstract sockets: a file that names its process. The time at which that process began is in it,
 * too, because the number of one that was killed may be another program's by now.
 */
export async function lockByFile(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock');
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(`${process.pid}\n${ps(process.pid, 'lstart=')}`);
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      const [pid = '', began = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
      if (isAlive(Number(pid)) && ps(Number(pid), 'lstart=') === began) throw new DataDirInUse(folder);
      await rm(path, { force: true });
    }
  }
  throw new DataDirInUse(folder);
}

/**
 * Tries to lock an open file (`flock`), which also holds against another container that shares the folder. The lock
 * belongs to the open file: whoever inherits it, as the database server does, holds it until its own end.
 * @returns `unknown` where there is no such lock to be had
 */
export function lockOpenFile(fd: number): 'held' | 'taken' | 'unknown' {
  const { status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  if (status === 0) return 'held';
  return status === 1 ? 'taken' : 'unknown';
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Ended, but not taken note of by its parent: in a container nobody may ever do that, and we would wait for nothing.
 */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A field of a process, as `ps` tells it; empty when there is no such process. */
export function ps(pid: number, field: string): string {
  const options = { encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C' } } as const;
  return spawnSync('ps', ['-ww', '-o', field, '-p', String(pid)], options).stdout?.trim() ?? '';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
