import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';
const enough = 6 * 1024 ** 3;

/**
 * Has temporary files of this process, and of those it starts, kept in memory where there is plenty: tests make some
 * hundred databases and data folders, and spend most of their time waiting for the disk otherwise. Whoever has set
 * TMPDIR is asked first.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || !isRoomy()) return;
  process.env.TMPDIR = folder;
}

function isRoomy(): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > enough && process.availableMemory() > enough && programsRun();
  } catch {
    return false;
  }
}

/** Some systems forbid programs there, and a test starts a copy of the database's. */
function programsRun(): boolean {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === folder);
  return mount !== undefined && !/\bnoexec\b/.test(mount);
}
