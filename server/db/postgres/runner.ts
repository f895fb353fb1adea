import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { chown, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** PostgreSQL refuses to run as root. This is as whom, and how, its programs are run instead. */
export interface Runner {
  description: string;
  /** What stands before the program. */
  prefix: string[];
  /** The user that the programs run as; absent: ours. */
  ids: { uid?: number; gid?: number };
}

/**
 * @param binaries folder with `bin/postgres`
 * @param folder where the data lies; it is given to the user of the programs
 * @returns null where no way is open
 */
export async function chooseRunner(binaries: string, folder: string): Promise<Runner | null> {
  if (process.getuid?.() !== 0) {
    const ourselves: Runner = { description: 'our own user', prefix: [], ids: {} };
    return canRun(ourselves, binaries, folder) ? ourselves : null;
  }
  const other = await otherUser(folder);
  // Below a folder that only root may enter, such as /root: root by another name, in a user namespace.
  const namespace: Runner = {
    description: 'a user namespace',
    prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
    ids: {},
  };
  for (const runner of other ? [other, namespace] : [namespace]) {
    await giveTo(folder, runner.ids.uid ?? 0, runner.ids.gid ?? 0);
    if (canRun(runner, binaries, folder)) return runner;
  }
  return null;
}

/** Runs a program as the runner's user. */
export function spawnAs(runner: Runner, [program = '', ...args]: string[], options: SpawnOptions): ChildProcess {
  const [first = program, ...rest] = [...runner.prefix, program, ...args];
  // The folder that we stand in may be closed to the other user.
  return spawn(first, rest, { cwd: '/', ...options, ...runner.ids });
}

/** Whoever owns the data already, else nobody: one start by root must not take a database away from its user. */
async function otherUser(folder: string): Promise<Runner | null> {
  const owner = (await stat(folder)).uid;
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const users = [...passwd.matchAll(/^([^:\n]+):[^:\n]*:(\d+):(\d+):/gm)].map(([, name, uid, gid]) => ({
    name,
    ids: { uid: Number(uid), gid: Number(gid) },
  }));
  const user = users.find(({ ids }) => ids.uid === owner && owner !== 0) ?? users.find(({ name }) => name === 'nobody');
  return user ? { description: `the user ${user.name}`, prefix: [], ids: user.ids } : null;
}

/** Whether the programs start, and the data can be written. */
function canRun({ prefix, ids }: Runner, binaries: string, folder: string): boolean {
  const postgres = join(binaries, 'bin', 'postgres');
  const [first = '/bin/sh', ...rest] = [...prefix, '/bin/sh', '-c', '"$0" --version && test -w "$1"', postgres, folder];
  return spawnSync(first, rest, { cwd: '/', stdio: 'ignore', ...ids }).status === 0;
}

async function giveTo(folder: string, uid: number, gid: number): Promise<void> {
  if ((await stat(folder)).uid === uid) return;
  for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), uid, gid);
  // Last: a change that was cut off is then made again.
  await chown(folder, uid, gid);
}
