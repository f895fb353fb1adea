import type { Block, TableHead } from '../document.ts';
import { gaps } from '../reasons.ts';
import type { Sink } from './parser.ts';
import { headOf } from './sheet-head.ts';
import type { SheetRow } from './sheet-row.ts';

/** Rows at the beginning of a table by which its head is told. */
const headRows = 8;
/** Characters of a label that stands above rows. */
const maxLabel = 80;

/**
 * Writes a sheet's rows as tables: a new one begins after an empty row, or after a title alone in its row. What stands
 * alone above a table's head is its caption; what stands alone between its rows is a label of those below.
 * @returns how many rows were read; more than `maxRows` are left out, and the sink is told
 */
export async function writeSheet(
  rows: AsyncIterable<SheetRow> | Iterable<SheetRow>,
  { name, maxRows, opensPart = true }: { name: string; maxRows: number; opensPart?: boolean },
  sink: Sink,
): Promise<number> {
  const tables = new TableWriter(sink, opensPart ? name : undefined);
  let count = 0;
  for await (const row of rows) {
    if (count >= maxRows) {
      sink.unreadable({ why: gaps.rows(name, row.index) });
      break;
    }
    tables.add(row);
    count++;
  }
  tables.end();
  return count;
}

class TableWriter {
  readonly #sink: Sink;
  readonly #sheet: string | undefined;
  #part: string | undefined;
  /** The first rows of a table, until its head is told by them; null within a table. */
  #first: SheetRow[] | null = [];
  #last = -1;
  #caption: string[] = [];
  /** What stands alone above the next rows, in a table with a head. */
  #label: string | undefined;
  #hasHead = false;

  constructor(sink: Sink, part: string | undefined) {
    this.#sink = sink;
    this.#part = part;
    this.#sheet = part;
  }

  add({ cells: all, ...rest }: SheetRow): void {
    const row = { ...rest, cells: all.slice(0, all.findLastIndex((cell) => cell !== '') + 1) };
    if (this.#last !== -1 && row.index > this.#last + 1) this.#endTable();
    this.#last = row.index;
    this.#take(row);
  }

  #take(row: SheetRow, first: Pick<Block, 'table'> = {}): void {
    const isAlone = row.cells.filter((cell) => cell !== '').length === 1;
    if (isAlone && !this.#first?.length) this.#writeAlone(row);
    else if (!this.#first) this.#write(row, first);
    else if (this.#first.push(row) === headRows) this.#writeFirst();
  }

  end(): void {
    // What follows a label waits again.
    while (this.#first?.length) this.#writeFirst();
  }

  #endTable(): void {
    this.end();
    if (this.#first === null) {
      this.#hasHead = false;
      this.#caption = [];
    }
    this.#first = [];
    this.#label = undefined;
  }

  #writeAlone(row: SheetRow): void {
    const text = row.cells.join('').trim();
    if (this.#hasHead) this.#label = text.length <= maxLabel ? text : undefined;
    else this.#caption.push(text);
    this.#write(row, { isAlone: true, ...this.#tableOf(undefined) });
    this.#first = [];
  }

  #writeFirst(): void {
    const rows = this.#first ?? [];
    if (rows.length === 0) return;
    const { lines, table } = headOf(rows, this.#hasHead ? [] : this.#caption);
    if (lines > 0) {
      this.#hasHead = true;
      this.#label = undefined;
      this.#caption = [];
    }
    this.#first = null;
    for (const [i, row] of rows.entries()) {
      const first = i === 0 ? this.#tableOf(table, lines > 0 ? row : undefined) : {};
      if (i < lines) this.#write(row, { header: true, ...first });
      else this.#take(row, first);
    }
  }

  /** What is known of a table that begins, with the sheet that it is on; of a sheet's first row at least that. */
  #tableOf(table: TableHead | undefined, header?: SheetRow): Pick<Block, 'table'> {
    if (this.#sheet === undefined) return table ? { table } : {};
    if (!header && this.#part === undefined) return {};
    return { table: { ...(table ?? { columns: header ? [...header.cells] : [] }), sheet: this.#sheet } };
  }

  #write(
    row: SheetRow,
    { isAlone = false, ...head }: { isAlone?: boolean } & Pick<Block, 'header' | 'table'> = {},
  ): void {
    const cells = [...row.cells];
    const label = isAlone || head.header ? undefined : this.#label;
    this.#sink.block({
      kind: 'row',
      text: cells.join(' | '),
      cells,
      ...head,
      ...(label !== undefined && { parents: [label] }),
      ...(this.#part !== undefined && { part: this.#part }),
    });
    this.#part = undefined;
  }
}
