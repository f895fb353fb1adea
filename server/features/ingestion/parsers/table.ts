import type { Block } from '../document.ts';
import { looksLikeHeader } from './cells.ts';
import { headOf } from './sheet-head.ts';

/** Rows at the beginning of a table by which its head is told. */
const headRows = 8;

/**
 * The rows of a table as blocks.
 * @param header the first row is known to be one, or none
 * @param spans of each row its cells that are several columns wide, by their first column: their last one
 */
export function tableBlocks(
  rows: readonly string[][],
  {
    header,
    page,
    spans = [],
  }: {
    header?: boolean | undefined;
    page?: number | undefined;
    spans?: readonly (ReadonlyMap<number, number> | undefined)[];
  } = {},
): Block[] {
  const [first, second] = rows;
  const named = header ?? (first !== undefined && looksLikeHeader(first, second));
  // A name over several columns says that there are names below it.
  const head =
    header !== false && spans[0] !== undefined && spans[0].size > 0
      ? headOf(
          rows
            .slice(0, headRows)
            .map((cells, index) => ({ index, cells, ...(spans[index] && { spans: spans[index] }) })),
          [],
        )
      : undefined;
  const lines = Math.max(named ? 1 : 0, head?.table ? head.lines : 0);
  return rows.map((cells, index) => ({
    kind: 'row',
    text: cells.join(' | '),
    cells,
    ...(index < lines && { header: true }),
    ...(index === 0 && head?.table && { table: head.table }),
    ...(page !== undefined && { page }),
  }));
}
