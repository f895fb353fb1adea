import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, connect, type Table } from '@lancedb/lancedb';
import type { Table as ArrowTable, Schema } from 'apache-arrow';
import { LRUCache } from 'lru-cache';
import { checkedId, retried } from './lance-rows.ts';

/** Of a table's folder. */
export const ending = '.lance';
/** Below a table's folder: what holds text, or is made of it. */
const textFolders = ['data', '_indices'];
/** Below the folder of the tables: where new ones are made. */
const makingFolder = '.making';
/** What is older was left by a killed process. */
const makingMs = 60 * 60_000;

/** The tables of one folder, one a company, some of them kept open. */
export class LanceTables {
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

  async open(companyId: string): Promise<Table | null> {
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
  async make(companyId: string, schema: Schema): Promise<Table> {
    const known = await this.open(companyId);
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
    const made = await this.open(companyId);
    if (!made) throw new Error('the search table was dropped while it was made');
    return made;
  }

  /**
   * Makes the table anew with these rows alone, and leaves no file of before. Nothing else may write to it meanwhile.
   */
  async rewrite(companyId: string, rows: ArrowTable): Promise<void> {
    const name = checkedId(companyId);
    const before = await this.#files(name);
    const options = { mode: 'overwrite', existOk: true } as const;
    const table = await this.#keep(
      name,
      rows.numRows > 0
        ? await this.#connection.createTable(name, rows, options)
        : await this.#connection.createEmptyTable(name, rows.schema, options),
    );
    // What the table was before goes with this; compacting would keep the removed text.
    await retried(() => table.optimize({ cleanupOlderThan: new Date() }));
    // The engine spares files that no version names: it can't tell those of a killed writer from those being written.
    for (const path of before) await rm(path, { force: true });
  }

  /** Removes the table with every file of it; absent is fine. */
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
