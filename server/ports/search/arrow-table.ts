import { makeArrowTable } from '@lancedb/lancedb';
import type { Table as ArrowTable, Schema } from 'apache-arrow';
import { createPause } from '#server/lib/pause.ts';

type Row = Record<string, unknown>;

/** Rows that the engine's client turns into columns at once, which takes it milliseconds. */
const rowsAtOnce = 50;
/** Of a page: some megabytes of terms. */
const rowsOfPage = 2000;

/**
 * Rows as the engine takes them, in pages of which no more than one need be in memory. They are made a few at a time:
 * handed over as a list, they would be turned into columns in one go.
 */
export async function* arrowPages(schema: Schema, rows: AsyncIterable<Row>): AsyncGenerator<ArrowTable> {
  const pause = createPause();
  let page: ArrowTable[] = [];
  let inPage = 0;
  let some: Row[] = [];
  const take = () => {
    if (some.length > 0) page.push(makeArrowTable(some, { schema }));
    inPage += some.length;
    some = [];
  };
  for await (const row of rows) {
    some.push(row);
    if (some.length === rowsAtOnce) take();
    if (inPage >= rowsOfPage) {
      yield joined(schema, page);
      [page, inPage] = [[], 0];
    }
    await pause();
  }
  take();
  if (page.length > 0) yield joined(schema, page);
}

/** All rows of some tables in one. */
function joined(schema: Schema, tables: ArrowTable[]): ArrowTable {
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
