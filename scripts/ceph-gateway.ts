import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

/** A server that speaks S3, with a key of its own that may do everything with its own buckets. */
export interface Gateway {
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  stop(): Promise<void>;
}

/** What it takes, by the name of Debian's packages. */
export const gatewayPackages = ['radosgw', 'ceph-mon', 'ceph-osd'];

export function hasGateway(): boolean {
  return gatewayPackages.every((program) => spawnSync(program, ['--version']).status === 0);
}

/**
 * Ceph's S3 gateway before a cluster of one monitor and one store in memory, all of it on free ports of loopback and
 * below a folder that goes when it stops.
 */
export async function startGateway(): Promise<Gateway> {
  const home = await mkdtemp(join(tmpdir(), 'footnote-ceph-'));
  const [monitor, web] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
  const config = join(home, 'ceph.conf');
  await writeFile(config, settings({ home, monitor, web }));
  const running: ChildProcess[] = [];
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, ['-c', config, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
  const start = (program: string, ...args: string[]) =>
    running.push(spawn(program, ['-c', config, '-f', ...args], { stdio: 'ignore' }));
  const stop = async () => {
    for (const child of running.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      // There is nothing to be saved.
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(home, { recursive: true, force: true });
  };
  try {
    await makeKeys(join(home, 'keyring'));
    const map = join(home, 'monmap');
    execFileSync('monmaptool', [
      '--create',
      '--addv',
      'a',
      `[v2:127.0.0.1:${monitor}]`,
      '--fsid',
      await fsidIn(config),
      map,
    ]);
    await mkdir(join(home, 'mon'));
    run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', join(home, 'keyring'));
    start('ceph-mon', '-i', 'a');
    const store = randomUUID();
    run('ceph', 'osd', 'new', store);
    await mkdir(join(home, 'osd'));
    run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store);
    start('ceph-osd', '-i', '0');
    const keys = { accessKeyId: 'conformance', secretAccessKey: randomUUID() };
    run(
      'radosgw-admin',
      ...['user', 'create', '--uid=footnote', '--display-name=footnote'],
      ...[`--access-key=${keys.accessKeyId}`, `--secret-key=${keys.secretAccessKey}`],
    );
    start('radosgw', '-n', 'client.admin');
    const url = `http://127.0.0.1:${web}`;
    await answers(url);
    return { url, ...keys, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function makeKeys(path: string): Promise<void> {
  const everything = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'];
  const make = (...args: string[]) => execFileSync('ceph-authtool', [path, ...args]);
  make('--create-keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *');
  make('--gen-key', '-n', 'client.admin', ...everything);
  make('--gen-key', '-n', 'osd.0', ...everything);
}

function settings({ home, monitor, web }: { home: string; monitor: number; web: number }): string {
  return `[global]
fsid = ${randomUUID()}
mon initial members = a
mon host = [v2:127.0.0.1:${monitor}]
public network = 127.0.0.0/8
keyring = ${home}/keyring
run dir = ${home}
admin socket =
log file =
pid file =
mon data = ${home}/mon
osd data = ${home}/osd
osd objectstore = memstore
memstore device bytes = 4294967296
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
rgw frontends = beast endpoint=127.0.0.1:${web} tcp_nodelay=1
rgw data = ${home}
`;
}

async function fsidIn(config: string): Promise<string> {
  return /fsid = (\S+)/.exec(await readFile(config, 'utf8'))?.[1] ?? '';
}

async function answers(url: string): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
    if (Date.now() > until) throw new Error('the gateway has not answered within a minute');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
