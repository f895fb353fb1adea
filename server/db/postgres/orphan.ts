import { execFileSync } from 'node:child_process';
import { readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CannotStart } from './cannot-start.ts';
import { DataDirInUse, isAlive, lockOpenFile } from './lock.ts';

const stopPatienceMs = 30_000;
const lockPatienceMs = 10_000;

/**
 * Clears the way for a start. A server whose app was killed may still be running on the data, and is stopped; a
 * postmaster.pid whose number now is another program's (after a restart of a container) would stop every start, and goes.
 * @param lockFile the open lock file of the data, which every server of ours inherits
 * @throws DataDirInUse where a server that is not in sight, in another container, holds the lock
 */
export async function clearOrphan(data: string, lockFile: number, log: Logger): Promise<void> {
  const until = Date.now() + lockPatienceMs;
  for (;;) {
    const lock = lockOpenFile(lockFile);
    const pid = await readPid(data);
    if (pid && (await isPostgresOn(data, pid))) await stopOrphan(pid, log);
    // While the lock is another's, the file may be that of a living server whose processes can't be seen from here.
    else if (pid && lock !== 'taken') await rm(join(data, 'postmaster.pid'), { force: true });
    if (lock !== 'taken') return;
    if (Date.now() > until) throw new DataDirInUse(data);
    await wait(50);
  }
}

async function readPid(data: string): Promise<number> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  return Number(lines.split('\n')[0]);
}

async function stopOrphan(pid: number, log: Logger): Promise<void> {
  log.warn({ pid }, 'stopping the database server that an earlier run left behind');
  const until = Date.now() + stopPatienceMs;
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    // It may have ended on its own just now.
    if (isAlive(pid)) throw new CannotStart(`The database server ${pid} of an earlier run can't be stopped: ${error}`);
  }
  while (isAlive(pid)) {
    if (Date.now() > until)
      throw new CannotStart(`The database server ${pid} of an earlier run does not stop. Please end it.`);
    await wait(20);
  }
}

/** Whether the process is a postmaster on this data, and not another program that got its number. */
async function isPostgresOn(data: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return commandOf(pid).includes(`-D ${data}`);
  const exe = await readlink(`/proc/${pid}/exe`).catch(() => '');
  // A postmaster stands in its data folder.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return basename(exe).startsWith('postgres') && cwd === data;
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'command=', '-ww', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}
