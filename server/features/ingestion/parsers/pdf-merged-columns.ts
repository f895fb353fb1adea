import type { LayoutBlock, ParsedPage, Rect, TextItem } from '@llamaindex/liteparse';
import { union } from './pdf-boxes.ts';
import { isFalseTable } from './pdf-false-tables.ts';
import { itemsOf } from './pdf-kept-tables.ts';
import { letters, withoutMarkup } from './pdf-letters.ts';
import { type Line, linesOf, type Segment } from './pdf-lines.ts';
import { beginsInside, endsInside } from './pdf-sentence-ends.ts';

/** So many lines are merged where it is no accident. */
const minMerged = 3;
/** Points by which the lines of a column may begin beside each other. */
const besideStart = 3;
/** Words on either side of the gap that tell in a block whether both columns are one line there. */
const tellingWords = 2;
/** A column of prose has so many words on a line; of its lines, so many go on in the middle of a sentence. */
const minWords = 3;
const minGoingOn = 0.35;
/** Of the height of a line: what is no further below it goes on with it. */
const maxLeading = 0.8;

/** A page whose columns are apart, for the layout reader. */
export interface Parted {
  /** What stands above the two columns, the left one, the right one, what stands below, and so on. */
  parts: TextItem[][];
  /** Tables above and below them, whose words are not among these. */
  tables: LayoutBlock[];
}

/** Two segments of one line that the layout reader has merged. */
interface Merged {
  right: Segment;
  line: Line;
}

/** From where to where a page has two columns. */
interface Band {
  top: number;
  bottom: number;
}

/**
 * Parts the columns that the layout reader has merged: where two columns of prose stand close to each other for a few
 * lines, it reads across them, and says what nobody has written.
 * @returns null where it has merged none
 */
export function partedColumns(page: Pick<ParsedPage, 'textItems' | 'blocks'>): Parted | null {
  const texts = (page.blocks ?? []).filter(({ kind }) => kind !== 'table').map(({ text = '' }) => letters(text));
  const lines = linesOf(page.textItems);
  const merged = lines.flatMap((line) =>
    line.segments.flatMap((right, i) => {
      const left = line.segments[i - 1];
      return left && areMerged(left, right, texts) ? [{ right, line }] : [];
    }),
  );
  const start = commonStart(merged);
  if (start === null) return null;
  const beside = new Set(merged.filter(({ right }) => isAt(right, start)).map(({ line }) => line));
  const bands = runsBeside(lines, start).flatMap((run) => bandOf(run, beside, start) ?? []);
  if (bands.length === 0) return null;
  const tables = (page.blocks ?? []).filter(
    (block) => block.kind === 'table' && !bands.some(reachesInto(block.bbox)) && !isFalseTable(block, lines),
  );
  const inTables = new Set(tables.flatMap((table) => itemsOf(table, page.textItems)));
  const parts: TextItem[][] = Array.from({ length: bands.length * 3 + 1 }, () => []);
  for (const item of page.textItems) {
    if (inTables.has(item)) continue;
    const [x, y] = [item.x + item.width / 2, item.y + item.height / 2];
    const before = bands.filter(({ bottom }) => bottom < y).length;
    const band = bands[before];
    parts[before * 3 + (band && y >= band.top ? (x < start ? 1 : 2) : 0)]?.push(item);
  }
  return { parts: parts.filter((part) => part.length > 0), tables };
}

/** The blocks of all parts as a page has them: a sentence that goes on in the next column is one. */
export function blocksOfParts(parts: readonly LayoutBlock[][]): LayoutBlock[] {
  const all: LayoutBlock[] = [];
  for (const [first, ...others] of parts) {
    const last = all.at(-1);
    if (last && first && goesOn(last, first)) all[all.length - 1] = together(last, first);
    else if (first) all.push(first);
    all.push(...others);
  }
  return all;
}

function goesOn(last: LayoutBlock, first: LayoutBlock): boolean {
  const isText = (last.kind === 'paragraph' || last.kind === 'list_item') && first.kind === 'paragraph';
  return isText && endsInside(withoutMarkup(last.text ?? '')) && beginsInside(withoutMarkup(first.text ?? ''));
}

function together(last: LayoutBlock, first: LayoutBlock): LayoutBlock {
  const bbox = last.bbox && first.bbox && union(last.bbox, first.bbox);
  return { ...last, text: `${last.text} ${first.text}`, ...(bbox && { bbox }) };
}

function reachesInto(box: Rect | undefined) {
  return ({ top, bottom }: Band) => !box || (box.y < bottom && box.y + box.height > top);
}

/** Lines below each other of which none reaches over the place where the right column begins. */
function runsBeside(lines: readonly Line[], start: number): Line[][] {
  const runs: Line[][] = [[]];
  for (const line of lines) {
    if (line.segments.some(({ left, right }) => left < start - besideStart && right > start + besideStart))
      runs.push([]);
    else runs.at(-1)?.push(line);
  }
  return runs;
}

/** The part of a run that is two columns of prose, with the lines of either that go on above and below it. */
function bandOf(run: readonly Line[], beside: ReadonlySet<Line>, start: number): Band | null {
  const from = run.findIndex((line) => beside.has(line));
  const to = run.findLastIndex((line) => beside.has(line));
  const inside = run.slice(from, to + 1);
  if (inside.filter((line) => beside.has(line)).length < minMerged) return null;
  const segments = inside.flatMap((line) => line.segments);
  const columns = [
    segments.filter(({ left }) => left < start - besideStart),
    segments.filter((each) => isAt(each, start)),
  ];
  if (!columns.every(isProse)) return null;
  const isNext = (above: Line | undefined, below: Line | undefined) =>
    above && below && below.top - above.bottom < (below.bottom - below.top) * maxLeading;
  let [first, last] = [from, to];
  while (isNext(run[first - 1], run[first])) first--;
  while (isNext(run[last], run[last + 1])) last++;
  return { top: (run[first]?.top ?? 0) - 0.5, bottom: (run[last]?.bottom ?? 0) + 0.5 };
}

function isAt({ left }: Segment, start: number): boolean {
  return Math.abs(left - start) <= besideStart;
}

/** Whether a block has the end of one segment right before the beginning of the next one. */
function areMerged(left: Segment, right: Segment, texts: readonly string[]): boolean {
  const [before, behind] = [left.text.split(/\s+/), right.text.split(/\s+/)];
  if (before.length < tellingWords || behind.length < tellingWords) return false;
  const both = letters(before.slice(-tellingWords).join('') + behind.slice(0, tellingWords).join(''));
  return /\p{L}{4}/u.test(both) && texts.some((text) => text.includes(both));
}

/** Where the right column begins, in points; null where there is none. */
function commonStart(merged: readonly Merged[]): number | null {
  const starts = merged.map(({ right }) => right.left);
  const counted = starts.map((start) => ({
    start,
    lines: starts.filter((other) => Math.abs(other - start) <= besideStart).length,
  }));
  const [best] = counted.toSorted((one, other) => other.lines - one.lines);
  return best && best.lines >= minMerged ? best.start : null;
}

/** Lines that are filled with words, and of which one goes on with the sentence of the one above. */
function isProse(lines: readonly Segment[]): boolean {
  const filled = lines.filter(({ text }) => text.split(/\s+/).length >= minWords);
  const goingOn = lines.slice(1).filter(({ text }) => /^\p{Ll}/u.test(text));
  return filled.length >= minMerged && goingOn.length >= (lines.length - 1) * minGoingOn;
}
