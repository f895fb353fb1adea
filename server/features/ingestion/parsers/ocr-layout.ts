import { LiteParse, type ParsedPage, type TextItem } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { PageReader } from './pdf-page.ts';

/** Of the height of letters: a wider gap parts columns. */
const widestSpace = 1.6;
/** Of the height of letters: how far the middles of two words on a line may differ. */
const lineTolerance = 0.6;
/** Most share of text that stands apart for a line to be a heading. */
const maxHeadingLength = 80;

/**
 * Blocks of a page that was recognised word by word. Boxes of words differ in height, which mixes up the words of a
 * line where it is not put together first.
 */
export function scannedBlocks(page: ParsedPage): Block[] {
  const laidOut = new LiteParse({
    outputFormat: 'markdown',
    extractBlocks: true,
    imageMode: 'off',
    quiet: true,
    keepHeadersFooters: true,
  }).parsePages([
    { pageNumber: page.pageNum, pageWidth: page.width, pageHeight: page.height, textItems: textLines(page.textItems) },
  ]);
  const [found] = laidOut.pages;
  return found ? joinSentences(new PageReader().blocks(found)) : [];
}

interface Line {
  items: TextItem[];
  right: number;
  middle: number;
}

/** Words that stand side by side as one item for each line of a column. */
export function textLines(items: readonly TextItem[]): TextItem[] {
  const lines: Line[] = [];
  const usual = median(items.map(({ height }) => height));
  for (const item of items.toSorted((a, b) => a.x - b.x)) {
    const middle = item.y + item.height / 2;
    const letter = Math.min(Math.max(item.height, usual * 0.5), usual * 3);
    const near = lines
      .filter((line) => {
        const gap = item.x - line.right;
        return gap < letter * widestSpace && gap > -letter && Math.abs(line.middle - middle) < letter * lineTolerance;
      })
      .sort((a, b) => Math.abs(a.middle - middle) - Math.abs(b.middle - middle))[0];
    if (near) {
      near.items.push(item);
      near.right = Math.max(near.right, item.x + item.width);
      near.middle = median(near.items.map(({ y, height }) => y + height / 2));
    } else lines.push({ items: [item], right: item.x + item.width, middle });
  }
  return lines
    .map(({ items: words, right, middle }) => {
      const height = median(words.map((word) => word.height));
      const x = Math.min(...words.map((word) => word.x));
      const text = words.map((word) => word.text.trim()).join(' ');
      return {
        text,
        x,
        y: middle - height / 2,
        width: right - x,
        height,
        fontName: 'OCR',
        fontSize: height,
        words: [],
      };
    })
    .sort((a, b) => a.y - b.y || a.x - b.x);
}

/**
 * The size of letters in a picture is a guess, so that lines of a paragraph come as headings: only one that stands
 * alone and reads like one is, and a sentence goes on where the next line begins with a small letter.
 */
function joinSentences(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const isHeading =
      block.kind === 'heading' &&
      (block.level ?? 6) <= 2 &&
      block.text.length <= maxHeadingLength &&
      /^[\p{Lu}\p{N}]/u.test(block.text) &&
      !/[.,;:!?-]$/.test(block.text);
    const kind = block.kind === 'heading' && !isHeading ? 'paragraph' : block.kind;
    if (kind === 'paragraph' && last?.kind === 'paragraph' && goesOn(last.text, block.text)) {
      const broken = /\p{L}-$/u.test(last.text);
      last.text = broken ? last.text.slice(0, -1) + block.text : `${last.text} ${block.text}`;
      if (last.box && block.box) last.box = around(last.box, block.box);
    } else {
      const { level, ...rest } = block;
      joined.push({ ...rest, kind, ...(kind === 'heading' && level !== undefined && { level }) });
    }
  }
  return joined;
}

function goesOn(before: string, text: string): boolean {
  return /^\p{Ll}/u.test(text) && !/[.!?:]["”’)]?$/.test(before);
}

type Box = NonNullable<Block['box']>;

function around(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
