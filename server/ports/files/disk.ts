import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#contract/errors.ts';
import { FileAbsent, type FileStore } from './port.ts';

/** No dots at the start of a part: neither `..` nor our temporary files can be named. */
const validKey = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/**
 * Files below a folder of this machine. A key is there whole or not at all: bytes are written beside their place, brought
 * to the disk, and then renamed.
 */
export function diskFiles({ root }: { root: string }): FileStore {
  function pathOf(key: string): string {
    if (!validKey.test(key)) throw new Error(`not a key: ${key}`);
    return join(root, ...key.split('/'));
  }

  async function place(key: string, fill: (path: string) => Promise<void>): Promise<void> {
    const path = pathOf(key);
    const folder = dirname(path);
    const unfinished = join(folder, `.${randomUUID()}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await fill(unfinished);
      await sync(unfinished);
      await rename(unfinished, path);
      await sync(folder);
    } catch (error) {
      await rm(unfinished, { force: true });
      if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT')
        throw new AppError('storage-full', { cause: error });
      throw error;
    }
  }

  return {
    name: 'disk',

    put: (key, content) =>
      place(key, (path) => pipeline(content, createWriteStream(path, { mode: 0o600, flags: 'wx' }))),

    putFile: (key, from) =>
      place(key, async (path) => {
        await rename(from, path).catch(async (error) => {
          // Another file system: copied, then removed.
          if (codeOf(error) !== 'EXDEV') throw error;
          await copyFile(from, path);
          await rm(from);
        });
      }),

    async get(key, range) {
      const path = pathOf(key);
      await sizeOf(key, path);
      return createReadStream(path, range);
    },

    size: async (key) => sizeOf(key, pathOf(key)),

    delete: (key) => rm(pathOf(key), { force: true }),

    async list(prefix) {
      // The folder that holds every key with this prefix.
      const folder = join(root, ...prefix.split('/').slice(0, -1));
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      });
      return entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .filter((key) => key.startsWith(prefix));
    },
  };
}

async function sizeOf(key: string, path: string): Promise<number> {
  const found = await stat(path).catch((error) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  });
  if (!found?.isFile()) throw new FileAbsent(key);
  return found.size;
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
