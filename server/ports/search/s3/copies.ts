import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { connect, type Session, type Table } from '@lancedb/lancedb';
import type { Listed, Objects } from './objects.ts';

/** A copy of one table on the disk of this machine. */
interface Copy {
  /** Its own: one that is made while another of the same name goes is not touched by that. */
  readonly folder: string;
  /** Of the table as the copy has it; -1: none yet. */
  version: number;
  bytes: number;
  files: ReadonlySet<string>;
  /** Null where there is none: it would take too much room. */
  table: Table | null;
  /** Searches that are under way on it. */
  readonly running: Set<Promise<unknown>>;
  bringing: Promise<void> | null;
  /** It makes room, or is no longer to be read. */
  isLeaving: boolean;
}

const isVersion = /^\d{20}\.manifest$/;
/** What nobody reads to answer: how versions came about. */
const isHistory = /\/_transactions\//;

/**
 * Copies of tables that lie in a store, for searches to read: what a table consists of never changes, so that a copy is
 * brought up to date by the files that are new, and a search of one that is takes no request. The ones not used for
 * longest make room.
 */
export class Copies {
  readonly #objects: Objects;
  readonly #session: Session;
  readonly #root: string;
  readonly #limitBytes: number;
  /** By name, with the folder of the store that the table is in; those used last are last. */
  readonly #copies = new Map<string, Copy>();
  readonly #leaving = new Set<Promise<void>>();

  /**
   * @param root a folder that this process has for itself
   * @param limitBytes what all copies may take together; one that is larger by itself is not made
   */
  constructor(objects: Objects, { session, root, limitBytes }: { session: Session; root: string; limitBytes: number }) {
    this.#objects = objects;
    this.#session = session;
    this.#root = root;
    this.#limitBytes = limitBytes;
  }

  /** Runs work on a copy of the table that is this version or newer; null where there is no room for one. */
  async use<T>(name: string, version: number, work: (table: Table) => Promise<T>): Promise<{ done: T } | null> {
    const copy = this.#copies.get(name) ?? nothingYet(join(this.#root, randomUUID()));
    this.#copies.delete(name);
    this.#copies.set(name, copy);
    while (copy.version < version) {
      copy.bringing ??= this.#bring(name, copy, version).finally(() => {
        copy.bringing = null;
        // Those that were being brought at the same time could not make room.
        this.#makeRoom(name);
      });
      await copy.bringing;
    }
    if (copy.isLeaving) return this.use(name, version, work);
    if (!copy.table) return null;
    const running = work(copy.table);
    copy.running.add(running);
    try {
      return { done: await running };
    } finally {
      copy.running.delete(running);
    }
  }

  /** Removes copies whose name begins so, but for one; what is still read of them ends first. */
  async forget(start: string, except?: string): Promise<void> {
    const gone = [...this.#copies].filter(([name]) => name.startsWith(start) && name !== except);
    for (const [name, copy] of gone) this.#leave(name, copy);
    await this.close();
  }

  /** Waits for those that are leaving. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#leaving]);
  }

  async #bring(name: string, copy: Copy, version: number): Promise<void> {
    const folder = `${name}.lance/`;
    // First: what this version consists of is there before it is.
    const newest = (await this.#objects.list(`${folder}_versions/`))
      .filter(({ key }) => isVersion.test(key.slice(key.lastIndexOf('/') + 1)))
      // They count down.
      .reduce<Listed | null>((best, each) => (best && best.key < each.key ? best : each), null);
    if (!newest) throw new TableGone(name);
    const parts = (await this.#objects.list(folder)).filter(
      ({ key }) => !key.startsWith(`${folder}_versions/`) && !isHistory.test(key),
    );
    const all = [...parts, newest];
    const bytes = all.reduce((sum, { size }) => sum + size, 0);
    if (bytes > this.#limitBytes) {
      await clear(copy);
      Object.assign(copy, { version, bytes: 0, files: new Set() });
      return;
    }
    copy.bytes = Math.max(copy.bytes, bytes);
    this.#makeRoom(name);
    const isNew = ({ key }: Listed) => !copy.files.has(key);
    await this.#objects.fetch(
      parts.filter(isNew).map(({ key }) => key),
      copy.folder,
    );
    // Last: it names the others.
    if (isNew(newest)) await this.#objects.fetch([newest.key], copy.folder);
    if (copy.table) await copy.table.checkoutLatest();
    else copy.table = await openIn(copy.folder, name, this.#session);
    const before = copy.files;
    const files = new Set(all.map(({ key }) => key));
    Object.assign(copy, { version, bytes, files });
    await ended(copy.running);
    await removeFiles(
      copy.folder,
      [...before].filter((key) => !files.has(key)),
    );
  }

  #makeRoom(name: string): void {
    let taken = [...this.#copies.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [other, copy] of [...this.#copies]) {
      if (taken <= this.#limitBytes) return;
      if (other === name || copy.bytes === 0 || copy.bringing) continue;
      taken -= copy.bytes;
      this.#leave(other, copy);
    }
  }

  /** Not waited for by those who need room: of two who make room for each other neither would go on. */
  #leave(name: string, copy: Copy): void {
    copy.isLeaving = true;
    this.#copies.delete(name);
    const leaving = (copy.bringing ?? Promise.resolve())
      .catch(() => {})
      .then(() => clear(copy))
      .catch(() => {})
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }
}

async function openIn(folder: string, name: string, session: Session): Promise<Table> {
  const connection = await connect(join(folder, dirname(name)), { session });
  try {
    return await connection.openTable(basename(name));
  } finally {
    connection.close();
  }
}

/** A table that is not in the store, or no longer. */
export class TableGone extends Error {
  constructor(name: string) {
    super(`the search table ${name} is not in the store`);
    this.name = 'TableGone';
  }
}

function nothingYet(folder: string): Copy {
  const empty = { version: -1, bytes: 0, files: new Set<string>(), table: null };
  return { folder, ...empty, running: new Set(), bringing: null, isLeaving: false };
}

/** Removes its files once nothing reads them. */
async function clear(copy: Copy): Promise<void> {
  const { table } = copy;
  copy.table = null;
  await ended(copy.running);
  table?.close();
  await rm(copy.folder, { recursive: true, force: true });
}

async function ended(running: ReadonlySet<Promise<unknown>>): Promise<void> {
  await Promise.allSettled([...running]);
}

async function removeFiles(root: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) await rm(join(root, key), { force: true });
}
