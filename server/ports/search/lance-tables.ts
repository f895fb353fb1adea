import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, connect, Session, type Table } from '@lancedb/lancedb';
import type { Table as ArrowTable, Schema } from 'apache-arrow';
import { LRUCache } from 'lru-cache';
import { checkedId, readAgain, retried } from './lance-rows.ts';
import { mergeInto, type Tables, type Upsert } from './tables.ts';

/** Of a table's folder. */
const ending = '.lance';
/** A company's id, and how often its table was made anew. */
const isTable = /^([0-9a-f-]{36})(?:\.(\d+))?\.lance$/;
/** Below the folder of the tables: what is being made, and what goes. */
const asideFolder = '.making';
/** What is older was left by a killed process. */
const asideMs = 24 * 60 * 60_000;
/** What the engine may keep in memory of indexes, and of the rest, while it makes a table: nobody reads it yet. */
const makingMemory = [64n << 20n, 16n << 20n] as const;

/**
 * The tables of one folder, one a company, some of them kept open. A table that is made anew gets another name, as
 * readers must see all rows of before until they see all new ones: the highest number is the one that counts.
 */
export class LanceTables implements Tables {
  readonly #connection: Connection;
  readonly #root: string;
  readonly #prepare: (table: Table) => Promise<void>;
  /** One that makes room is not closed: a search may still be using it, and it ends with its last user. */
  readonly #open: LRUCache<string, Named>;

  /**
   * @param limit tables kept open; the one not used for longest makes room
   * @param prepare what a table needs before it is used, repeatable
   */
  constructor(
    connection: Connection,
    { root, limit, prepare }: { root: string; limit: number; prepare: (table: Table) => Promise<void> },
  ) {
    this.#connection = connection;
    this.#root = root;
    this.#open = new LRUCache({ max: limit });
    this.#prepare = prepare;
  }

  read<T>(companyId: string, work: (table: Table) => Promise<T>): Promise<T | null> {
    return readAgain(async () => {
      const table = await this.#table(companyId);
      return table && (await work(table));
    });
  }

  look<T>(companyId: string, work: (table: Table) => Promise<T>): Promise<T | null> {
    return this.read(companyId, work);
  }

  async upsert(companyId: string, { schema, key, pages, check }: Upsert): Promise<void> {
    const table = await this.#make(companyId, schema);
    await check?.(table);
    await retried(async () => {
      for await (const rows of pages()) await mergeInto(table, key, rows);
    });
  }

  async write(companyId: string, work: (table: Table) => Promise<unknown>): Promise<void> {
    const table = await this.#table(companyId);
    if (table) await retried(() => work(table));
  }

  async has(companyId: string): Promise<boolean> {
    return (await this.#names(checkedId(companyId))).length > 0;
  }

  async companies(): Promise<Set<string>> {
    const entries = await readdir(this.#root).catch(() => []);
    return new Set(entries.flatMap((entry) => isTable.exec(entry)?.[1] ?? []));
  }

  async #table(companyId: string): Promise<Table | null> {
    const id = checkedId(companyId);
    const known = this.#open.get(id);
    // Another process may have made it anew.
    if (known && known.folder === (await this.#identity(known.name))) return known.table;
    this.#open.delete(id);
    for (let missed: string | undefined; ; ) {
      const name = (await this.#names(id)).at(-1);
      const folder = name && (await this.#identity(name));
      // Of one that is there and can't be found the engine knows nothing; another was made anew meanwhile.
      if (name === undefined || name === missed) return null;
      const table = await this.#connection.openTable(name).catch((error: unknown) => {
        if (/not found/i.test(String(error))) return null;
        throw error;
      });
      if (table) {
        await this.#prepare(table);
        this.#open.set(id, { name, table, folder });
        return table;
      }
      missed = name;
    }
  }

  /**
   * Makes the table, or opens it. It is made apart, with its indexes, and moved in as a whole: of two that the engine
   * creates at once in one place, the later writes over the rows of the earlier.
   */
  async #make(companyId: string, schema: Schema): Promise<Table> {
    const known = await this.#table(companyId);
    if (known) return known;
    const id = checkedId(companyId);
    await this.#moveIn(id, id, schema, nothing()).catch(unlessTaken);
    const made = await this.#table(companyId);
    if (!made) throw new Error('the search table was dropped while it was made');
    return made;
  }

  async rewrite(companyId: string, schema: Schema, pages: AsyncIterable<ArrowTable>): Promise<void> {
    const id = checkedId(companyId);
    await this.#removeLeft(id);
    const before = await this.#names(id);
    const name = before.length === 0 ? id : `${id}.${numberOf(before.at(-1)) + 1}`;
    await this.#moveIn(id, name, schema, pages);
    this.#open.delete(id);
    for (const each of before) await this.#remove(id, each);
  }

  async drop(companyId: string): Promise<void> {
    const id = checkedId(companyId);
    this.#open.delete(id);
    for (const name of await this.#names(id)) await this.#remove(id, name);
    await this.#removeLeft(id);
  }

  /**
   * Makes a table with these rows where nobody looks for one, and moves it in; rejects where one of this name is there.
   */
  async #moveIn(id: string, name: string, schema: Schema, pages: AsyncIterable<ArrowTable>): Promise<void> {
    const apart = await this.#aside(id);
    const connection = await connect(apart, { session: new Session(...makingMemory) });
    try {
      const table = await connection.createEmptyTable(name, schema);
      let hasRows = false;
      for await (const page of pages) {
        await table.add(page);
        hasRows = true;
      }
      // Pages are as many files, and versions.
      if (hasRows) await table.optimize({ cleanupOlderThan: new Date() });
      await this.#prepare(table);
      table.close();
      await rename(join(apart, `${name}${ending}`), this.#folder(name));
    } finally {
      connection.close();
      await rm(apart, { recursive: true, force: true });
    }
  }

  /** At once for those who look for it, whatever it takes to remove its files. */
  async #remove(id: string, name: string): Promise<void> {
    const going = await this.#aside(id);
    await rename(this.#folder(name), join(going, name)).catch(unlessGone);
    await rm(going, { recursive: true, force: true });
  }

  /** What a killed process was making or removing of the company: it has text. Nobody else may be at it. */
  async #removeLeft(id: string): Promise<void> {
    const aside = join(this.#root, asideFolder);
    for (const left of await readdir(aside).catch(() => []))
      if (left.startsWith(id)) await rm(join(aside, left), { recursive: true, force: true });
  }

  /** A new folder for something of the company's. */
  async #aside(id: string): Promise<string> {
    const aside = join(this.#root, asideFolder);
    await mkdir(aside, { recursive: true });
    for (const left of await readdir(aside)) {
      const path = join(aside, left);
      const facts = await stat(path).catch(() => null);
      if (facts && facts.mtimeMs < Date.now() - asideMs) await rm(path, { recursive: true, force: true });
    }
    return mkdtemp(join(aside, `${id}-`));
  }

  #folder(name: string): string {
    return join(this.#root, `${name}${ending}`);
  }

  /** Another folder that has the same name is another one. */
  async #identity(name: string): Promise<string | undefined> {
    const facts = await stat(this.#folder(name)).catch(() => undefined);
    return facts && `${facts.ino} ${facts.birthtimeMs}`;
  }

  /** Of the company's tables: one, and for a moment or after a kill one more, the newest last. */
  async #names(id: string): Promise<string[]> {
    const look = async () => {
      const entries = await readdir(this.#root).catch(() => []);
      return entries.filter((entry) => isTable.exec(entry)?.[1] === id).map((entry) => entry.slice(0, -ending.length));
    };
    const seen = await look();
    // A large folder is read in parts: one name may have come behind, and the other gone before it was reached.
    const names = seen.length > 0 ? seen : await look();
    return names.sort((a, b) => numberOf(a) - numberOf(b));
  }
}

interface Named {
  name: string;
  table: Table;
  folder: string | undefined;
}

/** How often it was made anew. */
function numberOf(name: string | undefined): number {
  return Number(name?.split('.')[1] ?? 0);
}

async function* nothing(): AsyncGenerator<never> {}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Somebody else's was there first. */
function unlessTaken(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}
