import { once } from 'node:events';
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CannotStart } from './cannot-start.ts';
import { chownAll, type Runner, spawnAs } from './runner.ts';
import { environment, superuser } from './server.ts';

/**
 * Makes a cluster. It is made beside its place and then renamed: a first start that was cut off leaves nothing that
 * looks like a database.
 * @param data where it is to be, in `folder`
 * @throws CannotStart where it can't be made
 */
export async function createCluster(binaries: string, runner: Runner, folder: string, data: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    if (entry.startsWith('pg.new')) await rm(join(folder, entry), { recursive: true, force: true, maxRetries: 5 });
  }
  // A name of its own: what a killed first start has begun may still be busy with the last one.
  const unfinished = join(folder, `pg.new-${process.pid}`);
  const { ids, named = ids } = runner;
  await mkdir(unfinished, { mode: 0o700 });
  if (named.uid !== undefined && named.gid !== undefined) await chown(unfinished, named.uid, named.gid);
  // Whoever makes it for another user gets through by the group, which is that user's alone.
  if (named !== ids) await chmod(folder, 0o710);
  // PostgreSQL's own collation: an index stays right when the libraries of the system change.
  const locale = ['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const initdb = spawnAs(
    { ...runner, ids: named },
    // Nobody gets in by what `initdb` writes: every start of the server writes down who may (server.ts).
    [
      join(binaries, 'bin', 'initdb'),
      '-D',
      unfinished,
      '-U',
      superuser,
      '-A',
      'reject',
      '--no-instructions',
      ...locale,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: environment() },
  );
  const said: string[] = [];
  initdb.stdout?.on('data', (text) => said.push(String(text)));
  initdb.stderr?.on('data', (text) => said.push(String(text)));
  const [code] = await once(initdb, 'close');
  if (code !== 0) throw unmade(folder, said.join('').trim());
  if (named !== ids && ids.uid !== undefined && ids.gid !== undefined) {
    await chownAll(unfinished, ids.uid, ids.gid);
    await chown(unfinished, ids.uid, ids.gid);
    await chmod(folder, 0o700);
  }
  await rename(unfinished, data);
  await syncFolder(folder);
}

/**
 * The major version of PostgreSQL that made the data.
 * @returns null where there is no such folder
 * @throws CannotStart where it holds something else
 */
export async function majorOf(data: string): Promise<number | null> {
  if (!(await exists(data))) return null;
  const found = Number.parseInt(await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => ''), 10);
  if (found > 0) return found;
  throw new CannotStart(`${data} is not a database. Please move it away, or restore it from a backup.`);
}

/** @throws CannotStart where the data is of a later PostgreSQL than this version's */
export function refuseNewer(data: string, found: number, major: number): void {
  if (found <= major) return;
  throw new CannotStart(
    `${data} was made by PostgreSQL ${found}, which came with a newer version of Footnote, and this version, with ${major}, can not read it. Start that version, or a newer one.`,
  );
}

function unmade(folder: string, said: string): CannotStart {
  if (/No space left on device|Disk quota exceeded/i.test(said)) {
    return new CannotStart(`The disk is full: there is no room for the database in ${folder}. It needs about 100 MB.`);
  }
  if (/could not look up effective user ID/.test(said)) {
    return new CannotStart(
      `PostgreSQL does not run as user ${process.getuid?.()}, who is not in /etc/passwd. Start Footnote as another user, ` +
        'or set DATABASE_URL.',
    );
  }
  return new CannotStart(`The database can't be made in ${folder}:\n${said}`);
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Has what was renamed in it outlive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
