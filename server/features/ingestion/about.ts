import type { Block } from './document.ts';
import { mainNames } from './main-names.ts';

/** The blocks that may say what a document is about: its first ones. */
export const aboutBlocks = 20;
/** In UTF-16 code units; what is longer would outweigh the file's name. */
const maxLength = 280;
/** A title, a date or an author; what is longer is running text. */
const maxLine = 140;

/** The law that a report follows, and its year. */
const underLaw = /\s*(?:pursuant to|under) [^\n]{0,90}?\bact of (?:19|20)\d\d/giu;
/** What a form says of itself and not of who filled it in. */
const ofForm =
  /^\W*(?:\([^)]*\)\W*)+$|pursuant to|securities and exchange commission|commission file|exact name of registrant|zip code|check mark|title of each class|registered pursuant|transition (?:report|period)|^\W*(?:table of )?contents\W*$|^\W*or\W*$|^washington, d\.?c/iu;

/**
 * What a document says of itself at its beginning: title, whose it is, edition and date, as far as short lines of the
 * first page say so. It goes with each of its passages into the search, since many a file's name says nothing
 * (`scan0007.pdf`), and a passage far behind seldom repeats whose report of which year it is in.
 * @param blocks the first ones, in order
 * @param passages all of the document's, in order: the names that run through them come last
 */
export function aboutOf(
  blocks: readonly Pick<Block, 'kind' | 'text' | 'page' | 'part'>[],
  passages: Parameters<typeof mainNames>[0] = [],
): string {
  const page = blocks[0]?.page;
  const lines: string[] = [];
  let length = 0;
  for (const { kind, text: whole, page: ownPage, part } of blocks.slice(0, aboutBlocks)) {
    if (ownPage !== page || (part !== undefined && lines.length > 0)) break;
    const text = whole.replace(underLaw, '').trim();
    // Without pages only what stands above the first running text is a title.
    if (text.length > maxLine || kind === 'code') {
      if (page === undefined) break;
      continue;
    }
    if (page === undefined && kind !== 'heading') break;
    if (ofForm.test(text)) continue;
    if (length + text.length > maxLength) break;
    lines.push(text);
    length += text.length + 1;
  }
  const said = lines.join('\n').toLowerCase();
  const further = mainNames(passages).filter((each) => !said.includes(each.toLowerCase()));
  return [...lines, ...(further.length > 0 ? [further.join(' ')] : [])].join('\n');
}
