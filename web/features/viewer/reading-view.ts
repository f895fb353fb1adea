import type { CallOutput } from '#contract/calls.ts';
import { isPresentation } from '#web/lib/place.ts';

export type Block = CallOutput<'getReadingView'>['blocks'][number];

/** Offsets into the extracted text, end exclusive. */
export interface Range {
  start: number;
  end: number;
}

export interface Piece {
  text: string;
  marked: boolean;
}

/**
 * What is drawn as one: a block, a list of items, or a table of rows. `first`: the index of its first block of its own;
 * `title`: of the sheet or part that starts with it.
 */
export type Part = { first: number; title?: string } & PartBody;

export type PartBody =
  | { kind: 'heading' | 'paragraph' | 'code'; block: Block }
  | { kind: 'list'; blocks: Block[] }
  | { kind: 'table'; header: Block | null; blocks: Block[]; columns: number };

/**
 * Puts items and rows that follow each other together.
 *
 * @param headerAbove of the table that the first rows continue
 */
export function partsOf(blocks: readonly Block[], headerAbove: Block | null = null): Part[] {
  const parts: Part[] = [];
  for (const [place, block] of blocks.entries()) {
    const last = block.part === undefined ? parts.at(-1) : undefined;
    if (block.kind === 'item' && last?.kind === 'list') {
      last.blocks.push(block);
    } else if (block.kind === 'row' && last?.kind === 'table' && !block.header) {
      last.blocks.push(block);
      last.columns = Math.max(last.columns, cellsOf(block).length);
    } else {
      const start = { first: block.index, ...(block.part === undefined ? {} : { title: block.part }) };
      parts.push({ ...start, ...newPart(block, place === 0 ? headerAbove : null) });
    }
  }
  return parts;
}

function newPart(block: Block, headerAbove: Block | null): PartBody {
  if (block.kind === 'item') return { kind: 'list', blocks: [block] };
  if (block.kind !== 'row') return { kind: block.kind, block };
  if (block.header) return { kind: 'table', header: block, blocks: [], columns: cellsOf(block).length };
  const columns = Math.max(cellsOf(block).length, headerAbove ? cellsOf(headerAbove).length : 0);
  return { kind: 'table', header: headerAbove, blocks: [block], columns };
}

/**
 * The header of the table that block `index` continues; null when it has none.
 *
 * @param before of the table that the first of the blocks continues
 */
export function headerAbove(blocks: readonly Block[], index: number, before: Block | null): Block | null {
  const first = blocks[0]?.index ?? 0;
  const here = blocks[index - first];
  if (here?.kind !== 'row' || here.header || here.part !== undefined) return null;
  for (let place = index - first - 1; place >= 0; place--) {
    const block = blocks[place];
    if (block?.kind !== 'row') return null;
    if (block.header) return block;
    if (block.part !== undefined) return null;
  }
  return before;
}

/** A sheet, slide or chapter, and the block that it starts with. */
export interface Section {
  name: string;
  block: number;
}

/** The place in the list of the part in which block `index` stands; -1 before the first. */
export function sectionAt(sections: readonly Section[], index: number): number {
  return sections.findLastIndex(({ block }) => block <= index);
}

/** What a document's parts are called, by its name. */
export function sectionKind(name: string): 'Slide' | 'Sheet' | 'Chapter' | 'Part' {
  if (isPresentation(name)) return 'Slide';
  if (/\.(xl[st][xm]|o[dt]s|csv|tsv)$/i.test(name)) return 'Sheet';
  return /\.epub$/i.test(name) ? 'Chapter' : 'Part';
}

export function cellsOf(block: Block): readonly string[] {
  return block.cells ?? [block.text];
}

/** Whether an item has its own mark in its text, as in a mail and wherever else lists are written by hand. */
export function hasOwnMark({ text }: Block): boolean {
  return /^\s*([-*•–+]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/i.test(text);
}

/**
 * Whether a table is a list of what is called what, as the head of a mail. Only where a document begins: one that is
 * long is drawn in parts, which have to agree on the width of their columns.
 */
export function hasLabels(part: Part): boolean {
  if (part.kind !== 'table' || part.first > 1 || part.header || part.columns !== 2) return false;
  return part.blocks.every((block) => (cellsOf(block)[0] ?? '').length <= maxLabel);
}

/** In characters. */
const maxLabel = 20;

/** Whether any of the range stands in the block. */
export function touches(block: Block, range: Range | null): boolean {
  return range !== null && range.start < block.end && range.end > block.start;
}

/** A block's text, cut where the range starts and ends. */
export function piecesOf(block: Block, range: Range | null): Piece[] {
  return cut(block.text, block.start, range);
}

/** The same for each cell of a row, whose text is its cells joined by ` | `. */
export function cellPieces(block: Block, range: Range | null): Piece[][] {
  let start = block.start;
  return cellsOf(block).map((cell) => {
    const pieces = cut(cell, start, range);
    start += cell.length + ' | '.length;
    return pieces;
  });
}

function cut(text: string, start: number, range: Range | null): Piece[] {
  const from = Math.min(Math.max((range?.start ?? 0) - start, 0), text.length);
  const to = Math.min(Math.max((range?.end ?? 0) - start, from), text.length);
  const pieces = [
    { text: text.slice(0, from), marked: false },
    { text: text.slice(from, to), marked: true },
    { text: text.slice(to), marked: false },
  ];
  return pieces.filter((piece) => piece.text !== '');
}
