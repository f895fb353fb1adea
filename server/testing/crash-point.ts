/**
 * Loaded into a server before its own code (`node --import`): kills the process where it is told over its IPC channel,
 * or by `CRASH_AT` for what happens before it listens. What a crash interrupts is named by the statement that the
 * server is about to send, or by the file that it is about to name, so the product knows nothing of it.
 */
import fs, { readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';

export interface CrashPoint {
  /** A regular expression that finds the statement. */
  statement: string;
  /** Which one of those; 1 is the next. */
  nth?: number;
  /**
   * `before` it is sent; when its transaction is `committed`, before anybody is told; at the first new file in the
   * search store after it (`search-write`).
   */
  when: 'before' | 'committed' | 'search-write';
}

/** Something is renamed or removed whose new name, or name, ends so. */
export interface FileCrashPoint {
  renamedTo?: string;
  removed?: string;
  when: 'before' | 'after';
}

let armed: CrashPoint | undefined;
let seen = 0;
const atStart: CrashPoint | FileCrashPoint = JSON.parse(process.env.CRASH_AT ?? '{}');
if ('statement' in atStart) armed = atStart;
else {
  dieAround('rename', atStart.when, (_from, to) => atStart.renamedTo !== undefined && to.endsWith(atStart.renamedTo));
  dieAround('rm', atStart.when, (path) => atStart.removed !== undefined && path.endsWith(atStart.removed));
}
const committing = new WeakSet<pg.Client>();

process.on('message', (point: CrashPoint) => {
  armed = point;
  seen = 0;
  process.send?.('armed');
});
// The channel alone must not keep the process alive.
process.channel?.unref();

const query: (...args: unknown[]) => unknown = pg.Client.prototype.query;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    const text = textOf(args[0]);
    if (armed && new RegExp(armed.statement, 'i').test(text) && ++seen === (armed.nth ?? 1)) {
      if (armed.when === 'before') die();
      if (armed.when === 'committed') committing.add(this);
      if (armed.when === 'search-write') dieAtNextFile(join(process.env.DATA_DIR ?? '', 'search'));
    }
    const result = query.apply(this, args);
    if (/^commit/i.test(text) && committing.has(this) && result instanceof Promise) return result.then(die);
    return result;
  },
});

function textOf(config: unknown): string {
  if (typeof config === 'string') return config;
  return config instanceof Object && 'text' in config ? String(config.text) : '';
}

function dieAround(
  name: 'rename' | 'rm',
  when: FileCrashPoint['when'],
  isMeant: (first: string, second: string) => boolean,
): void {
  const change: (...args: unknown[]) => Promise<void> = fs.promises[name] as never;
  Object.assign(fs.promises, {
    async [name](...args: unknown[]) {
      const isIt = isMeant(String(args[0]), String(args[1]));
      if (isIt && when === 'before') die();
      await change.apply(fs.promises, args);
      if (isIt) die();
    },
  });
  syncBuiltinESMExports();
}

/** The search engine writes in threads of its own, so the loop is free to look. */
function dieAtNextFile(folder: string): void {
  const files = () => readdirSync(folder, { recursive: true }).map(String);
  const before = new Set(files());
  const look = () => {
    if (files().some((name) => !before.has(name))) die();
    setImmediate(look);
  };
  look();
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal ends the process before this is reached.
  throw new Error('killed');
}
