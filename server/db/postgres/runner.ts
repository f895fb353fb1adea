import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { postgresUid } from '#server/lib/system-users.ts';

/** PostgreSQL refuses to run as root. This is as whom, and how, its programs are run instead. */
export interface Runner {
  description: string;
  /** What stands before the program. */
  prefix: string[];
  /** The user that the programs run as; absent: ours. */
  ids: Ids;
  /** `initdb` wants to know its user's name: as whom it runs where that user has none. */
  named?: Ids;
}

interface Ids {
  uid?: number;
  gid?: number;
}

interface Account {
  name: string;
  ids: { uid: number; gid: number };
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
  // Below a folder that only root may enter, such as /root: root by another name, in a user namespace.
  const namespace: Runner = {
    description: 'a user namespace',
    prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
    ids: {},
  };
  for (const runner of [...(await otherUsers(folder)), namespace]) {
    if (!(await giveTo(folder, runner.ids.uid ?? 0, runner.ids.gid ?? 0))) continue;
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

/**
 * Whoever owns the data already: one start by root must not take a database away from its user. Else a user that
 * nothing else on the machine runs as; `nobody`, whom other services may share, only where the system gives us no
 * other.
 */
async function otherUsers(folder: string): Promise<Runner[]> {
  const owner = (await stat(folder)).uid;
  const accounts = await readAccounts();
  const nobody = accounts.find(({ name }) => name === 'nobody');
  const account = accounts.find(({ ids }) => ids.uid === owner && owner !== 0 && owner !== nobody?.ids.uid);
  if (account) return [{ description: `the user ${account.name}`, prefix: [], ids: account.ids }];
  if (!nobody) return [];
  const own = { uid: postgresUid, gid: postgresUid };
  return [
    {
      description: 'a user of its own',
      prefix: [],
      ids: own,
      named: { uid: nobody.ids.uid, gid: own.gid },
    },
    { description: 'the user nobody', prefix: [], ids: nobody.ids },
  ];
}

async function readAccounts(): Promise<Account[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return [...passwd.matchAll(/^([^:\n]+):[^:\n]*:(\d+):(\d+):/gm)].map(([, name = '', uid, gid]) => ({
    name,
    ids: { uid: Number(uid), gid: Number(gid) },
  }));
}

/** Whether the programs start, and the data can be written. */
function canRun({ prefix, ids }: Runner, binaries: string, folder: string): boolean {
  const postgres = join(binaries, 'bin', 'postgres');
  const [first = '/bin/sh', ...rest] = [...prefix, '/bin/sh', '-c', '"$0" --version && test -w "$1"', postgres, folder];
  return spawnSync(first, rest, { cwd: '/', stdio: 'ignore', ...ids }).status === 0;
}

/**
 * Gives the folder with all that is in it away, and lets its new owner, and nobody else, through the one that it is in.
 * @returns whether there is such a user: in a user namespace, as of some containers, there may be root alone
 */
async function giveTo(folder: string, uid: number, gid: number): Promise<boolean> {
  if ((await stat(folder)).uid !== uid) {
    try {
      await chownAll(folder, uid, gid);
      // Last: a change that was cut off is then made again.
      await chown(folder, uid, gid);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EINVAL') return false;
      throw error;
    }
  }
  const above = dirname(folder);
  const { mode, uid: owner, gid: group } = await stat(above);
  if (uid === 0 || owner !== 0 || mode & 0o001 || (group === gid && mode & 0o010)) return true;
  await chown(above, owner, gid);
  await chmod(above, (mode & 0o700) | 0o010);
  return true;
}

/** Gives away what is in the folder. */
export async function chownAll(folder: string, uid: number, gid: number): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), uid, gid);
}
