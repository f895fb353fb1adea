import { randomBytes } from 'node:crypto';
import type { Connection, Table } from '@lancedb/lancedb';
import type { Table as ArrowTable, Schema } from 'apache-arrow';
import { LRUCache } from 'lru-cache';
import { AppError } from '#contract/errors.ts';
import type { Telling } from '#server/ports/files/s3/telling.ts';
import { checkedId, isMissing, retried } from '../lance-rows.ts';
import { mergeInto, type Tables, type Upsert, unchanged } from '../tables.ts';
import { type Copies, TableGone } from './copies.ts';
import { onStore } from './failing.ts';
import type { Objects } from './objects.ts';
import type { TableRows } from './rows.ts';

export interface StoredTablesOptions {
  /** Of the place, where the tables are. */
  folder: string;
  /** To the tables in the store; what another has changed is looked for when it is asked to. */
  connection: Connection;
  objects: Objects;
  rows: TableRows;
  copies: Copies;
  /** Runs work on a company's table by one at a time, of all processes. */
  inTurn<T>(companyId: string, work: () => Promise<T>): Promise<T>;
  telling: Telling;
  /** What a new table needs before it is used. */
  prepare(table: Table): Promise<void>;
  /** Tables kept open for writing. */
  limit: number;
}

/** How often a search begins anew that meets a table which is made anew meanwhile. */
const tries = 3;

/**
 * Tables in a store that speaks S3, one a company, whose names and versions stand in PostgreSQL. Searches read copies
 * on the disk of this machine; changes are made in the store, by one process at a time, and told when they are made. A
 * table that is made anew gets another name, and the one of before goes once nobody is led to it.
 */
export class StoredTables implements Tables {
  readonly #parts: StoredTablesOptions;
  readonly #open: LRUCache<string, Table>;

  constructor(options: StoredTablesOptions) {
    this.#parts = options;
    this.#open = new LRUCache({ max: options.limit });
  }

  async read<T>(companyId: string, work: (table: Table) => Promise<T>): Promise<T | null> {
    return this.#newest(companyId, async (name, version) => {
      const copied = await this.#parts.copies.use(`${this.#parts.folder}/${name}`, version, work);
      return copied ? copied.done : work(await this.#stored(name));
    });
  }

  async look<T>(companyId: string, work: (table: Table) => Promise<T>): Promise<T | null> {
    return this.#newest(companyId, async (name) => work(await this.#stored(name)));
  }

  async upsert(companyId: string, { schema, key, pages, check }: Upsert): Promise<void> {
    await this.#parts.inTurn(companyId, () =>
      this.#change(
        companyId,
        async (table) => {
          await check?.(table);
          for await (const rows of pages()) await mergeOnce(table, key, rows);
        },
        schema,
      ),
    );
  }

  async write(companyId: string, work: (table: Table) => Promise<unknown>): Promise<void> {
    // What is not there need not be locked to leave it so.
    if (await this.has(companyId)) await this.#parts.inTurn(companyId, () => this.#change(companyId, work));
  }

  async #change(companyId: string, work: (table: Table) => Promise<unknown>, schema?: Schema): Promise<void> {
    const change = async (name: string) => {
      const done = await retried(async () => work(await this.#stored(name)));
      if (done !== unchanged) await this.#parts.rows.changed(companyId, name);
    };
    await this.#newest(companyId, change, schema);
  }

  async rewrite(companyId: string, schema: Schema, pages: AsyncIterable<ArrowTable>): Promise<void> {
    const { rows, inTurn, prepare } = this.#parts;
    await inTurn(companyId, () =>
      this.#telling(companyId, async () => {
        const { name, table } = await this.#create(companyId, schema);
        let count = 0;
        for await (const page of pages) {
          await table.add(page);
          count += page.numRows;
        }
        // As in `mergeOnce`; the next try has another table.
        if ((await table.countRows()) !== count) throw new AppError('unavailable');
        // Many pages are as many files; none of them has anything to hide.
        await table.optimize({ cleanupOlderThan: new Date() });
        await prepare(table);
        await rows.put(companyId, name);
        await this.#removeBut(companyId, name);
      }),
    );
  }

  async drop(companyId: string): Promise<void> {
    await this.#parts.inTurn(companyId, () =>
      this.#telling(companyId, async () => {
        await this.#parts.rows.remove(checkedId(companyId));
        await this.#removeBut(companyId);
      }),
    );
  }

  async has(companyId: string): Promise<boolean> {
    return (await this.#parts.rows.find(checkedId(companyId))) !== null;
  }

  companies(): Promise<Set<string>> {
    return this.#parts.rows.companies();
  }

  /**
   * Runs work on the company's table by the name and version that it has now.
   * @param schema where it has none, or the store has lost it, one is made
   */
  async #newest<T>(
    companyId: string,
    work: (name: string, version: number) => Promise<T>,
    schema?: Schema,
  ): Promise<T | null> {
    const { rows, copies, folder } = this.#parts;
    return this.#telling(companyId, async () => {
      for (let turn = 1; ; turn++) {
        const row = await rows.find(checkedId(companyId));
        const name = row?.name ?? (schema && (await this.#make(companyId, schema)));
        if (name === undefined) return null;
        try {
          return await work(name, row?.version ?? 1);
        } catch (error) {
          if (!isGone(error)) throw error;
          // The engine takes a file that the store is silent about for one that is not there.
          if (turn === tries) throw new AppError('unavailable', { cause: error });
          // Made anew meanwhile, or cleaned up under a reader that was long at it; or lost, and built anew by whoever
          // finds that there is none.
          this.#open.delete(name);
          await copies.forget(`${folder}/${name}`);
          if (await this.#isThere(name)) continue;
          await rows.remove(checkedId(companyId), name);
          // One that is made for these rows alone would look whole; who tries again finds that there is none.
          if (schema) throw new AppError('unavailable', { cause: error });
        }
      }
    });
  }

  /** The table in the store, as it is now. */
  async #stored(name: string): Promise<Table> {
    const known = this.#open.get(name);
    if (known) {
      await known.checkoutLatest();
      return known;
    }
    const table = await this.#parts.connection.openTable(name);
    this.#open.set(name, table);
    return table;
  }

  async #make(companyId: string, schema: Schema): Promise<string> {
    const { name, table } = await this.#create(companyId, schema);
    await this.#parts.prepare(table);
    await this.#parts.rows.put(checkedId(companyId), name);
    return name;
  }

  /** A table that nobody is led to yet. */
  async #create(companyId: string, schema: Schema): Promise<{ name: string; table: Table }> {
    const name = `${checkedId(companyId)}.${randomBytes(8).toString('hex')}`;
    const table = await this.#parts.connection.createEmptyTable(name, schema);
    this.#open.set(name, table);
    return { name, table };
  }

  /** What a killed process was making goes, too. */
  async #removeBut(companyId: string, name?: string): Promise<void> {
    const start = `${checkedId(companyId)}.`;
    const keep = name === undefined ? [] : [`${name}.lance/`];
    for (const each of this.#open.keys()) if (each.startsWith(start) && each !== name) this.#open.delete(each);
    await this.#parts.objects.remove(start, keep);
  }

  async #isThere(name: string): Promise<boolean> {
    return (await this.#parts.objects.list(`${name}.lance/_versions/`)).length > 0;
  }

  #telling<T>(companyId: string, work: () => Promise<T>): Promise<T> {
    return onStore(this.#parts.telling, companyId, work);
  }
}

/**
 * Where the store has committed and its reply was lost, the engine asks again, takes its own commit for another's, and
 * adds what is new once more. Only one writes at a time, so the rows say so by their number, also those that a writer
 * has left who was killed then.
 */
async function mergeOnce(table: Table, key: string, rows: ArrowTable): Promise<void> {
  const before = await table.countRows();
  const { numInsertedRows: added, numUpdatedRows: replaced } = await mergeInto(table, key, rows);
  if (added + replaced === rows.numRows && (await table.countRows()) === before + added) return;
  const keys: unknown[] = [...(rows.getChild(key) ?? [])];
  await table.delete(`${key} IN (${keys.map((each) => `'${each}'`).join(', ')})`);
  await mergeInto(table, key, rows);
}

function isGone(error: unknown): boolean {
  return error instanceof TableGone || isNoSuchKey(error) || isMissing(error);
}

function isNoSuchKey(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchKey';
}
