/**
 * `npm run conformance`: runs the port suites against other makers' emulators and servers, and kills an upgrade of the
 * database at each of its steps, which takes minutes. The emulators are large and not needed to build or test the
 * product: those from npm live in `conformance/` with a lockfile of their own, and are installed here when missing;
 * Ceph's S3 gateway comes from the system's packages, and is left out where it is not there.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gatewayPackages, hasGateway, startGateway } from './ceph-gateway.ts';
import { freePort } from './free-port.ts';

const folder = resolve('conformance');
const project = 'demo-footnote';

install();
const emulator = await startAuthEmulator();
const gateway = hasGateway() ? await startGateway() : null;
if (!gateway)
  console.log(
    `Files and search on S3 are left out: that takes apt-get install --no-install-recommends ${gatewayPackages.join(' ')}`,
  );
const suites = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'conformance/vitest.config.ts', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      IDENTITY_EMULATOR_URL: emulator.url,
      IDENTITY_PROJECT: project,
      ...(gateway && { S3_GATEWAY: JSON.stringify(gateway) }),
    },
  },
);
const [code] = await once(suites, 'exit');
await emulator.stop();
await gateway?.stop();
process.exitCode = typeof code === 'number' ? code : 1;

function install(): void {
  const stamp = join(folder, 'node_modules', '.installed-from');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing the emulators (once; about a minute) ...');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: folder, stdio: 'inherit' } as const;
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (done.status !== 0) process.exit(done.status ?? 1);
  writeFileSync(stamp, wanted);
}

/** Google's Auth emulator on free ports of loopback. It needs no Java and no account. */
async function startAuthEmulator(): Promise<{ url: string; stop: () => Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'footnote-conformance-'));
  const [auth, hub, logging] = await Promise.all([freePort('127.0.0.1'), freePort('127.0.0.1'), freePort('127.0.0.1')]);
  const host = '127.0.0.1';
  const emulators = {
    auth: { host, port: auth },
    hub: { host, port: hub },
    logging: { host, port: logging },
    ui: { enabled: false },
    singleProjectMode: true,
  };
  await writeFile(join(home, 'firebase.json'), JSON.stringify({ emulators }));
  const cli = join(folder, 'node_modules', 'firebase-tools', 'lib', 'bin', 'firebase.js');
  const child = spawn(process.execPath, [cli, 'emulators:start', '--only', 'auth', '--project', project], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, CI: 'true' },
  });
  const said: string[] = [];
  const ended = once(child, 'exit');
  await new Promise<void>((ready, failed) => {
    const hear = (chunk: Buffer) => {
      said.push(String(chunk));
      if (said.join('').includes('All emulators ready')) ready();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', () => failed(new Error(`the emulator ended before it was ready:\n${said.join('')}`)));
  });
  return {
    url: `http://${host}:${auth}`,
    async stop() {
      child.kill('SIGINT');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}
