/**
 * `npm run release` makes an archive with all that the service needs: unpacked, `./footnote start` runs it, without
 * npm, a compiler or a network. What was packed is unpacked elsewhere and proved before it is called a release.
 *
 * `npm run release -- --folder <path>` lays the same out in a folder that is not there yet, and packs nothing;
 * `--without-node` leaves Node out, for an image that has its own.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { fetchNative, unpinnedNative } from '../native.mjs';
import { npm } from '../npm.ts';
import { copySources, filesBelow, readManifest, writeManifest } from './contents.ts';
import { prove } from './prove.ts';
import { prune, stripNatives } from './prune.ts';

const { values } = parseArgs({
  options: { folder: { type: 'string' }, 'without-node': { type: 'boolean', default: false } },
});

const withoutNode = values['without-node'];
try {
  await (values.folder === undefined ? makeArchive() : makeFolder(resolve(values.folder)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function makeFolder(folder: string): void {
  if (existsSync(folder)) throw new Error(`${folder} is there already.`);
  layOut(folder);
  console.log(`${folder}: ${megabytes(folder)} MB`);
}

async function makeArchive(): Promise<void> {
  const { name, version } = readManifest();
  const full = `${name}-${version}-${process.platform}-${process.arch}`;
  const work = mkdtempSync(join(tmpdir(), 'footnote-release-'));
  // Parsers run as other users, who have to read their code.
  chmodSync(work, 0o755);
  try {
    const folder = join(work, full);
    layOut(folder);
    const archive = resolve('dist', `${full}.tar.xz`);
    mkdirSync(dirname(archive), { recursive: true });
    // The same files make the same archive, whoever packs them.
    const alike = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=2000-01-01T00:00:00Z'];
    run('tar', [...alike, '-cJf', archive, '-C', work, full]);
    rmSync(folder, { recursive: true });
    run('tar', ['-xJf', archive, '-C', work]);
    const { startedInMs } = await prove(folder);
    const digest = await sha256(archive);
    writeFileSync(`${archive}.sha256`, `${digest}  ${basename(archive)}\n`);
    console.log(`${archive}\n  ${toMb(statSync(archive).size)} MB, unpacked ${megabytes(folder)} MB, sha256 ${digest}`);
    const seconds = (startedInMs / 1000).toFixed(1);
    console.log(`  proved: runs after ${seconds} s, reads every sample, answers a question with its source`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Everything that runs, and nothing else, in a folder that is made here. */
function layOut(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(file, join(folder, file));
  console.log('Installing what runs ...');
  const { code, printed } = npm('ci', '--omit=dev', '--prefix', folder);
  if (code !== 0) throw new Error(`npm could not install what runs:\n${printed}`);
  const missing = unpinnedNative(process, folder);
  if (missing) fetchNative(missing, npmOrFail, folder);
  const modules = join(folder, 'node_modules');
  const carried = withoutNode ? ['.bin/node', `node-${process.platform}-${process.arch}`] : [];
  for (const path of carried) rmSync(join(modules, path), { recursive: true, force: true });
  prune(modules);
  if (!stripNatives(modules)) console.log('Without binutils native files keep what debuggers read: some 50 MB more.');
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) rmSync(join(folder, file));
  copySources(folder);
  writeManifest(folder);
}

function run(program: string, args: string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, XZ_OPT: '-T0' } });
  if (status !== 0) throw new Error(error ? `${program}: ${error.message}` : `${program} ended with ${status}.`);
}

function npmOrFail(args: string[]): void {
  const { code, printed } = npm(...args);
  if (code !== 0) throw new Error(printed);
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function megabytes(folder: string): number {
  return toMb(filesBelow(folder).reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0));
}

function toMb(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
