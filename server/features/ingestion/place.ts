import type { Block, PlacedBlock } from './document.ts';

/** Gives each block its index and its place in the version's text: all blocks joined by one line feed. */
export function placeBlocks(blocks: readonly Block[]): PlacedBlock[] {
  let start = 0;
  return blocks.map((block, index) => {
    const placed = { ...block, index, start, end: start + block.text.length };
    start = placed.end + 1;
    return placed;
  });
}
