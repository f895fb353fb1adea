import { gaps } from '../reasons.ts';
import type { Sink } from './parser.ts';
import { looksLikeHeader } from './table.ts';

/** A row of a sheet that is not empty. `index` is 0-based in its sheet. */
export interface SheetRow {
  index: number;
  cells: readonly string[];
}

/**
 * Writes a sheet's rows as tables: a new one begins after an empty row, or after a title alone in its row.
 * @returns how many rows were read; more than `maxRows` are left out, and the sink is told
 */
export async function writeSheet(
  rows: AsyncIterable<SheetRow> | Iterable<SheetRow>,
  { name, maxRows, opensPart = true }: { name: string; maxRows: number; opensPart?: boolean },
  sink: Sink,
): Promise<number> {
  let count = 0;
  let previous: SheetRow | undefined;
  let startsTable = true;
  let part: string | undefined = opensPart ? name : undefined;

  // A row is written when the next one is known: whether it is a header depends on it.
  function write(row: SheetRow, next: SheetRow | undefined): void {
    const cells = row.cells.slice(0, row.cells.findLastIndex((cell) => cell !== '') + 1);
    const header = startsTable && looksLikeHeader(cells, next?.cells);
    sink.block({
      kind: 'row',
      text: cells.join(' | '),
      cells,
      ...(header && { header }),
      ...(part !== undefined && { part }),
    });
    part = undefined;
    startsTable = next !== undefined && (next.index > row.index + 1 || cells.filter(Boolean).length === 1);
  }

  for await (const row of rows) {
    if (count >= maxRows) {
      sink.unreadable({ why: gaps.rows(name, row.index) });
      break;
    }
    if (previous) write(previous, row);
    previous = row;
    count++;
  }
  if (previous) write(previous, undefined);
  return count;
}
