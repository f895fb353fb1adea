import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, connect, type Table } from '@lancedb/lancedb';
import type { Table as ArrowTable, Schema } from 'apache-arrow';
import { LRUCache } from 'lru-cache';
import { joined } from './arrow-table.ts';
import { checkedId, readAgain, retried } from './lance-rows.ts';
import { mergeInto, type Tables, type Upsert } from './tables.ts';

/** Of a table's folder. */
const ending = '.lance';
/** Below a table's folder: what holds text, or is made of it. */
const textFolders = ['data', '_indices'];
/** Below the folder of the tables: where new ones are made. */
const makingFolder = '.making';
/** What is older was left by a killed process. */
const makingMs = 60 * 60_000;

/** The tables of one folder, one a company, some of them kept open. */
export class LanceTables implements Tables {
  readonly #connection: Connection;
  readonly #root: string;
  readonly #prepare: (table: Table) => Promise<void>;
  /** One that makes room is not closed: a search may still be using it, and it ends with its last user. */
  readonly #open: LRUCache<string, Table>;

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
    const folder = join(this.#root, `${checkedId(companyId)}${ending}`);
    return (await stat(folder).catch(() => null)) !== null;
  }

  async companies(): Promise<Set<string>> {
    const entries = await readdir(this.#root).catch(() => []);
    return new Set(entries.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length)));
  }

  async #table(companyId: string): Promise<Table | null> {
    const name = checkedId(companyId);
    const known = this.#open.get(name);
    if (known) return known;
    const table = await this.#connection.openTable(name).catch((error: unknown) => {
      if (/not found/i.test(String(error))) return null;
      throw error;
    });
    return table && this.#keep(name, table);
  }

  /**
   * Makes the table, or opens it. It is made apart, with its indexes, and moved in as a whole: of two that the engine
   * creates at once in one place, the later writes over the rows of the earlier.
   */
  async #make(companyId: string, schema: Schema): Promise<Table> {
    const known = await this.#table(companyId);
    if (known) return known;
    const name = checkedId(companyId);
    const apart = await this.#newFolder();
    try {
      const connection = await connect(apart);
      await this.#prepare(await connection.createEmptyTable(name, schema));
      connection.close();
      await rename(join(apart, `${name}${ending}`), join(this.#root, `${name}${ending}`)).catch(unlessTaken);
    } finally {
      await rm(apart, { recursive: true, force: true });
    }
    const made = await this.#table(companyId);
    if (!made) throw new Error('the search table was dropped while it was made');
    return made;
  }

  /** All pages are in memory at once: the engine puts rows in the place of others in one piece only. */
  async rewrite(companyId: string, schema: Schema, pages: AsyncIterable<ArrowTable>): Promise<void> {
    const all: ArrowTable[] = [];
    for await (const page of pages) all.push(page);
    const rows = joined(schema, all);
    const name = checkedId(companyId);
    const before = await this.#files(name);
    const options = { mode: 'overwrite', existOk: true } as const;
    const table = await this.#keep(
      name,
      rows.numRows > 0
        ? await this.#connection.createTable(name, rows, options)
        : await this.#connection.createEmptyTable(name, schema, options),
    );
    // What the table was before goes with this; compacting would keep the removed text.
    await retried(() => table.optimize({ cleanupOlderThan: new Date() }));
    // The engine spares files that no version names: it can't tell those of a killed writer from those being written.
    for (const path of before) await rm(path, { force: true });
  }

  async drop(companyId: string): Promise<void> {
    const name = checkedId(companyId);
    this.#open.delete(name);
    const names = await this.#connection.tableNames({ startAfter: '', limit: 1_000_000 });
    if (names.includes(name)) await this.#connection.dropTable(name);
    // What a writer has left that was killed as it made the table.
    await rm(join(this.#root, `${name}${ending}`), { recursive: true, force: true });
  }

  async #newFolder(): Promise<string> {
    const making = join(this.#root, makingFolder);
    await mkdir(making, { recursive: true });
    for (const left of await readdir(making)) {
      const path = join(making, left);
      const facts = await stat(path).catch(() => null);
      if (facts && facts.mtimeMs < Date.now() - makingMs) await rm(path, { recursive: true, force: true });
    }
    return mkdtemp(join(making, 'table-'));
  }

  async #keep(name: string, table: Table): Promise<Table> {
    await this.#prepare(table);
    this.#open.set(name, table);
    return table;
  }

  async #files(name: string): Promise<string[]> {
    const folder = join(this.#root, `${name}${ending}`);
    const found: string[] = [];
    for (const part of textFolders) {
      const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true }).catch(() => []);
      for (const entry of entries) if (entry.isFile()) found.push(join(entry.parentPath, entry.name));
    }
    return found;
  }
}

/** Somebody else's was there first. */
function unlessTaken(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}
