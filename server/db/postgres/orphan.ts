import { readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isAlive } from './lock.ts';

const patienceMs = 30_000;

/**
 * Clears the way for a start. A server whose app was killed may still be running on the data, and is stopped; a
 * postmaster.pid whose number now is another program's (after a restart of a container) would stop every start, and goes.
 */
export async function clearOrphan(data: string, log: Logger): Promise<void> {
  const path = join(data, 'postmaster.pid');
  const pid = Number((await readFile(path, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  if (!(await isPostgresOn(data, pid))) {
    await rm(path, { force: true });
    return;
  }
  log.warn({ pid }, 'stopping the database server that an earlier run left behind');
  process.kill(pid, 'SIGINT');
  const until = Date.now() + patienceMs;
  while (isAlive(pid)) {
    if (Date.now() > until)
      throw new Error(`The database server ${pid} of an earlier run does not stop. Please end it.`);
    await wait(20);
  }
}

/** A postmaster stands in its data folder. Elsewhere than on Linux there is nothing to look at: alive must do. */
async function isPostgresOn(data: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  const exe = await readlink(`/proc/${pid}/exe`).catch(() => '');
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return basename(exe).startsWith('postgres') && cwd === data;
}
