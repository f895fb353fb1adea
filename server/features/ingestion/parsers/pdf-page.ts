import type { LayoutBlock, ParsedPage, Rect } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { withBlanks } from './pdf-blanks.ts';
import { boxOf, union } from './pdf-boxes.ts';
import { layoutTable } from './pdf-layout-table.ts';
import {
  joinBrokenWords,
  letters,
  plainLetters,
  withoutMarkup,
  withoutStrikes,
  wordsBrokenAtLineEnds,
} from './pdf-letters.ts';
import { type Line, linesOf } from './pdf-lines.ts';
import { shared, tablesOfPage } from './pdf-page-tables.ts';
import { titled } from './pdf-prose.ts';
import { remarkBlocks } from './pdf-remarks.ts';
import { RunningLines } from './pdf-running.ts';
import { joinBrokenSentences } from './pdf-sentences.ts';
import { TablesOverPages } from './pdf-table-pages.ts';
import type { PdfTable } from './pdf-table-rows.ts';

/** Lines of a page's head and foot that blocks are compared with. */
const maxRunning = 60;

/** Blocks with the height at which they stand on their page. */
interface LaidOut {
  blocks: Block[];
  top: number;
}

/** Makes blocks of the pages of a document, one after the other. */
export class PageReader {
  readonly #running = new RunningLines();
  readonly #overPages = new TablesOverPages();

  /**
   * The blocks of a page in reading order, its head and foot last; nothing of it is lost. Rows of figures are found by
   * where words stand; everything else is as the layout reader has it.
   */
  blocks(read: ParsedPage): Block[] {
    const page = withBlanks(read);
    const lines = linesOf(page.textItems);
    const head = this.#running.of(lines, page);
    const found = page.blocks ?? [];
    const tables = tablesOfPage(lines, found, head);
    this.#overPages.goOn(tables, page);
    const brokenWords = wordsBrokenAtLineEnds(page.textItems);
    const laidOut: LaidOut[] = [];
    const placed = new Set<PdfTable>();
    for (const block of found) {
      const covering = tables.filter((each) => shared(block.bbox, each) > 0);
      const isCovered = covering.reduce((sum, each) => sum + shared(block.bbox, each), 0) > 0.5;
      const table = covering.find((each) => !placed.has(each));
      if (!isCovered) laidOut.push({ blocks: blocksOf(block, page, brokenWords, lines), top: block.bbox?.y ?? 0 });
      else if (table) {
        placed.add(table);
        laidOut.push({ blocks: tableOf(table, page, brokenWords), top: table.top });
      }
    }
    for (const table of tables) {
      if (!placed.has(table)) insert(laidOut, { blocks: tableOf(table, page, brokenWords), top: table.top });
    }
    for (const lost of lostLines(page, laidOut)) insert(laidOut, lost);
    const all = laidOut.flatMap(({ blocks }) => blocks);
    const longestFirst = [...head.texts]
      .filter((each) => each !== '')
      .sort((one, other) => other.length - one.length)
      .slice(0, maxRunning);
    const content = joinBrokenSentences(
      all.filter((block) => !isRunning(block, longestFirst)),
      page.width > page.height,
      brokenWords,
    );
    const running = all.filter((block) => isRunning(block, longestFirst)).map(asRunning);
    return [...titled([...content, ...remarkBlocks(page, page.textItems)], head.title), ...running];
  }
}

function asRunning({ level: _level, ...block }: Block): Block {
  return { ...block, kind: 'paragraph', running: true };
}

/** Also of several lines, which the layout reader takes for one paragraph, and of signs between them. */
function isRunning({ text, kind }: Block, longestFirst: readonly string[]): boolean {
  if (kind === 'row' || longestFirst.length === 0) return false;
  let rest = letters(text);
  while (rest !== '') {
    const next = longestFirst.find((each) => rest.startsWith(each));
    if (next === undefined) return false;
    rest = rest.slice(next.length);
  }
  return true;
}

function insert(laidOut: LaidOut[], more: LaidOut): void {
  const next = laidOut.findIndex(({ top }) => top > more.top);
  laidOut.splice(next === -1 ? laidOut.length : next, 0, more);
}

function blocksOf(from: LayoutBlock, sheet: ParsedPage, brokenWords: Set<string>, lines: readonly Line[]): Block[] {
  const text = joinBrokenWords(plainLetters(from.text ?? ''), brokenWords);
  const page = sheet.pageNum;
  const place = { page, ...boxOf(from.bbox, sheet) };
  switch (from.kind) {
    case 'heading':
      return [
        {
          kind: 'heading',
          level: Math.min(Math.max(from.level ?? 1, 1), 6),
          text: withoutStrikes(text).replaceAll('**', ''),
          ...place,
        },
      ];
    case 'paragraph':
      return [{ kind: 'paragraph', text: joinBrokenWords(withoutMarkup(text), brokenWords), ...place }];
    case 'list_item': {
      const item = joinBrokenWords(withoutMarkup(text), brokenWords);
      return [{ kind: 'item', text: from.ordered && from.marker ? `${from.marker} ${item}` : item, ...place }];
    }
    case 'code':
      return [{ kind: 'code', text: plainLetters((from.lines ?? []).join('\n')), ...place }];
    case 'grid_fallback':
      return (from.lines ?? []).map((line) => ({ kind: 'paragraph', text: plainLetters(line), ...place }));
    case 'table':
      return layoutTable(from, sheet, brokenWords, lines);
    default:
      return [];
  }
}

/** A table that was found by where its words stand. */
function tableOf(table: PdfTable, sheet: ParsedPage, brokenWords: Set<string>): Block[] {
  const clean = (text: string) => joinBrokenWords(plainLetters(text), brokenWords);
  const { caption, unit, columns } = table;
  return table.rows.map(({ cells, header, parents, left, top, right, bottom }, i) => ({
    kind: 'row',
    text: cells.map(clean).join(' | '),
    cells: cells.map(clean),
    page: sheet.pageNum,
    ...(header && { header }),
    ...(parents.length > 0 && { parents: parents.map(clean) }),
    ...boxOf({ x: left, y: top, width: right - left, height: bottom - top }, sheet),
    ...(i === 0 && {
      table: {
        columns: columns.map(clean),
        ...(caption !== undefined && { caption: clean(caption) }),
        ...(unit && { unit }),
      },
    }),
  }));
}

/** Lines of the page that its layout leaves out. */
function lostLines(page: ParsedPage, kept: readonly LaidOut[]): LaidOut[] {
  const texts = kept.flatMap(({ blocks }) => blocks.map(({ text }) => text));
  // Most items are a cell or a block of their own, which is found at once; the rest is looked for in all of the page.
  const known = new Set(
    [...texts, ...kept.flatMap(({ blocks }) => blocks.flatMap(({ cells = [] }) => cells))].map(letters),
  );
  const there = letters(texts.join(''));
  const lost: { block: Block; rect: Rect; top: number }[] = [];
  for (const item of page.textItems.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const wanted = letters(item.text);
    if (wanted === '' || known.has(wanted) || there.includes(wanted)) continue;
    const above = lost.at(-1);
    if (above && item.y - above.rect.y - above.rect.height < item.height * 0.8) {
      above.block.text += ` ${plainLetters(item.text)}`;
      above.rect = union(above.rect, item);
    } else {
      const block: Block = { kind: 'paragraph', text: plainLetters(item.text), page: page.pageNum };
      lost.push({ block, top: item.y, rect: union(item, item) });
    }
  }
  return lost.map(({ block, top, rect }) => ({ blocks: [{ ...block, ...boxOf(rect, page) }], top }));
}
