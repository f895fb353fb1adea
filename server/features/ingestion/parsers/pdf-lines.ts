import type { TextItem } from '@llamaindex/liteparse';

/** A run of words on one line that no wide gap divides: a cell of a table, or a line of a paragraph. In points. */
export interface Segment {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
  bold: boolean;
  /** Its words with their places, where they are known. */
  words: Word[];
}

/** Where several stand, as one. */
export function boundsOf(all: readonly Segment[]): Pick<Segment, 'left' | 'right' | 'top' | 'bottom'> {
  return {
    left: Math.min(...all.map(({ left }) => left)),
    right: Math.max(...all.map(({ right }) => right)),
    top: Math.min(...all.map(({ top }) => top)),
    bottom: Math.max(...all.map(({ bottom }) => bottom)),
  };
}

export interface Word {
  text: string;
  left: number;
  right: number;
}

/** What stands at one height of a page, from left to right. */
export interface Line {
  segments: Segment[];
  top: number;
  bottom: number;
}

/** Of the height of letters: a wider gap parts two cells. Between words of prose it is a quarter to a half. */
const widestSpace = 0.62;
/** Of the height of the smaller one: how far two pieces of a line must overlap. */
const sameLine = 0.55;
/** The same between words that the reader put into one item. */
const widestInside = 0.8;
/** Of the height of figures: what parts two of them at least, and a blank between thousands at most. */
const minGap = 0.2;
const widestBlank = 0.4;
const leading = /^[\s(+\u2212\u2013-]*(?:[$€£¥]\s?)?\d{1,3}(?:[ \u00a0\u202f]\d{3})*$/u;
const thousands = /^\d{3}(?:[ \u00a0\u202f]\d{3})*(?:[.,]\d{1,2})?[)%]*$/u;
const figure =
  /^[\s(<>~≈±+\u2212\u2013\u2014-]*(?:[A-Z]{0,3}[$€£¥₹]|CHF|EUR|USD|GBP|T€|TEUR)?[\s(+\u2212\u2013-]*\d[\d.,'’\u00a0\u202f ]*(?:[)%‰*†]|\s?(?:€|\$|£|¥|%|pp|bps|x|EUR|USD|CHF|[kKmMbB]|mn|bn|Mio\.?|Mrd\.?|T€))*(?:\s*\(?\d?\)?)$/u;
const date =
  /^(?:(?:FY|CY|Q[1-4]|H[12])?[\s/'’-]*(?:19|20)\d\d(?:\s*[/–-]\s*(?:(?:19|20)?\d\d))?[*†]?|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d|(?:FY|Q[1-4]|H[12])\s?['’]?\d\d)$/u;
const filler =
  /^(?:[-\u2010-\u2015\u2212.·*]+|n\/?a\.?|n\.a\.|nil|none|N\/A|DNP|DNR|[$€£]\s*[-\u2013\u2014]+|\u2026|x)$/iu;
/** A currency sign in a place of its own, at the left edge of its column. */
const currency = /^(?:[$€£¥]|US\$|CHF|EUR|USD)$/;
/** What belongs to the figure before it, in a place of its own. */
const closing = /^(?:\)|%|\)%|%\))$/;
const bold = /bold|black|heavy|semibold|demi/i;

/** The text of a page by lines; rotated text, which is on no line, is left out. */
export function linesOf(items: readonly TextItem[]): Line[] {
  const pieces = items.filter((item) => !item.rotation && item.text.trim() !== '').flatMap(piecesOf);
  pieces.sort((a, b) => a.top + a.bottom - b.top - b.bottom);
  const lines: Line[] = [];
  for (const piece of pieces) {
    // Pieces come by height, so that only the last few lines can be the one.
    const line = lines.slice(-4).findLast((each) => isBeside(each, piece));
    if (line) {
      line.segments.push(piece);
      line.top = Math.min(line.top, piece.top);
      line.bottom = Math.max(line.bottom, piece.bottom);
    } else lines.push({ segments: [piece], top: piece.top, bottom: piece.bottom });
  }
  return lines
    .map((line) => ({ ...line, segments: joined(line.segments.sort((a, b) => a.left - b.left)) }))
    .sort((a, b) => a.top - b.top);
}

/** Small letters on a tall line are on it, two lines that touch are not one. */
function isBeside(line: Line, piece: Segment): boolean {
  const shared = Math.min(line.bottom, piece.bottom) - Math.max(line.top, piece.top);
  return shared > Math.min(line.bottom - line.top, piece.bottom - piece.top) * sameLine;
}

/** An item in pieces where the reader put words together over a wide gap, or two figures. */
function piecesOf(item: TextItem): Segment[] {
  const words = (item.words ?? []).map(({ text, x, width }) => ({ text, left: x, right: x + width }));
  const all: Segment = {
    text: item.text.trim(),
    left: item.x,
    right: item.x + item.width,
    top: item.y,
    bottom: item.y + item.height,
    bold: (item.fontWeight ?? 0) >= 600 || bold.test(item.fontName ?? ''),
    words,
  };
  const height = item.height;
  const cuts = words.flatMap((word, i) => {
    const before = words[i - 1];
    if (!before) return [];
    const gap = word.left - before.right;
    // `(3,973)  $ 4,747`: the sign stands further from this figure than a word would, and is the next one's.
    const isOfNext = currency.test(word.text) && isFigure(before.text) && gap > height * widestSpace;
    return gap > height * widestInside || isOfNext || areTwoFigures(before, word, gap / height) ? [i] : [];
  });
  if (cuts.length === 0) return [all];
  return [0, ...cuts].map((from, i) => ofWords(all, words.slice(from, cuts[i])));
}

/** A segment of some of another one's words. */
export function ofWords(whole: Segment, words: Word[]): Segment {
  return {
    ...whole,
    words,
    text: words.map(({ text }) => text).join(' '),
    left: words[0]?.left ?? whole.left,
    right: words.at(-1)?.right ?? whole.right,
  };
}

/** Pieces that no wide gap divides are one; a currency sign belongs to its figure however far it stands from it. */
function joined(pieces: readonly Segment[]): Segment[] {
  const segments: Segment[] = [];
  for (const piece of pieces) {
    const last = segments.at(-1);
    if (last && belongs(last, piece)) {
      const gap = piece.left - last.right;
      last.text += gap > (piece.bottom - piece.top) * 0.12 ? ` ${piece.text}` : piece.text;
      last.words = [...wordsOf(last), ...wordsOf(piece)];
      last.right = Math.max(last.right, piece.right);
      last.top = Math.min(last.top, piece.top);
      last.bottom = Math.max(last.bottom, piece.bottom);
      last.bold &&= piece.bold;
    } else segments.push({ ...piece });
  }
  return segments;
}

function belongs(last: Segment, piece: Segment): boolean {
  // Beside a tall figure two lines of a label are on one line with it, and not with each other.
  if (!isBeside({ segments: [], top: last.top, bottom: last.bottom }, piece)) return false;
  const gap = piece.left - last.right;
  const height = Math.min(piece.bottom - piece.top, last.bottom - last.top);
  if (currency.test(last.text) && /^[\d(.,\u2013\u2014-]/.test(piece.text)) return true;
  if (closing.test(piece.text) && gap < height * 2) return true;
  if (areTwoFigures(last, piece, gap / height)) return false;
  return gap < height * widestSpace;
}

/**
 * Whether figures beside each other are of two columns, and not one whose thousands a blank parts (`1 996 959`).
 * @param gap as a share of their height
 */
function areTwoFigures(before: { text: string }, next: { text: string }, gap: number): boolean {
  if (gap <= minGap || !isFigure(before.text) || !isFigure(next.text)) return false;
  return gap >= widestBlank || !leading.test(before.text) || !thousands.test(next.text);
}

function wordsOf(segment: Segment): Word[] {
  return segment.words.length > 0 ? segment.words : [{ text: segment.text, left: segment.left, right: segment.right }];
}

/** A number as tables have them: `1,234.5`, `(12)`, `$ 8,949`, `2.339.176 €`, `12 %`; not a year, not a date. */
export function isFigure(text: string): boolean {
  return figure.test(text) && !date.test(text);
}

/** A single number whose thousands blanks part: `1 996 959`. */
export function hasThousandsApart(text: string): boolean {
  const [first = '', ...more] = text.split(/[ \u00a0\u202f]/);
  return more.length > 0 && leading.test(first) && more.every((each) => thousands.test(each));
}

/** What stands in a cell of figures where there is none. */
export function isFiller(text: string): boolean {
  return filler.test(text);
}

/** A year, a day, a quarter: what may name a column. */
export function isDate(text: string): boolean {
  return date.test(text);
}

/** Where something begins and ends from left to right. */
export interface Span {
  left: number;
  right: number;
}

/** How much of two spans is the same; below 0, how far they are apart. */
export function overlap(a: Span, b: Span): number {
  return Math.min(a.right, b.right) - Math.max(a.left, b.left);
}

/** The column in which most of it stands, or the nearest one. */
export function columnOf(span: Span, columns: readonly Span[]): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (const [i, column] of columns.entries()) {
    const shared = overlap(column, span);
    if (shared > most) {
      most = shared;
      best = i;
    }
  }
  return best;
}
