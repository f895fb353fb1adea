import { spawnSync } from 'node:child_process';
import { closeSync, globSync, openSync, readSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesBelow } from './contents.ts';

/** What the licences of others ask for stays. */
const licence = /^(licen[cs]es?|notices?|copying|copyright|authors|third[-_]?party)/i;
/** Types, maps from built to written code, and texts: Node reads none of them below `node_modules`. */
const unread = /\.([cm]?tsx?|map|flow|md|markdown|css|scss|coffee)$/i;

/** Parts of packages that nothing of the service reads. */
const unusedParts = [
  // Headers, for who compiles against Node.
  'node-linux-*/{include,share}',
  // Another build of the same, and the viewer, of which the web app has its own build.
  'pdfjs-dist/{build,web,types}',
  // The package of the system has both, and is looked for first.
  '@llamaindex/liteparse/{libpdfium.so,*.node}',
  // Programs of packages: the service starts Node alone.
  '.bin/!(node)',
];

/** Removes what the service never reads from its `node_modules`. */
export function prune(modules: string): void {
  for (const part of unusedParts)
    for (const path of globSync(part, { cwd: modules })) rmSync(join(modules, path), { recursive: true });
  for (const file of filesBelow(modules))
    if (unread.test(file) && !licence.test(basename(file))) rmSync(join(modules, file));
}

/**
 * Takes what only debuggers read out of native files, where this machine has the program for it (of binutils).
 * @returns whether it has
 */
export function stripNatives(modules: string): boolean {
  if (spawnSync('strip', ['--version']).error) return false;
  // What can't be stripped stays as it is.
  for (const file of filesBelow(modules).map((each) => join(modules, each)))
    if (isElf(file)) spawnSync('strip', ['--strip-unneeded', '--preserve-dates', file]);
  return true;
}

function isElf(path: string): boolean {
  const start = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, 4, 0);
  } finally {
    closeSync(file);
  }
  return start.toString('latin1') === '\x7fELF';
}
