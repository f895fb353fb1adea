import type { ParsedPage } from '@llamaindex/liteparse';
import type { PdfTable } from './pdf-table-rows.ts';

/** Of a page's height: a table that begins above may go on from the page before, one that ends below may go on. */
const highest = 0.25;
const lowest = 0.6;
/** Of a page's height: a table without heads may go on from the one that ends so far above it. */
const rightBelow = 0.06;
/** Of a page's width: how far the same column may stand elsewhere on the next page. */
const shifted = 0.04;

/** Tables that go on over pages: what stands above the first page's rows is said of the next page's, too. */
export class TablesOverPages {
  /** The last table of the page before. */
  #open: { table: PdfTable; page: number; width: number; isAtEnd: boolean } | undefined;

  /**
   * Gives the first table of a page the heads and the caption of the one that it goes on from: where it has no heads,
   * and where it repeats them without a caption. A table without heads right below another one on its page, with the
   * same columns, goes on from that one. To be asked once for each page, in their order.
   */
  goOn(
    tables: readonly PdfTable[],
    { pageNum, width, height }: Pick<ParsedPage, 'pageNum' | 'width' | 'height'>,
  ): void {
    const byHeight = tables.toSorted((a, b) => a.top - b.top);
    const [first] = byHeight;
    const before = this.#open;
    if (first && before?.page === pageNum - 1 && first.top < height * highest) {
      const { table } = before;
      const isHeadless = first.columns.length === 0 && hasSameColumns(first, table, (width + before.width) / 2);
      if (isHeadless || (before.isAtEnd && repeatsHeads(first, table))) {
        first.columns = table.columns;
        if (first.caption === undefined && table.caption !== undefined) first.caption = table.caption;
        if (first.unit === undefined && table.unit !== undefined) first.unit = table.unit;
      }
    }
    for (const [i, table] of byHeight.entries()) {
      if (table.columns.length > 0) continue;
      const above = byHeight
        .slice(0, i)
        .findLast(
          (each) =>
            each.columns.length > 0 &&
            table.top - each.bottom < height * rightBelow &&
            hasSameColumns(table, each, width),
        );
      if (!above) continue;
      table.columns = above.columns;
      if (table.unit === undefined && above.unit !== undefined) table.unit = above.unit;
    }
    const last = byHeight.at(-1);
    this.#open = last && { table: last, page: pageNum, width, isAtEnd: last.bottom > height * lowest };
  }
}

function hasSameColumns({ spans }: PdfTable, other: PdfTable, width: number): boolean {
  return (
    spans.length === other.spans.length &&
    spans.every((span, i) => i === 0 || Math.abs(span.right - (other.spans[i]?.right ?? 0)) < width * shifted)
  );
}

/** A table of its own says what it is. */
function repeatsHeads({ caption, columns }: PdfTable, other: PdfTable): boolean {
  return (
    caption === undefined &&
    columns.length > 0 &&
    columns.length === other.columns.length &&
    columns.every((name, i) => name === other.columns[i])
  );
}
