import type { Block } from './document.ts';

/** The blocks that may say what a document is about: its first ones. */
export const aboutBlocks = 20;
/** In UTF-16 code units; what is longer would outweigh the file's name. */
const maxLength = 280;
/** A title, a date or an author; what is longer is running text. */
const maxLine = 140;

/**
 * What a document says of itself at its beginning: title, whose it is, edition and date, as far as short lines of the
 * first page say so. It goes with each of its passages into the search, since many a file's name says nothing
 * (`scan0007.pdf`), and a passage far behind seldom repeats whose report of which year it is in.
 * @param blocks the first ones, in order
 */
export function aboutOf(blocks: readonly Pick<Block, 'kind' | 'text' | 'page' | 'part'>[]): string {
  const page = blocks[0]?.page;
  const lines: string[] = [];
  let length = 0;
  for (const { kind, text, page: ownPage, part } of blocks.slice(0, aboutBlocks)) {
    if (ownPage !== page || (part !== undefined && lines.length > 0)) break;
    // Without pages only what stands above the first running text is a title.
    if (text.length > maxLine || kind === 'code') {
      if (page === undefined) break;
      continue;
    }
    if (page === undefined && kind !== 'heading') break;
    if (length + text.length > maxLength) break;
    lines.push(text);
    length += text.length + 1;
  }
  return lines.join('\n');
}
