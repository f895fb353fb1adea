import { randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivate } from './private-folder.ts';

/**
 * The text of a file that is made where it is missing, in a folder that is made ours alone. Of several processes that
 * start at once one makes it, and all read the same.
 */
export async function madeOnce(path: string, make: () => string): Promise<string> {
  const there = await readFile(path, 'utf8').catch(() => null);
  if (there !== null) return there;
  await makePrivate(dirname(path));
  await putWhole(path, make(), async (made) => {
    try {
      await link(made, path);
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    } finally {
      await unlink(made);
    }
  });
  return readFile(path, 'utf8');
}

/**
 * Whole at once: a file of that name is one that can be read.
 * @param place puts what was made under another name beside it where it belongs
 */
export async function putWhole(path: string, text: string, place: (made: string) => Promise<void>): Promise<void> {
  const made = `${path}.${randomUUID()}`;
  await writeFile(made, text, { mode: 0o600, flag: 'wx', flush: true });
  await place(made);
}
