import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { tellFull } from './local.ts';
import { checkedKey, FileAbsent, type FileStore, isKey } from './port.ts';

/** What a killed process was writing is of no use to anyone after this long. */
const unfinishedLifeMs = 24 * 3_600_000;

/**
 * Files below a folder of this machine. A key is there whole or not at all: bytes are written beside their place,
 * brought to the disk, and then renamed.
 */
export function diskFiles({ root }: { root: string }): FileStore {
  const unfinishedFolder = join(root, '.unfinished');
  let tidied: Promise<void> | undefined;

  const pathOf = (key: string) => join(root, ...checkedKey(key).split('/'));

  /** Brings a whole file to its place, so that it is found there after a power cut, too. */
  async function place(from: string, path: string): Promise<void> {
    const first = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await sync(from);
    await rename(from, path);
    // A folder that is new is itself an entry of the one above.
    const highest = first === undefined ? dirname(path) : dirname(first);
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      await sync(folder);
      if (folder === highest) return;
    }
  }

  async function placeWhole(path: string, fill: (unfinished: string) => Promise<void>): Promise<void> {
    const unfinished = join(unfinishedFolder, randomUUID());
    try {
      await mkdir(unfinishedFolder, { recursive: true, mode: 0o700 });
      tidied ??= removeOld(unfinishedFolder);
      await tidied;
      await fill(unfinished);
      await place(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  return {
    name: 'disk',

    async put(key, content) {
      try {
        const path = pathOf(key);
        await tellFull(() =>
          placeWhole(path, (unfinished) =>
            pipeline(content, createWriteStream(unfinished, { mode: 0o600, flags: 'wx' })),
          ),
        );
      } finally {
        // What failed before the first byte was read leaves the other end open otherwise.
        content.destroy();
      }
    },

    async putFile(key, from) {
      const path = pathOf(key);
      try {
        await tellFull(() => place(from, path));
      } catch (error) {
        // Another file system: copied, then removed.
        if (codeOf(error) !== 'EXDEV') throw error;
        await tellFull(() => placeWhole(path, (unfinished) => copyFile(from, unfinished)));
        await rm(from);
      }
    },

    async get(key, range) {
      // Opened here, so that a key that is deleted while it is read is read to its end.
      const handle = await open(pathOf(key)).catch(absent(key));
      try {
        if (!(await handle.stat()).isFile()) throw new FileAbsent(key);
        return handle.createReadStream({ ...range });
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    async size(key) {
      const found = await stat(pathOf(key)).catch(absent(key));
      if (!found.isFile()) throw new FileAbsent(key);
      return found.size;
    },

    async delete(key) {
      const path = pathOf(key);
      try {
        await rm(path);
        // Erased is erased: after a power cut, too.
        await sync(dirname(path));
      } catch (error) {
        if (!['ENOENT', 'ENOTDIR', 'ERR_FS_EISDIR'].includes(String(codeOf(error)))) throw error;
      }
    },

    async list(prefix) {
      // The folder that holds every key with this prefix.
      const above = prefix.split('/').slice(0, -1).join('/');
      const folder = above === '' ? root : pathOf(above);
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
        throw error;
      });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .filter((key) => key.startsWith(prefix) && isKey(key));
    },
  };
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const written = await stat(path).catch(() => null);
    if (written && Date.now() - written.mtimeMs > unfinishedLifeMs) await rm(path, { force: true });
  }
}

function absent(key: string): (error: unknown) => never {
  return (error) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') throw new FileAbsent(key);
    throw error;
  };
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
