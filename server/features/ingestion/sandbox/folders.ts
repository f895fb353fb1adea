import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canBeOthers } from '#server/lib/system-users.ts';
import { rootFolder, scratchFolder } from './confinement.ts';

const prefix = 'footnote-parse-';
/**
 * A child that runs as another user must get to its own folder below the one of all, and nobody needs to see which
 * there are.
 */
const modeOfAll = canBeOthers() ? 0o711 : 0o700;
/** Longer than any input stays in a folder; an older one of a process that is gone was left by a crash. */
const leftAfterMs = 120_000;

/** The folder below which each child has its own. */
export function makeSandboxFolder(): string {
  removeLeftFolders();
  for (const parent of parents()) {
    try {
      const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
      chmodSync(folder, modeOfAll);
      if (programsRun(folder)) return folder;
      rmSync(folder, { recursive: true });
    } catch {
      // Not there, or not for us.
    }
  }
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}

/**
 * Where temporary files may lie, the usual place first: what starts a child lies there, too, which some mounts forbid.
 */
function parents(): string[] {
  return [...new Set([tmpdir(), '/var/tmp', '/dev/shm'])];
}

function programsRun(folder: string): boolean {
  const file = join(folder, 'program');
  writeFileSync(file, '', { mode: 0o700 });
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(file);
  }
}

/**
 * Makes a child's folder, again if a cleaner of temporary files has taken it.
 * @param uid whose it is; absent: ours
 */
export async function makeWorkerFolder(folder: string, uid?: number): Promise<string> {
  const all = dirname(folder);
  for (const each of [all, rootFolder(all), ocrFolder(all), folder, scratchFolder(folder)])
    await mkdir(each, { recursive: true, mode: 0o700 });
  await chmod(all, modeOfAll);
  // What every child reads: the data of a library.
  await chmod(ocrFolder(all), 0o755);
  if (uid !== undefined) for (const each of [folder, scratchFolder(folder)]) await chown(each, uid, uid);
  return folder;
}

/** Where the data of the text recogniser lies, for every child. */
export function ocrFolder(folder: string): string {
  return join(folder, 'ocr');
}

/** Removes the folders that killed processes left: what lies in them is users' data. */
export function removeLeftFolders(): void {
  for (const parent of parents()) removeLeftFoldersIn(parent);
}

function removeLeftFoldersIn(parent: string): void {
  if (!existsSync(parent)) return;
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
