import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makePrivate } from '#server/lib/private-folder.ts';

const note = z.object({ at: z.iso.datetime(), folder: z.string(), sealed: z.boolean() });
/** When a backup was last made, and where. */
export type LastBackup = z.infer<typeof note>;

const pathIn = (dataDir: string) => join(dataDir, 'last-backup.json');

/** Writes down that one was made, for whoever looks after the service. */
export async function noteBackup(dataDir: string, made: LastBackup): Promise<void> {
  // A command that runs by itself, as a job of Kubernetes, has an empty place for it.
  await makePrivate(dataDir);
  const part = `${pathIn(dataDir)}.part`;
  await writeFile(part, `${JSON.stringify(made)}\n`, { mode: 0o600 });
  await rename(part, pathIn(dataDir));
}

/** @returns null where none is known of */
export async function lastBackupAt(dataDir: string): Promise<Date | null> {
  const last = await lastBackup(dataDir);
  return last && new Date(last.at);
}

/**
 * @returns null where none is known of: a note that can't be read says nothing, and must not keep others from being
 * told
 */
export async function lastBackup(dataDir: string): Promise<LastBackup | null> {
  try {
    return note.parse(JSON.parse(await readFile(pathIn(dataDir), 'utf8')));
  } catch {
    return null;
  }
}
