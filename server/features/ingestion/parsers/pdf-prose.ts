import type { LayoutBlock } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { isFigure, type Line, type Segment } from './pdf-lines.ts';

/** A paragraph has more words than a stack of labels, and lines that are full. */
const minWords = 12;
const wordsInLine = 4;
const fullLine = 0.72;
const mostlyFull = 0.65;
/** Of its lines, those that may have a figure beside them: a column of labels has one beside nearly each. */
const besideFigures = 0.6;
const maxTitleLength = 14;
/** Of the blocks of a page that is a table. */
const mostlyRows = 0.5;

/** Whether what the layout reader has as a paragraph is one, not labels or cells that stand below each other. */
export function isProse({ kind, text = '', bbox }: LayoutBlock, lines: readonly Line[]): boolean {
  if ((kind !== 'paragraph' && kind !== 'list_item') || !bbox || text.split(/\s+/).length < minWords) return false;
  const { x, y, width, height } = bbox;
  let [own, pieces, full, beside] = [0, 0, 0, 0];
  const inside = lines.filter((line) => {
    const middle = (line.top + line.bottom) / 2;
    return middle > y && middle < y + height;
  });
  for (const { segments } of inside) {
    const isHere = ({ left, right }: Segment) => left + right >= x * 2 && left + right <= (x + width) * 2;
    const here = segments.filter(isHere);
    if (here.length === 0) continue;
    own++;
    pieces += here.length;
    if ((here.at(-1)?.right ?? 0) >= x + width * fullLine) full++;
    if (segments.some((each) => !isHere(each) && isFigure(each.text))) beside++;
  }
  if (own === 0 || pieces > own * 1.25 || text.split(/\s+/).length < own * wordsInLine) return false;
  return beside < own * besideFigures && (own === 1 || full >= (own - 1) * mostlyFull);
}

/**
 * Makes the title of a page its heading, where a short line stands above all else, and tells its first block what the
 * page's running head says.
 */
export function titled(blocks: Block[], running: string | undefined): Block[] {
  const [first, ...rest] = blocks;
  if (!first) return blocks;
  const isTable = blocks.filter(({ kind }) => kind === 'row').length > blocks.length * mostlyRows;
  const isTitle =
    isHeading(first.text) && (first.kind === 'heading' || (rest[0]?.kind === 'row' && isTitleLike(first)));
  const top: Block = {
    ...first,
    // A page that is a table stands under its own title, not under the heading of the page before.
    ...(isTitle && { kind: 'heading', level: isTable ? 1 : (first.level ?? 2) }),
    ...(running !== undefined && { context: running }),
  };
  return [
    top,
    ...rest.map((block) => (block.kind === 'heading' && !isHeading(block.text) ? asParagraph(block) : block)),
  ];
}

function asParagraph({ level, ...block }: Block): Block {
  return { ...block, kind: 'paragraph' };
}

function isTitleLike({ kind, text }: Block): boolean {
  return kind === 'paragraph' && text.split(' ').length <= maxTitleLength && isHeading(text) && !/[.,;:]$/.test(text);
}

/** A line that begins small or ends with a comma is a piece of a sentence that was set apart. */
function isHeading(text: string): boolean {
  return !/^\p{Ll}/u.test(text) && !/,$/.test(text);
}
