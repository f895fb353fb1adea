// The door of every npm script. It runs on any Node since 20.20 and without a single dependency: it installs them when
// they are missing or out of date, builds the web app when it is stale, and goes on in the Node 24 that npm carries.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineFlags, engineSettings } from './engine.mjs';
import { fetchNative, unpinnedNative } from './native.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
process.chdir(root);

const commands = {
  start: { program: [...engineFlags, 'server/main.ts'], web: true, isCompiledOnce: true },
  demo: { program: [...engineFlags, 'scripts/demo.ts'], web: true, isCompiledOnce: true },
  dev: { program: ['scripts/dev.ts'] },
  test: { program: ['scripts/check.ts'], web: true },
  crash: { program: ['crash/run.ts'] },
  bench: { program: ['bench/run.ts'] },
  evals: { program: ['evals/run.ts'] },
  reindex: { program: ['scripts/reindex.ts'] },
  backup: { program: ['scripts/backup.ts'] },
  restore: { program: ['scripts/restore.ts'] },
  conformance: { program: ['scripts/conformance.ts'] },
  company: { program: ['scripts/company.ts'] },
  doctor: { program: ['scripts/doctor.ts'] },
  keys: { program: ['scripts/keys.ts'] },
  audit: { program: ['scripts/audit.ts'] },
  sbom: { program: ['scripts/sbom.ts'] },
  release: { program: ['scripts/release/release.ts'], web: true },
  'stripe:setup': { program: ['scripts/stripe-setup.ts'] },
};

const [name = '', ...rest] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(commands).join('|')}`);
  process.exit(2);
}
install();
checkNative();
const node = findNode();
if (command.web) buildWeb();
run([...(existsSync('.env') ? ['--env-file=.env'] : []), ...command.program, ...rest]);

/** Brings node_modules to the state of the lockfile. */
function install() {
  const stamp = join(root, 'node_modules', '.installed-from');
  const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing dependencies (once; about a minute) ...');
  npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, wanted);
}

/** npm that runs us says where it is; calling it by path works where PATH has another one. */
function npm(args) {
  const path = process.env.npm_execpath;
  const result = path?.endsWith('.js')
    ? spawnSync(process.execPath, [path, ...args], { stdio: 'inherit' })
    : spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** A native file that nobody has checked is run only where that was asked for. */
function checkNative() {
  const missing = unpinnedNative(process);
  if (!missing) return;
  if (process.env.UNPINNED_NATIVE === 'on') return fetchNative(missing, npm);
  console.error(
    `The search engine for ${process.platform}/${process.arch} (${missing.name}@${missing.version}) is not pinned by its content.\n` +
      'To have npm fetch it unchecked, once: UNPINNED_NATIVE=on npm start. Linux on x64 needs nothing of the kind.',
  );
  process.exit(1);
}

/** The Node 24 among the dependencies; on systems it is not published for, the one that runs us must do. */
function findNode() {
  const carried = join(bin, process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(carried)) return carried;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  console.error(
    `On ${process.platform}/${process.arch} please install Node.js 24 or newer: this is ${process.version}.`,
  );
  process.exit(1);
}

/** Builds the web app unless the last build was made from the same sources. */
function buildWeb() {
  const stamp = join(root, 'dist', 'web', '.built-from');
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'vite.config.ts', ...filesBelow('web'), ...filesBelow('contract')].sort()) {
    hash.update(file).update('\0').update(readFileSync(file));
  }
  const wanted = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Building the web app ...');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const result = spawnSync(node, [vite, 'build', '--logLevel', 'error'], { stdio: 'inherit', env: environment() });
  if (result.status !== 0) process.exit(result.status ?? 1);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((each) => join(folder, each))
    .filter((each) => statSync(each).isFile() && !each.includes('.test.'));
}

function run(args) {
  // In the same process where Node can: one process less, and signals need no forwarding.
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(node, [node, ...args], environment());
  }
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: environment() });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

function environment() {
  // What Node makes of the service's code lies with the packages: whoever can write there can write the code itself.
  const cache = join(root, 'node_modules', '.cache', 'compiled');
  const compiled = command.isCompiledOnce ? { NODE_COMPILE_CACHE: cache } : {};
  return { ...compiled, ...engineSettings, ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
}
