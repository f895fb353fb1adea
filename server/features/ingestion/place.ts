import type { Block, PlacedBlock } from './document.ts';

/**
 * Gives each block its index and its place in the version's text: all blocks joined by one line feed. A row belongs to the
 * table that the last row with a header or with what is known of a table began.
 */
export function placeBlocks(blocks: readonly Block[]): PlacedBlock[] {
  let start = 0;
  let tableStart: number | undefined;
  return blocks.map((block, index) => {
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
    return placed;
  });
}

/** A header that comes after other rows; several lines of one do not each begin a table. */
function startsTable({ header }: Block, before: Block | undefined): boolean {
  return header === true && before?.header !== true;
}
