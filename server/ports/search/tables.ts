import type { MergeResult, Table } from '@lancedb/lancedb';
import type { Table as ArrowTable, Schema } from 'apache-arrow';

/** The engine's tables of one kind, one a company, wherever they lie. */
export interface Tables {
  /** Asks the table as the last change left it; null where the company has none. */
  read<T>(companyId: string, work: (table: Table) => Promise<T>): Promise<T | null>;
  /** The same for what is asked once in a while: nothing is kept nearby for the next time. */
  look<T>(companyId: string, work: (table: Table) => Promise<T>): Promise<T | null>;
  /** Adds rows, and puts them in the place of those with the same key; makes the table where there is none. */
  upsert(companyId: string, rows: Upsert): Promise<void>;
  /**
   * Changes the table, where the company has one; work that meets another's change is done again.
   * @param work says `unchanged` where it has left all as it was
   */
  write(companyId: string, work: (table: Table) => Promise<unknown>): Promise<void>;
  /**
   * Makes the table anew with these rows alone, and leaves no file of before. Readers see all rows of before until they
   * see all of these. Nothing else may write to it meanwhile.
   */
  rewrite(companyId: string, schema: Schema, pages: AsyncIterable<ArrowTable>): Promise<void>;
  /** Removes the table with every file of it; absent is fine. */
  drop(companyId: string): Promise<void>;
  has(companyId: string): Promise<boolean>;
  companies(): Promise<Set<string>>;
}

/** What `write`'s work says where it has left all as it was. */
export const unchanged = Symbol('unchanged');

export interface Upsert {
  schema: Schema;
  /** The column by which a row is known. */
  key: string;
  /** The rows, from the first on each time it is asked. */
  pages(): AsyncIterable<ArrowTable>;
  /** Rejects where they do not fit into the table. */
  check?(table: Table): Promise<void>;
}

/** What a table may consist of: a part for each addition, all of which a search reads. */
const fewParts = 10;
const manyParts = 200;
/** Putting parts together writes all rows anew: in a large table they are gathered for longer. */
const rowsPerPart = 1000;

/**
 * Whether a table consists of so many parts that they are better put together: each takes a search a quarter of a
 * millisecond, so that it slows down tenfold with two hundred small additions. Putting them together takes a tenth of a
 * second with a few hundred rows, and three with 100,000.
 */
export async function isScattered(table: Table): Promise<boolean> {
  const { numRows, fragmentStats } = await table.stats();
  return fragmentStats.numFragments > Math.min(manyParts, Math.max(fewParts, numRows / rowsPerPart));
}

/** Merges rows by a key, each in the place of all that have it. */
export function mergeInto(table: Table, key: string, rows: ArrowTable): Promise<MergeResult> {
  return table.mergeInsert(key).whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
}
