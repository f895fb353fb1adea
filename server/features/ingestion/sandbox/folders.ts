import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const prefix = 'footnote-parse-';
/** Longer than any input stays in a folder; an older one of a process that is gone was left by a crash. */
const leftAfterMs = 120_000;

/** The folder below which each child has its own. */
export function makeSandboxFolder(): string {
  removeLeftFolders();
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  // A child that runs as another user must get to its own folder below this one.
  chmodSync(folder, 0o711);
  return folder;
}

/** Makes a child's folder, again if a cleaner of temporary files has taken it. */
export async function makeWorkerFolder(folder: string): Promise<string> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o711 });
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  return folder;
}

/** Removes the folders that killed processes left: what lies in them is users' data. */
export function removeLeftFolders(): void {
  const parent = tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
    const path = join(parent, name);
    try {
      if (pid > 0 && !isRunning(pid) && Date.now() - statSync(path).mtimeMs > leftAfterMs)
        rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process's, or already gone.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
