import { boundsOf, columnOf, isFigure, isFiller, type Line, type Segment, type Span } from './pdf-lines.ts';
import { unitIn } from './table-unit.ts';

/** What may be a table: its columns, its lines, and what stands above them, from the top. In points. */
export interface Body {
  columns: Span[];
  lines: Line[];
  above: Line[];
}

export interface TableRow {
  /** One for each column, that of the labels first. */
  cells: string[];
  /** It names the columns. */
  header: boolean;
  /** The labels that it stands below, outermost first. */
  parents: string[];
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface PdfTable {
  rows: TableRow[];
  /** The names of the columns, several lines as one; none where the table has no header. */
  columns: string[];
  /** Where its columns begin and end: a table that goes on upon the next page has them at the same places. */
  spans: Span[];
  caption?: string;
  unit?: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface RawRow {
  cells: Segment[][];
  top: number;
  bottom: number;
  header: boolean;
}

const maxHeaderLines = 6;
const maxCaptionLines = 3;
const maxCaptionLength = 16;
const maxHeadLength = 9;
/** Points: figures stand to the right, and what names them may begin further left. */
const nearHead = 12;
const maxParents = 6;
const maxParentLength = 120;
/** Of the labels, those of several words that begin small. */
const maxBegun = 0.4;
/** Of the cells, those that hold two figures: a sign that the columns are wrong. */
const maxDoubled = 0.08;
const numbered = /^(?:table|tabelle|tableau|tabla|tabela|exhibit|figure|abbildung|schedule|anlage)\s+[\dA-Z]/i;
const goesOn =
  /(?:[,&/(–-]|\s(?:and|or|of|the|for|to|in|on|from|with|by|at|und|oder|der|die|das|von|für|mit|aus|zur|zum|et|de|des|du|la|y|e|del))$/i;
/** Closes what stands above it, and is above nothing. */
const total = /^(?:sub-?)?total\b|\btotal$|^(?:summe|gesamt)/i;
/** @returns null where the lines are no table: figures without labels, or in no columns */
export function tableOf({ columns, lines, above }: Body): PdfTable | null {
  const { heads, labels, caption } = readAbove(above, columns, lines[0]);
  const raw = merged([...labels, ...lines].map((line) => rawRow(line, columns)));
  const figures = raw.filter(({ cells }) => cells.slice(1).some((cell) => cell.some(({ text }) => isFigure(text))));
  const labelled = figures.filter(({ cells }) => /\p{L}|\d{4}/u.test(textOf(cells[0])));
  if (labelled.length < 2 || labelled.length < figures.length / 2) return null;
  // Lines of prose beside figures begin in the middle of a sentence.
  const begun = labelled.filter(({ cells }) => /^\p{Ll}\S*\s+\S+\s+\S/u.test(textOf(cells[0])));
  if (begun.length > labelled.length * maxBegun) return null;
  const filled = raw.flatMap(({ cells }) => cells.slice(1).filter((cell) => cell.length > 0));
  const doubled = filled.filter((cell) => cell.filter(({ text }) => isFigure(text)).length > 1);
  if (doubled.length > filled.length * maxDoubled) return null;
  const named = heads.map((line) => ({ ...rawRow(line, columns, true), header: true }));
  const names = columns.map((column, i) =>
    heads
      .flatMap(({ segments }) => segments.filter((each) => belongsTo(each, column, i, columns)))
      .map(({ text }) => text)
      .join(' '),
  );
  const rows = [...named, ...withParents(raw)].map(finished);
  const measured = unitIn([...caption, ...names]);
  return {
    rows,
    columns: heads.length > 0 ? names : [],
    spans: columns,
    ...(caption.length > 0 && { caption: caption.join(' – ') }),
    ...(measured && { unit: measured }),
    left: Math.min(...rows.map(({ left }) => left)),
    top: Math.min(...rows.map(({ top }) => top)),
    right: Math.max(...rows.map(({ right }) => right)),
    bottom: Math.max(...rows.map(({ bottom }) => bottom)),
  };
}

/** A head that stands over several columns names each of them. */
function belongsTo(segment: Segment, column: Body['columns'][number], i: number, columns: Body['columns']): boolean {
  if (columnOf(segment, columns) === i) return true;
  const middle = (column.left + column.right) / 2;
  return i > 0 && segment.left <= middle && segment.right >= middle;
}

/** What stands above the first row with figures: captions, lines that name the columns, and labels below those. */
function readAbove(above: Line[], columns: Body['columns'], first: Line | undefined) {
  const values = columns.slice(1);
  const start = values[0]?.left ?? 0;
  const end = values.at(-1)?.right ?? 0;
  const heads: Line[] = [];
  let labels: Line[] = [];
  let next = first;
  let i = above.length - 1;
  for (; i >= 0 && next; i--) {
    const line = above[i];
    if (!line) break;
    const height = line.bottom - line.top;
    const gap = next.top - line.bottom;
    const over = line.segments.filter(
      (each) =>
        each.right > start - nearHead &&
        each.left < end + 30 &&
        values.some((column) => column.right > each.left - nearHead && column.left < each.right + nearHead),
    );
    const isTitle = line.segments.length === 1 && (over[0]?.left ?? start) < start - (end - start) * 0.15 - 20;
    const isBeside = heads.length > 0 && gap < -height * 0.25;
    const isHead =
      (isBeside || (over.length > 0 && !isTitle)) &&
      line.segments.every(({ text }) => !isFigure(text) && text.split(' ').length <= maxHeadLength);
    if (isHead && heads.length < maxHeaderLines && gap < height * (heads.length > 0 ? 1.2 : 3)) heads.unshift(line);
    else if (
      heads.length === 0 &&
      over.length === 0 &&
      labels.length < 3 &&
      gap < height * 3 &&
      line.segments.length === 1 &&
      line.segments.every(({ text, right }) => right <= start && text.split(' ').length <= 10)
    )
      labels.unshift(line);
    else break;
    next = line;
  }
  if (heads.length === 0) {
    // Without heads they may be anything, but for what stands beside the first figures.
    const beside = labels.filter((line) => first && line.bottom - first.top > (line.bottom - line.top) * 0.25);
    i += labels.length - beside.length;
    next = beside[0] ?? first;
    labels = beside;
  }
  return { heads, labels, caption: captionAbove(above.slice(0, i + 1), next) };
}

function captionAbove(above: Line[], first: Line | undefined): string[] {
  const caption: string[] = [];
  let next = first;
  for (const line of above.toReversed()) {
    const [only, ...others] = line.segments;
    const gap = next ? next.top - line.bottom : 0;
    const words = only?.text.split(' ').length ?? 0;
    if (!only || others.length > 0 || words > maxCaptionLength || caption.length >= maxCaptionLines) break;
    if (gap > (line.bottom - line.top) * 3.5 || /[.;,]$/.test(only.text) || isFigure(only.text)) break;
    caption.unshift(only.text);
    next = line;
    if (numbered.test(only.text)) break;
  }
  return caption;
}

function rawRow(line: Line, columns: Body['columns'], isHead = false): RawRow {
  const cells: Segment[][] = columns.map(() => []);
  for (const segment of line.segments) {
    const start = columns[1]?.left ?? 0;
    // A long label may reach below the figures: it is where it begins. A head may be wider than its column.
    const isLabel = segment.left < start - 1 && !isFigure(segment.text) && (!isHead || segment.right < start);
    cells[isLabel ? 0 : columnOf(segment, columns)]?.push(segment);
  }
  return { cells, top: line.top, bottom: line.bottom, header: false };
}

/** Lines whose label or words go on from the line before, as one row; two labels never are. */
function merged(lines: RawRow[]): RawRow[] {
  const rows: RawRow[] = [];
  const right = Math.max(...lines.flatMap(({ cells }) => cells[0]?.map((each) => each.right) ?? []), 0);
  for (const [i, line] of lines.entries()) {
    const above = rows.at(-1);
    if (above && (isOneRow(above, line, right) || isAttached(above, line, lines[i + 1]))) {
      above.cells = above.cells.map((cell, i) => [...cell, ...(line.cells[i] ?? [])]);
      above.top = Math.min(above.top, line.top);
      above.bottom = Math.max(above.bottom, line.bottom);
    } else rows.push({ ...line });
  }
  return rows;
}

function isOneRow(above: RawRow, line: RawRow, right: number): boolean {
  // Words go on in their column where nothing stands before them; two figures never are in one cell.
  const isLabelled = (line.cells[0]?.length ?? 0) > 0;
  const collides = above.cells.some((cell, i) => {
    const more = line.cells[i] ?? [];
    return i > 0 && cell.length > 0 && more.length > 0 && (isLabelled || [...cell, ...more].some(isValue));
  });
  if (collides) return false;
  const height = Math.min(above.bottom - above.top, line.bottom - line.top);
  const hasValues = [above, line].map(({ cells }) => cells.slice(1).some((cell) => cell.length > 0));
  if (!hasValues[0] && !hasValues[1] && !isWrapped(above, line, right)) return false;
  const isTight = line.top - above.bottom < height * 0.6;
  if (!isLabelled && hasValues[1] && !line.cells.some((cell) => cell.some(isValue)) && isTight) return true;
  // Values that stand between the two lines of their label overlap both.
  if (line.top < above.bottom - height * 0.25) return true;
  return isTight && isWrapped(above, line, right);
}

/** A line of words close below a row and far above the next one is the row's. */
function isAttached(above: RawRow, line: RawRow, next: RawRow | undefined): boolean {
  const height = line.bottom - line.top;
  const before = line.top - above.bottom;
  const isOnlyLabel = line.cells.every((cell, i) => (i === 0 ? cell.length > 0 : cell.length === 0));
  return (
    isOnlyLabel &&
    next !== undefined &&
    before < height * 0.5 &&
    next.top - line.bottom > Math.max(before * 2, height * 0.6)
  );
}

function isValue({ text }: Segment): boolean {
  return isFigure(text) || isFiller(text);
}

/** Whether a label was broken because its next word did not fit, and reads on. */
function isWrapped(above: RawRow, line: RawRow, right: number): boolean {
  const last = above.cells[0]?.at(-1);
  const next = line.cells[0]?.[0];
  if (!last || !next) return false;
  const word = next.text.split(' ')[0] ?? '';
  const width = ((next.right - next.left) / Math.max(next.text.length, 1)) * (word.length + 1);
  const readsOn = /^\p{Ll}/u.test(next.text) || goesOn.test(last.text);
  return readsOn && last.right + width > right - (next.bottom - next.top) && Math.abs(next.left - last.left) < 30;
}

/** Each row with the labels above it: those that begin further left, and those without figures at the same place. */
function withParents(rows: RawRow[]): (RawRow & { parents: string[] })[] {
  const open: { left: number; text: string; isOnlyLabel: boolean; bold: boolean }[] = [];
  return rows.map((row) => {
    const [label] = row.cells;
    const text = textOf(label).slice(0, maxParentLength);
    const first = label?.[0];
    const isOnlyLabel = row.cells.slice(1).every((cell) => cell.length === 0);
    if (first) {
      const ends = (each: (typeof open)[number]) => {
        if (each.left > first.left + 2) return true;
        if (each.left < first.left - 2) return false;
        return !each.isOnlyLabel || isOnlyLabel || (first.bold && each.bold) || total.test(text);
      };
      while (open.length > 0 && ends(open[open.length - 1] ?? { left: 0, text, isOnlyLabel, bold: false })) open.pop();
    }
    const parents = open.slice(-maxParents).map((each) => each.text);
    if (first && !total.test(text)) open.push({ left: first.left, text, isOnlyLabel, bold: first.bold });
    return { ...row, parents };
  });
}

function finished(row: RawRow & { parents?: string[] }): TableRow {
  return {
    cells: row.cells.map(textOf),
    header: row.header,
    parents: row.parents ?? [],
    ...boundsOf(row.cells.flat()),
  };
}

function textOf(cell: readonly Segment[] | undefined): string {
  return (cell ?? [])
    .toSorted((a, b) => (Math.abs(a.top - b.top) > (a.bottom - a.top) * 0.4 ? a.top - b.top : a.left - b.left))
    .map(({ text }) => text)
    .join(' ');
}
