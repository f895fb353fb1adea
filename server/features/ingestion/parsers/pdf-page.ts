import type { LayoutBlock, LayoutCell, ParsedPage, Rect, TextItem } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { tableBlocks } from './table.ts';

/** Letters that are shown by one character of a font, and those of fonts that store Arabic as shapes. */
const presentationForms = /[\uFB00-\uFB06\uFB13-\uFB17\uFB1D-\uFDFB\uFE70-\uFEFC]/g;
/** "Page 3 of 10", "- 12 -", "iv". */
const pageNumber = /^\W*(page|seite|p\.|s\.|página|pagina)?\s*([\divxlc]{1,7})\s*((of|von|de|sur|di|\/)\s*\d+)?\W*$/i;

const remarks = new Set(
  'text freetext highlight underline strikeout squiggly stamp caret ink square circle line'.split(' '),
);

/** A block with the height at which it stands on its page. */
interface LaidOut {
  block: Block;
  top: number;
}

/** The blocks of a page in reading order; no line of it is lost but page numbers and running heads. */
export function pageBlocks(page: ParsedPage, running: RunningLines): Block[] {
  const brokenWords = wordsBrokenAtLineEnds(page.textItems);
  const laidOut = (page.blocks ?? []).flatMap((block) =>
    blocksOf(block, page, brokenWords).map((made) => ({ block: made, top: block.bbox?.y ?? 0 })),
  );
  for (const lost of lostLines(page, laidOut, running)) {
    const next = laidOut.findIndex(({ top }) => top > lost.top);
    laidOut.splice(next === -1 ? laidOut.length : next, 0, lost);
  }
  return [...laidOut.map(({ block }) => block), ...annotationBlocks(page)];
}

/** What readers wrote on the page: notes, and remarks on marked words. Of links and fields the page shows all there is. */
function annotationBlocks(page: ParsedPage): Block[] {
  const there = letters(page.textItems.map(({ text }) => text).join(''));
  return (page.annotations ?? []).flatMap(({ subtype, contents = '', title, rect }) => {
    const wanted = letters(contents);
    if (!remarks.has(subtype) || wanted === '' || there.includes(wanted)) return [];
    const text = subtype === 'freetext' ? contents : `Comment${title ? ` (${title})` : ''}: ${contents}`;
    return [{ kind: 'paragraph' as const, text, page: page.pageNum, ...boxOf(rect, page) }];
  });
}

function blocksOf(from: LayoutBlock, sheet: ParsedPage, brokenWords: Set<string>): Block[] {
  const text = joinBrokenWords(plainLetters(from.text ?? ''), brokenWords);
  const page = sheet.pageNum;
  const place = { page, ...boxOf(from.bbox, sheet) };
  switch (from.kind) {
    case 'heading':
      return [
        {
          kind: 'heading',
          level: Math.min(Math.max(from.level ?? 1, 1), 6),
          text: text.replaceAll('**', ''),
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
      return tableOf(from, sheet, brokenWords);
    default:
      return [];
  }
}

function tableOf(from: LayoutBlock, sheet: ParsedPage, brokenWords: Set<string>): Block[] {
  const cellText = ({ text }: LayoutCell) => joinBrokenWords(plainLetters(text).trim(), brokenWords);
  const header = from.header?.some((cell) => cell.text.trim() !== '') ? from.header : undefined;
  const rows = [...(header ? [header] : []), ...(from.rows ?? [])];
  const lines = new Set(sheet.textItems.map(({ text }) => letters(text)));
  // A line of prose above a table is taken for its first row, in pieces: on the page it is not divided.
  const isProse = (row: LayoutCell[] | undefined) =>
    row !== undefined &&
    row.filter(({ text }) => text.trim() !== '').length > 1 &&
    lines.has(letters(row.map(({ text }) => text).join('')));
  const found = rows.findIndex((row) => !isProse(row));
  const first = found === -1 ? rows.length : found;
  const prose = rows.slice(0, first).map(
    (row): Block => ({
      kind: 'paragraph',
      text: row.map(cellText).filter(Boolean).join(' '),
      page: sheet.pageNum,
      ...rowBox(row, sheet),
    }),
  );
  const table = tableBlocks(
    rows.slice(first).map((row) => row.map(cellText)),
    { page: sheet.pageNum, ...(header && first === 0 && { header: true }) },
  );
  return [...prose, ...table.map((block, index) => ({ ...block, ...rowBox(rows[first + index] ?? [], sheet) }))];
}

function rowBox(row: LayoutCell[], sheet: ParsedPage): Pick<Block, 'box'> {
  const boxes = row.flatMap(({ bbox }) => bbox ?? []);
  const [first, ...rest] = boxes;
  return boxOf(first && rest.reduce(union, first), sheet);
}

function boxOf(rect: Rect | undefined, { width, height }: ParsedPage): Pick<Block, 'box'> {
  if (!rect || width <= 0 || height <= 0) return {};
  const fraction = (value: number) => Math.round(Math.min(Math.max(value, 0), 1) * 10_000) / 10_000;
  return {
    box: [
      fraction(rect.x / width),
      fraction(rect.y / height),
      fraction((rect.x + rect.width) / width),
      fraction((rect.y + rect.height) / height),
    ],
  };
}

function union(a: Rect, b: Rect): Rect {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** Takes off Markdown's emphasis and escapes, which the layout reader writes into prose: quotes are the page's words. */
export function withoutMarkup(text: string): string {
  return text.replace(/\\([\\*_])|\*+/g, (_all, escaped: string | undefined) => escaped ?? '');
}

/** Ligatures and Arabic shapes as the letters that people type, as the PDF viewer's search does. */
export function plainLetters(text: string): string {
  return text.replace(presentationForms, (form) => form.normalize('NFKC'));
}

export function isRightToLeft(text: string): boolean {
  const sample = text.slice(0, 4000);
  const rightToLeft =
    sample.match(/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/gu)?.length ?? 0;
  return rightToLeft > (sample.match(/\p{L}/gu)?.length ?? 0) * 0.3;
}

/** Fonts without a character table give private or replacement characters: that is no text. */
export function hasReadableText(text: string): boolean {
  const characters = text.match(/\S/gu)?.length ?? 0;
  const unreadable = text.match(/[\p{Co}\p{Cc}\uFFFD]/gu)?.length ?? 0;
  return /[\p{L}\p{N}]/u.test(text) && unreadable < characters * 0.3;
}

function wordsBrokenAtLineEnds(items: TextItem[]): Set<string> {
  return new Set(items.flatMap(({ text }) => /(\p{L}+)-\s*$/u.exec(text)?.[1] ?? []));
}

/** "compi- lation" where a line ended after the hyphen, but not "short- and long-term". */
function joinBrokenWords(text: string, broken: Set<string>): string {
  if (broken.size === 0) return text;
  return text.replace(/(\p{L}+)-\s+(?=\p{Ll})(?!(and|or|und|oder|bzw|et|y|o|e)\b)/gu, (all, word: string) =>
    broken.has(word) ? word : all,
  );
}

/** Lines of the page that its layout leaves out, and that are not running heads. */
function lostLines(page: ParsedPage, kept: readonly LaidOut[], running: RunningLines): LaidOut[] {
  const there = letters(kept.map(({ block }) => block.text).join(''));
  const lost: (LaidOut & { rect: Rect })[] = [];
  for (const item of page.textItems.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const wanted = letters(item.text);
    if (wanted === '' || there.includes(wanted) || running.isRunning(item.text, page)) continue;
    const above = lost.at(-1);
    if (above && item.y - above.rect.y - above.rect.height < item.height * 0.8) {
      above.block.text += ` ${plainLetters(item.text)}`;
      above.rect = union(above.rect, item);
    } else {
      const block: Block = { kind: 'paragraph', text: plainLetters(item.text), page: page.pageNum };
      lost.push({ block, top: item.y, rect: union(item, item) });
    }
  }
  return lost.map(({ block, top, rect }) => ({ block: { ...block, ...boxOf(rect, page) }, top }));
}

function letters(text: string): string {
  return text.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Lines that were left out of a page as its head or foot. The first time they are content (a title, a notice), and are
 * kept; after that they would only repeat themselves in every search.
 */
export class RunningLines {
  readonly #seen = new Set<string>();
  /** Lines with a number that counts along with the pages: the page it was last on, and on how many in a row. */
  readonly #counting = new Map<string, { page: number; times: number }>();

  isRunning(line: string, { pageNum }: { pageNum: number }): boolean {
    if (pageNumber.test(line.trim())) return true;
    const key = line.trim();
    const repeats = this.#seen.has(key);
    this.#seen.add(key);
    const counts = [/\d+/, /\d+(?=\D*$)/].map((number) => this.#countsAlong(key, number, pageNum));
    return repeats || counts.includes(true);
  }

  /** "Manual 2" on page 3, "Manual 3" on page 4: the third such line is a page's number, not a chapter's. */
  #countsAlong(line: string, number: RegExp, page: number): boolean {
    if (!number.test(line)) return false;
    const key = `${number.source} ${line.replace(number, (digits) => `#${Number(digits) - page}`)}`;
    const before = this.#counting.get(key);
    const times = before && page > before.page && page - before.page <= 2 ? before.times + 1 : 1;
    this.#counting.set(key, { page, times });
    return times > 2;
  }
}
