import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { Database, Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import type { TestApp } from './app.ts';

/** Something of the app's that is stopped at a known point, until it is let go. */
export interface Hold {
  /** Resolves when the app has come to the point and waits there. */
  reached(): Promise<void>;
  release(): Promise<void>;
}

/** Stops whoever next reads or writes a table. */
export async function holdTable({ app }: TestApp, table: 'blocks' | 'chunks' | 'queries'): Promise<Hold> {
  const client = new pg.Client(app.db.connection);
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${pg.escapeIdentifier(table)} in access exclusive mode`);
  return {
    async reached() {
      const waiting = `select 1 from pg_locks where not granted and relation = $1::regclass
        and database = (select oid from pg_database where datname = current_database())`;
      while ((await client.query(waiting, [table])).rows.length === 0) await wait(5);
    },
    async release() {
      await client.query('rollback');
      await client.end();
    },
  };
}

/** A file store that gives no object until it is let go. */
export function holdReading<Files extends Pick<FileStore, 'get'>>(store: Files): Hold & { files: Files } {
  const [reached, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const files = {
    ...store,
    async get(key: string) {
      reached.resolve();
      await over.promise;
      return store.get(key);
    },
  };
  return { files, reached: () => reached.promise, release: async () => over.resolve() };
}

/** Longer than anybody takes to come so far on a busy machine. */
const waitedForMs = 60_000;

/**
 * Resolves when somebody waits for what the transaction holds.
 * @param holder another's process of the database, in place of the transaction's own
 * @returns the process that waits @throws where nobody does
 */
export async function waitedFor(tx: Tx, holder?: number): Promise<number> {
  const held = holder === undefined ? sql`pg_backend_pid()` : sql`${holder}::int`;
  const waiting = sql`select pid from pg_locks where not granted and ${held} = any (pg_blocking_pids(pid))`;
  const ends = performance.now() + waitedForMs;
  for (;;) {
    const [found] = (await tx.execute<{ pid: number }>(waiting)).rows;
    if (found) return found.pid;
    if (performance.now() > ends) throw new Error('nobody waits for the transaction');
    await wait(5);
  }
}

/** A transaction of a company that has taken a step, and stays until it is let go, or its test is over. */
export async function holdTransaction(
  db: Pick<Database, 'asCompany'>,
  companyId: string,
  step: (tx: Tx) => Promise<unknown>,
): Promise<{ tx: Tx; release(): Promise<void> }> {
  const [begun, over] = [Promise.withResolvers<Tx>(), Promise.withResolvers<void>()];
  const ended = db.asCompany(companyId, async (tx) => {
    await step(tx);
    begun.resolve(tx);
    await over.promise;
  });
  ended.catch(begun.reject);
  // Or an app that is closed would wait for it.
  onTestFinished(() => over.resolve());
  return {
    tx: await begun.promise,
    release() {
      over.resolve();
      return ended;
    },
  };
}

/**
 * What comes of a change that begins when a transaction of its company has taken a step, and waits for it before the
 * next: `done`, or what was thrown.
 */
export async function meanwhile(
  db: Pick<Database, 'asCompany'>,
  companyId: string,
  change: () => Promise<unknown>,
  [first, next]: [first: (tx: Tx) => Promise<unknown>, next: (tx: Tx) => Promise<unknown>],
): Promise<unknown> {
  const begun = await db.asCompany(companyId, async (tx) => {
    await first(tx);
    const outcome = change().then(
      () => 'done',
      (error: unknown) => error,
    );
    await waitedFor(tx);
    await next(tx);
    // In an object, or the transaction would wait for it.
    return { outcome };
  });
  return begun.outcome;
}

/** Breaks the connection on which the app hears of what others change; it opens another one. */
export async function breakListening(db: Pick<Database, 'asSystem'>): Promise<void> {
  await db.asSystem((tx) =>
    tx.execute(sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and query like 'listen %'`),
  );
}

/**
 * Stops the parser process that the app keeps ready for the next PDF, or for the next file that is none. Of several
 * apps in this process it is the one that has started a parser last.
 */
export async function holdParser(
  kind: 'pdf' | 'office' = 'office',
): Promise<Pick<Hold, 'release'> & { pid: number; taken(): Promise<void> }> {
  let pid: number | undefined;
  // One is started as soon as the last was taken, which takes a moment. Of several it is the last: those before it have
  // been given a document, or are just ending.
  while (pid === undefined) {
    pid = readyParsers(kind).findLast(({ stopped }) => !stopped)?.pid;
    if (pid === undefined) await wait(5);
  }
  const held = pid;
  process.kill(held, 'SIGSTOP');
  // On a busy machine it takes a while to stop: until then it would be taken for the next one that is ready.
  while (readyParsers(kind).some((each) => each.pid === held && !each.stopped)) await wait(5);
  const before = new Set(readyParsers(kind).map((each) => each.pid));
  return {
    pid: held,
    /** Resolves when it has been given a file: then another one is made ready. */
    async taken() {
      while (readyParsers(kind).every((each) => before.has(each.pid))) await wait(5);
    },
    async release() {
      if (readyParsers(kind).some((each) => each.pid === held)) process.kill(held, 'SIGCONT');
    },
  };
}

interface Parser {
  pid: number;
  kind: string;
  /** The folder of its app's parsers. */
  folder: string;
  stopped: boolean;
  /** In hundredths of a second since the machine was started: numbers of processes begin again at some time. */
  startedAt: number;
}

/** Parsers that can be given a document, in the order of their starts, of the app that has started one last. */
function readyParsers(kind: 'pdf' | 'office'): Parser[] {
  const all = parsersOfThisProcess().toSorted((one, other) => one.startedAt - other.startedAt);
  const folder = all.at(-1)?.folder;
  return all.filter((each) => each.kind === kind && each.folder === folder);
}

/** One that is killed before it is given a document is no fault of the document. */
function parsersOfThisProcess(): Parser[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  const processes = lines.map((line) => {
    const [, pid, parent, state = '', args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), parent: Number(parent), state, args };
  });
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  // What starts a parser stays between it and us.
  const isOurs = (pid: number | undefined): boolean =>
    pid === process.pid || (pid !== undefined && pid > 1 && isOurs(parents.get(pid)));
  return processes.flatMap(({ pid, state, args }) => {
    const [, kind = '', folder = ''] = /^footnote-parser (\S+) (.+)\/\d+$/.exec(args) ?? [];
    const startedAt = startOf(pid);
    if (kind === '' || startedAt === null || state.startsWith('Z') || !isOurs(pid)) return [];
    return [{ pid, kind, folder, stopped: state.startsWith('T'), startedAt }];
  });
}

/** When a process was started (proc(5), field 22); null: it has ended. */
function startOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    // Where the system does not tell, its number has to do.
    return existsSync('/proc/self') ? null : pid;
  }
}
