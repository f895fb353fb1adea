import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that one process has for itself below one that several may share. */
export interface OwnFolder {
  /** It is made anew where it is not there. */
  readonly path: string;
  /** Removes those of processes that are gone. */
  removeLeft(): Promise<void>;
  close(): Promise<void>;
}

const signOfLifeMs = 60_000;
/** Without a sign of life for so long its process is gone; clocks of machines that share it differ by less. */
const goneAfterMs = 15 * 60_000;

/**
 * Numbers of processes mean nothing on another machine or in another container, so a process says that it lives by the
 * time of its folder.
 * @param alone nobody else is there: what lies below the parent was left by processes that are gone
 */
export async function openOwnFolder(parent: string, { alone }: { alone: boolean }): Promise<OwnFolder> {
  const path = join(parent, randomUUID());
  const say = () => utimes(path, new Date(), new Date());

  async function removeLeft(): Promise<void> {
    for (const name of await readdir(parent).catch(() => [])) {
      const other = join(parent, name);
      if (other === path) continue;
      const last = await stat(other).catch(() => null);
      if (last && (alone || Date.now() - last.mtimeMs > goneAfterMs)) await rm(other, { recursive: true, force: true });
    }
  }

  await removeLeft();
  // Others than we pass through it: parsers have users of their own.
  await mkdir(path, { recursive: true, mode: 0o755 });
  await say();
  // One that a cleaner of temporary files has taken is made again by what is put into it.
  const saying = setInterval(() => void say().catch(() => {}), signOfLifeMs);
  saying.unref();
  return {
    path,
    removeLeft,
    async close() {
      clearInterval(saying);
      await rm(path, { recursive: true, force: true });
    },
  };
}
