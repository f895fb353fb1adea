import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the lockfile says of one package; npm's documentation of package-lock.json has the rest. */
export interface LockedPackage {
  version: string;
  /** Where the folder holds another package than it is named for. */
  name?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
}
export type Lockfile = Map<string, LockedPackage>;

/** By the package's folder, without the project itself. */
export function readLockfile(path = 'package-lock.json'): Lockfile {
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockedPackage> };
  return new Map(Object.entries(packages).filter(([folder]) => folder !== ''));
}

export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** What is installed to run the product, and what its pages are built from, by folder. */
export function shippedPackages(lockfile: Lockfile): { path: string; entry: LockedPackage }[] {
  const inPages = packagesOfPages(lockfile);
  return [...lockfile]
    .filter(([path, entry]) => (!entry.dev || inPages.has(path)) && !replacedByNothing(entry))
    .map(([path, entry]) => ({ path, entry }));
}

/** Packages that `overrides` of package.json puts an empty one in place of. */
function replacedByNothing(entry: LockedPackage): boolean {
  return entry.name === 'empty-npm-package';
}

/** Those that a file of the web app imports, and those that these depend on. */
function packagesOfPages(lockfile: Lockfile): Set<string> {
  const imported = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|css)$/.test(file) && !file.includes('.test.'))
    .flatMap((file) => [
      ...readFileSync(join('web', file), 'utf8').matchAll(/(?:from|import) ?\(?'((?:@[\w.-]+\/)?[\w.-]+)/g),
    ])
    .map(([, name = '']) => `node_modules/${name}`);
  const found = new Set<string>();
  const wanted = imported.filter((path) => lockfile.has(path));
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const name of Object.keys(lockfile.get(path)?.dependencies ?? {})) {
      const nested = `${path}/node_modules/${name}`;
      wanted.push(lockfile.has(nested) ? nested : `node_modules/${name}`);
    }
  }
  return found;
}
