import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freeBytesAt } from '#server/lib/disk.ts';
import { findPreviousBinaries } from './binaries.ts';
import { CannotStart } from './cannot-start.ts';
import { createCluster, exists, majorOf, refuseNewer, syncFolder } from './cluster.ts';
import { type Login, loginStatements, prepareLogin } from './login.ts';
import type { Runner } from './runner.ts';
import { endServer, type ServerOptions, startServer, superuser } from './server.ts';

/**
 * Makes in a database that has nothing what another one holds, and looks whether all is there.
 * @param from the older one; both are reached as superuser, and nobody else can reach them
 * @param told.owner whom what is made belongs to
 */
export type BringOver = (from: pg.Client, to: pg.Client, told: { owner: string; say: Say }) => Promise<void>;

/** Tells whoever waits how far it is, in a line of words. */
export type Say = (line: string) => void;

export interface Upgrade {
  folder: string;
  /** Of the server that is to run on the data. */
  options: ServerOptions;
  /** Major versions. */
  from: number;
  to: number;
  bringOver: BringOver | undefined;
  say: Say;
  prepare(shipped: string, folder: string, name: string): Promise<{ binaries: string; runner: Runner }>;
  /** One that is not there yet. */
  socketFolder(): string;
}

const copiedBinaries = 'previous';
/** What a new cluster holds before anything is in it, with what it writes ahead: measured, and rounded up. */
const emptyBytes = 150e6;
/** Indexes that are filled row by row may come out larger than what they are made from. */
const growth = 1.2;
/** What PostgreSQL writes at once, where it fails for want of room. */
const fullBelowBytes = 32e6;

/** The data, and what else an upgrade keeps beside it: at each moment one of them holds everything. */
export function foldersIn(folder: string) {
  return {
    data: join(folder, 'pg'),
    /** What is being made; whole only while `data` is not there. */
    upgraded: join(folder, 'pg.upgraded'),
    /** The older data, until the service has run on the newer. */
    before: join(folder, 'pg.before-upgrade'),
    /** The same, when it is no longer needed. */
    leaving: join(folder, 'pg.leaving'),
  };
}

/**
 * Ends what an upgrade left that was cut off: what was whole is put in place, what was not is removed.
 * @param major version of the server that is to run on the data
 * @throws CannotStart where a newer version has to do that
 */
export async function settleUpgrade(folder: string, major: number): Promise<void> {
  const { data, upgraded, before, leaving } = foldersIn(folder);
  await remove(leaving);
  if ((await exists(data)) || !(await exists(before))) return remove(upgraded);
  // Cut off after the older data was put aside: the newer is whole. Without it somebody has taken it away, to go back.
  const whole = (await exists(upgraded)) ? upgraded : before;
  refuseNewer(whole, (await majorOf(whole)) ?? 0, major);
  await rename(whole, data);
  await syncFolder(folder);
}

/**
 * Makes the data anew for a later PostgreSQL, with the server that made it, which reads it, and the one that is to run
 * on it. The older data stays as it is, and is kept beside the newer until `removeOlderData`.
 * @throws CannotStart where that can't be; nothing has changed then
 */
export async function upgradeCluster(upgrade: Upgrade): Promise<void> {
  const { folder, options, from, to, bringOver, say, prepare, socketFolder } = upgrade;
  const { data, upgraded, before } = foldersIn(folder);
  if (!bringOver)
    throw new CannotStart(
      `${data} was made by PostgreSQL ${from}, and this version comes with ${to}. Start Footnote first, which brings it over.`,
    );
  if (await exists(before))
    throw new CannotStart(
      `${data} is to be brought from PostgreSQL ${from} to ${to}, and ${before} of an earlier time is in the way. Please move one of them away.`,
    );
  const previous = await findPreviousBinaries();
  if (previous?.major !== from)
    throw new CannotStart(
      `${data} was made by PostgreSQL ${from}, which this version, with ${to}, can not bring over. Start the version that it was made with, make a backup (npm run backup), and restore that with this version into an empty DATA_DIR (npm run restore).`,
    );
  const bytes = await requireRoom(folder, data, to);
  say(
    `The database is brought from PostgreSQL ${from} to ${to} (${toMb(bytes)} MB). This is done once; if it is cut off, the next start does it.`,
  );
  const { binaries, runner } = await prepare(previous.folder, folder, copiedBinaries);
  const log = join(folder, `${copiedBinaries}.log`);
  const older = { ...options, binaries, runner, sockets: socketFolder(), log };
  const newer = { ...options, data: upgraded, sockets: socketFolder() };
  try {
    const login = await prepareLogin(older, folder);
    await createCluster(options.binaries, options.runner, folder, upgraded);
    await bringOverBetween(older, newer, login, (...clients) => bringOver(...clients, { owner: login.user, say }));
  } catch (error) {
    const told = await explain(error, upgrade);
    await remove(upgraded);
    throw told;
  }
  await rename(data, before);
  await rename(upgraded, data);
  await syncFolder(folder);
  say('The database is brought over. The older one is kept until Footnote has started on it.');
}

/** Removes what an upgrade has kept, after the service has run on what it made. @returns whether there was something */
export async function removeOlderData(dataDir: string): Promise<boolean> {
  const folder = join(dataDir, 'postgres');
  const { before, leaving } = foldersIn(folder);
  if (!(await exists(before))) return false;
  // What is half removed must not look like data to go back to.
  await rename(before, leaving);
  await remove(leaving);
  for (const name of await readdir(folder)) if (name.startsWith(copiedBinaries)) await remove(join(folder, name));
  return true;
}

/** Both servers run for this alone, and let in the superuser alone. */
async function bringOverBetween(
  older: ServerOptions,
  newer: ServerOptions,
  login: Login,
  work: (from: pg.Client, to: pg.Client) => Promise<void>,
): Promise<void> {
  await asSuperuser(older, (from) =>
    asSuperuser(newer, async (to) => {
      for (const statement of loginStatements(login)) await to.query(statement);
      await work(from, to);
      // All of it is on the disk before it is put in the place of the other.
      await to.query('checkpoint');
    }),
  );
}

async function asSuperuser(options: ServerOptions, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const server = await startServer(options, null);
  try {
    const client = new pg.Client({ host: options.sockets, user: superuser, database: 'postgres' });
    // A server that ends in between fails the next statement.
    client.on('error', () => {});
    await client.connect();
    await work(client).finally(() => client.end());
  } finally {
    await endServer(server);
  }
}

/** @returns of the older data, without what it wrote ahead. @throws CannotStart */
async function requireRoom(folder: string, data: string, to: number): Promise<number> {
  const bytes = await bytesIn(join(data, 'base'));
  const needed = bytes * growth + emptyBytes;
  const free = await freeBytesAt(folder);
  if (free < needed)
    throw new CannotStart(
      `To bring the database to PostgreSQL ${to} takes ${toMb(needed)} MB beside it in ${folder}, and ${toMb(free)} MB are free. Make room there, or move DATA_DIR to a larger disk.`,
    );
  return bytes;
}

async function explain(cause: unknown, { folder, from, to }: Upgrade): Promise<unknown> {
  if (cause instanceof CannotStart) return cause;
  // A server that can't write ahead ends, and says nothing to who works with it.
  if ((await freeBytesAt(folder)) > fullBelowBytes)
    return new CannotStart(
      `The database could not be brought from PostgreSQL ${from} to ${to}, and nothing is changed. Start again, or the version before. What failed: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  return new CannotStart(
    `The disk became full while the database was brought to PostgreSQL ${to}. Nothing is changed. Make room in ${folder}, or move DATA_DIR to a larger disk.`,
    { cause },
  );
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

function toMb(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
