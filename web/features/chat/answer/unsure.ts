import type { Source } from '#web/features/chat/conversation/message.ts';

/** The bars between the cells of a row, as they stand in its text. */
const bar = / \| /;

/**
 * Whether a quote is a row of a PDF's table whose columns the reader could not all name: what its figures are is seen
 * on the page itself.
 */
export function isUnsure({ name, quote, row, boxes }: Pick<Source, 'name' | 'quote' | 'row' | 'boxes'>): boolean {
  if (!/\.pdf$/i.test(name) || boxes?.length !== 1) return false;
  // The first column names the row, and often has no name itself.
  return row ? row.cells.slice(1).some(({ head }) => head === '') : bar.test(quote);
}
