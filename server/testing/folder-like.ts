import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder that says it is the one that a process works on. Such a process is refused otherwise; here it is what
 * must not lie in the folder that is the question.
 */
export async function folderLike(dataDir: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-like-'));
  await cp(join(dataDir, 'folder.id'), join(folder, 'folder.id'));
  return folder;
}
