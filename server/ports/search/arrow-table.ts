import { makeArrowTable } from '@lancedb/lancedb';
import type { Table as ArrowTable, Schema } from 'apache-arrow';
import { createPause } from '#server/lib/pause.ts';

type Row = Record<string, unknown>;

/** Rows that the engine's client turns into columns at once, which takes it milliseconds. */
const rowsAtOnce = 50;

/**
 * Rows as the engine takes them, made a few at a time: handed over as a list, they would be turned into columns in one
 * go.
 */
export async function arrowTable(schema: Schema, rows: AsyncIterable<Row>): Promise<ArrowTable> {
  const pause = createPause();
  const tables: ArrowTable[] = [];
  let some: Row[] = [];
  const take = () => {
    if (some.length > 0) tables.push(makeArrowTable(some, { schema }));
    some = [];
  };
  for await (const row of rows) {
    some.push(row);
    if (some.length === rowsAtOnce) take();
    await pause();
  }
  take();
  const [first = makeArrowTable([], { schema }), ...others] = tables;
  return first.concat(...others);
}

/** Each of the items of some lists as a row. */
export async function* mapped<T>(
  lists: AsyncIterable<T[]> | Iterable<T[]>,
  toRow: (item: T) => Row,
): AsyncGenerator<Row> {
  for await (const list of lists) for (const item of list) yield toRow(item);
}
