import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What node and V8 make of the parsers' code as they load it: made once by us, and read by every child. */
export interface CodeCache {
  /** Where it lies, for a child that sees itself as this user; undefined as long as it is not there. */
  folderFor(uid: number): string | undefined;
  /** Ends the filling, if it is under way. */
  close(): Promise<void>;
}

const ingestion = realpathSync(fileURLToPath(new URL('..', import.meta.url)));
const packages = join(ingestion, '..', '..', '..', 'node_modules');
const loader = fileURLToPath(new URL('./load-all.ts', import.meta.url));
/** Whoever waits for the machine's processors goes before. */
const lowPriority = 10;

/**
 * Finds the cache, or fills it behind what else goes on. It lies with the packages: whoever can write there can write
 * the code itself, so that it gives nobody a way in. A child's file system is read-only, and it never holds anything of
 * a document: it is filled by a process that is given none. Where the folder can't be written there is no cache.
 */
export function openCodeCache(): CodeCache {
  const all = join(packages, '.cache', 'footnote-parsers');
  const folder = join(all, keyOfCode());
  const stopped = new AbortController();
  const filling = existsSync(folder) ? undefined : fill(all, folder, stopped.signal).catch(() => {});
  return {
    folderFor: (uid) => (existsSync(folder) && isThereFor(uid, folder) ? folder : undefined),
    async close() {
      stopped.abort();
      await filling;
    },
  };
}

/** Other code, another node or another place have a cache of their own: node would take none of this one. */
function keyOfCode(): string {
  const hash = createHash('sha256').update(`${process.version} ${process.arch} ${ingestion}`);
  const libraries = ['pdfjs-dist', '@llamaindex/liteparse'].map((name) => join(packages, name, 'package.json'));
  for (const path of [...globSync('**/*.ts', { cwd: ingestion }).map((name) => join(ingestion, name)), ...libraries]) {
    const stat = statSync(path, { throwIfNoEntry: false });
    hash.update(`\n${path} ${stat?.size} ${stat?.mtimeMs}`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Puts it together under another name, so that what is found is whole. */
async function fill(all: string, folder: string, signal: AbortSignal): Promise<void> {
  const part = join(all, randomUUID());
  try {
    await mkdir(part, { recursive: true });
    // The service keeps what it makes to itself, and this is for the users that parsers run as.
    for (const each of [join(all, '..'), all]) await chmod(each, 0o755);
    const child = spawn(process.execPath, ['--no-warnings', loader], {
      cwd: '/',
      env: { NODE_COMPILE_CACHE: part },
      stdio: 'ignore',
      signal,
      killSignal: 'SIGKILL',
    });
    if (child.pid !== undefined) setPriority(child.pid, lowPriority);
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`The parsers' code was not loaded: ${code}`);
    for (const entry of await readdir(part, { recursive: true, withFileTypes: true }))
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
    await chmod(part, 0o755);
    const earlier = (await readdir(all)).filter((name) => !name.includes('-'));
    await rename(part, folder);
    for (const name of earlier) await rm(join(all, name), { recursive: true, force: true });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** Node keeps what each user has made in a folder of its own, `v24.1.0-x64-1a2b3c4d-1000`: ours is everybody's. */
function isThereFor(uid: number, folder: string): boolean {
  const ours = `-${process.getuid?.()}`;
  const names = readdirSync(folder);
  const own = names.find((name) => name.endsWith(ours));
  if (own === undefined) return false;
  const theirs = `${own.slice(0, -ours.length)}-${uid}`;
  if (names.includes(theirs)) return true;
  try {
    symlinkSync(own, join(folder, theirs));
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST';
  }
}
