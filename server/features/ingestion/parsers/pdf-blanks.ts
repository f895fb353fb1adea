import type { LayoutBlock, LayoutCell, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse';

/**
 * Of the height of a line: two words that stand so far apart have a blank between them. Parts of one word that the
 * reader tells apart, as at another font, touch each other.
 */
const minBlank = 0.04;
const leader = /^[.·…_]{2,}$/u;
/** Written without blanks between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/**
 * The page with the blanks that the layout reader leaves out where they are narrow, as after a comma or before a
 * figure: `Section801(f)`, `25,00€bis`. It knows where each word stands, and only its lines lack them.
 */
export function withBlanks(page: ParsedPage): ParsedPage {
  const mended = mendedRuns(page.textItems);
  if (mended.size === 0) return page;
  // Around a run the layout reader may have written the signs of bold words.
  const mend = (text: string) => text.replace(/[^\s*]+/g, (run) => mended.get(run) ?? run);
  const textItems = page.textItems.map((item) => ({ ...item, text: mend(item.text) }));
  const blocks = page.blocks?.map((block) => mendedBlock(block, mend));
  return { ...page, textItems, ...(blocks && { blocks }) };
}

function mendedBlock(block: LayoutBlock, mend: (text: string) => string): LayoutBlock {
  const { text, lines, header, rows } = block;
  const cells = (row: LayoutCell[]) => row.map((cell) => ({ ...cell, text: mend(cell.text) }));
  return {
    ...block,
    ...(text !== undefined && { text: mend(text) }),
    ...(lines && { lines: lines.map(mend) }),
    ...(header && { header: cells(header) }),
    ...(rows && { rows: rows.map(cells) }),
  };
}

/** What stands without a blank in a line, and how it is with its blanks. */
function mendedRuns(items: readonly TextItem[]): Map<string, string> {
  const mended = new Map<string, string>();
  for (const item of items) {
    // The words of a line that stands on its side are not beside each other.
    if (item.rotation || item.words === undefined) continue;
    let [at, glued, apart] = [0, '', ''];
    const keep = () => {
      if (apart !== glued) mended.set(glued, apart);
    };
    for (const [i, word] of item.words.entries()) {
      const start = item.text.indexOf(word.text, at);
      if (start === -1) break;
      const before = item.words[i - 1];
      if (start === at && before) {
        apart += hasBlank(before, word, item.height) ? ` ${word.text}` : word.text;
        glued += word.text;
      } else {
        keep();
        [glued, apart] = [word.text, word.text];
      }
      at = start + word.text.length;
    }
    keep();
  }
  return mended;
}

function hasBlank(before: WordBox, word: WordBox, height: number): boolean {
  if (word.x - before.x - before.width < minBlank * height) return false;
  const [end, begin] = [before.text, word.text];
  if (leader.test(end) || leader.test(begin) || unspaced.test(end.slice(-1)) || unspaced.test(begin.slice(0, 1)))
    return false;
  // No blank is before what ends a word; a number whose thousands are set apart, and a word whose letters are, are one.
  if (/^[.,;:!?)\]%]/.test(begin) || (/\d$/.test(end) && /^\d/.test(begin))) return false;
  return !(/\p{L}$/u.test(end) && /^\p{L}/u.test(begin) && Math.min(end.length, begin.length) === 1);
}
