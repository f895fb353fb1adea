import type { Block, PlacedBlock } from './document.ts';

/**
 * Gives each block its index and its place in the version's text: all blocks joined by one line feed. A row belongs to
 * the table that the last row with a header or with what is known of a table began.
 */
export function placeBlocks(blocks: readonly Block[]): PlacedBlock[] {
  return [...placing(blocks)];
}

/** The same one after the other: a file may have half a million of them. */
export function* placing(blocks: readonly Block[]): Generator<PlacedBlock> {
  let start = 0;
  let tableStart: number | undefined;
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'row') tableStart = undefined;
    else if (
      tableStart === undefined ||
      block.table ||
      block.part !== undefined ||
      startsTable(block, blocks[index - 1])
    )
      tableStart = index;
    const placed = {
      ...block,
      index,
      start,
      end: start + block.text.length,
      ...(tableStart !== undefined && { tableStart }),
    };
    start = placed.end + 1;
    yield placed;
  }
}

/** A header that comes after other rows; several lines of one do not each begin a table. */
function startsTable({ header }: Block, before: Block | undefined): boolean {
  return header === true && before?.header !== true;
}
