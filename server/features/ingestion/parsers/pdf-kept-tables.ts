import type { LayoutBlock, LayoutCell, Rect, TextItem } from '@llamaindex/liteparse';
import { letters } from './pdf-letters.ts';

// Tables that stay as they were read on a page that is laid out anew.

/**
 * Items that stand in a table's cells. Around a table that reaches over two columns of text stand other words, too: it
 * has each word as often as its cells do.
 */
export function itemsOf(table: LayoutBlock, items: readonly TextItem[]): TextItem[] {
  const left = new Map<string, number>();
  const cells = cellsOf(table);
  for (const word of cells.flatMap(({ text }) => wordsOf(text))) left.set(word, (left.get(word) ?? 0) + 1);
  const isInCell = (item: TextItem) => cells.some(({ bbox }) => holds(bbox, item));
  const inside = items.filter((item) => holds(table.bbox, item));
  return [...inside.filter(isInCell), ...inside.filter((item) => !isInCell(item))].filter((item) => {
    const words = wordsOf(item.text);
    if (!words.every((word) => (left.get(word) ?? 0) > 0)) return false;
    for (const word of words) left.set(word, (left.get(word) ?? 0) - 1);
    return true;
  });
}

export function cellsOf({ header = [], rows = [] }: LayoutBlock): LayoutCell[] {
  return [header, ...rows].flat();
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).map(letters).filter(Boolean);
}

/** Whether an item's middle is in it. */
function holds(box: Rect | undefined, { x, y, width, height }: Rect): boolean {
  if (!box) return false;
  const [across, down] = [x + width / 2, y + height / 2];
  return across >= box.x && across <= box.x + box.width && down >= box.y && down <= box.y + box.height;
}

/** The blocks of a page that was laid out anew, with the tables that were not. */
export function withTables(blocks: readonly LayoutBlock[], tables: readonly LayoutBlock[]): LayoutBlock[] {
  const all = [...blocks];
  for (const table of tables) {
    const below = all.findIndex(({ bbox }) => bbox && table.bbox && isBelow(bbox, table.bbox));
    all.splice(below === -1 ? all.length : below, 0, table);
  }
  return all;
}

/** Under it in the same column. */
function isBelow(box: Rect, table: Rect): boolean {
  return box.y >= table.y && box.x < table.x + table.width && box.x + box.width > table.x;
}
