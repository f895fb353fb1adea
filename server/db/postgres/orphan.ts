import { readFile, readlink, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CannotStart } from './cannot-start.ts';
import { DataDirInUse, isAlive, lockOpenFile, ps } from './lock.ts';

const stopTimeoutMs = 30_000;

/**
 * Clears the way for a start. A server whose app was killed is waited for, or stopped where nobody else stops it; a
 * postmaster.pid whose number now is another program's (after a restart of a container) would stop every start, and
 * goes.
 * @param folders each a cluster on which a server of ours may run, or none
 * @param lockFile their open lock file, which every server of ours inherits
 * @throws DataDirInUse where a server goes on running that another app holds, be it one in another container
 */
export async function clearOrphan(
  folders: readonly string[],
  lockFile: number,
  log: Logger,
  timeoutMs = 20_000,
): Promise<void> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const lock = lockOpenFile(lockFile);
    let isRunning = false;
    for (const data of folders) {
      const { pid, sockets } = await readPidFile(data);
      if (!pid || !(await isPostgresOn(data, pid))) continue;
      isRunning = true;
      if (await hasLifeline(data, pid)) continue;
      await stopOrphan(pid, log);
      if (sockets) await rmdir(sockets).catch(() => {});
    }
    if (!isRunning && lock !== 'taken') {
      // While the lock is another's, a file may be that of a living server whose processes can't be seen from here.
      for (const data of folders)
        if ((await readPidFile(data)).pid) await rm(join(data, 'postmaster.pid'), { force: true });
      return;
    }
    if (Date.now() > until) throw new DataDirInUse(folders[0] ?? '');
    await wait(20);
  }
}

/** What a server writes down about itself: its number in the first line, the folder of its socket in the fifth. */
async function readPidFile(data: string): Promise<{ pid: number; sockets: string | undefined }> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return { pid: Number(lines[0]), sockets: lines[4] };
}

async function stopOrphan(pid: number, log: Logger): Promise<void> {
  log.warn({ pid }, 'stopping the database server that an earlier run left behind');
  const until = Date.now() + stopTimeoutMs;
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
  const exe = await readlink(`/proc/${pid}/exe`).catch(() => null);
  // Not told on other systems, nor of another user's process where root may not trace, as in a container.
  if (exe === null) return (await commandOf(pid)).includes(`postgres -D ${data}`);
  // A postmaster stands in its data folder.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return basename(exe).startsWith('postgres') && cwd === data;
}

/** Whether the shell is there that stops the server as soon as its app ends: then that app is not for us to hurry. */
async function hasLifeline(data: string, pid: number): Promise<boolean> {
  return (await commandOf(await parentOf(pid))).includes(`-D ${data}`);
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') return ps(pid, 'command=');
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.replaceAll('\0', ' ');
}

async function parentOf(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number(ps(pid, 'ppid='));
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
}
