import {
  columnOf,
  hasThousandsApart,
  isDate,
  isFigure,
  isFiller,
  type Line,
  ofWords,
  overlap,
  type Segment,
  type Span,
} from './pdf-lines.ts';
import { type Body, type PdfTable, tableOf } from './pdf-table-rows.ts';

/** A line of a table has a figure behind a label. */
const minRows = 2;
/** Of the height of a line: a wider gap ends a table, unless the figures behind it stand under those before it. */
const widestGap = 2.5;
const widestGapInLine = 9;
/** Lines without a figure in a row: more are no labels of rows. */
const maxLabels = 4;
const maxLabelLength = 14;
/** Points between a figure and what stands for none in its column. */
const fromFiller = 15;
/** Lines above a table that may name its columns, or it. */
const linesAbove = 8;

/**
 * The tables of figures on a page, found by where words stand: rows in which figures stand under each other, with
 * labels before them. Tables of words, and those that only rules make, are found by the layout reader.
 * @param lines without what is known to be prose
 */
export function findTables(lines: readonly Line[]): PdfTable[] {
  const groups = groupsOf(lines);
  const inGroups = new Set(groups.flat());
  return groups.flatMap((group) => {
    const cut = sideBySide(group);
    const table = cut === null ? tableOf(bodyOf(group, lines)) : null;
    if (cut === null) return table ? [table] : [];
    // With what stands above: each side has its own heads.
    const first = lines.findIndex((line) => line.top >= (group[0]?.top ?? 0));
    const above = lines.slice(Math.max(0, first - linesAbove), first).filter((line) => !inGroups.has(line));
    const around = [...above, ...group];
    return [parts(around, ({ left }) => left < cut), parts(around, ({ left }) => left >= cut)].flatMap(findTables);
  });
}

/** "48,968 thousand barrels". */
const quantity = /^[$€£]?\d[\d.,]*(?:\s+\p{L}[\p{L}.]*){1,3}$/u;
const isValue = ({ text }: Segment) => isFigure(text) || isFiller(text) || quantity.test(text);
const hasFigure = ({ segments }: Line) => segments.length > 1 && segments.slice(1).some(({ text }) => isFigure(text));

/** Runs of lines that may be tables: each begins and ends with a line that has figures. */
function groupsOf(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = [];
  let group: Line[] = [];
  /** Lines after the last one with figures, which belong to the table if another one follows. */
  let between: Line[] = [];
  const close = () => {
    if (group.filter(hasFigure).length >= minRows) groups.push(group);
    group = [];
    between = [];
  };
  for (const line of lines) {
    const last = between.at(-1) ?? group.at(-1);
    const height = line.bottom - line.top;
    const gap = last ? line.top - last.bottom : 0;
    if (hasFigure(line)) {
      const isUnder = standsUnder(line, group);
      const goesOn = isUnder ? gap < height * widestGapInLine : gap < height * widestGap && between.length === 0;
      // What names the columns anew begins a table of its own.
      if (group.length > 0 && (!goesOn || between.some((each) => isHead(each, group)))) close();
      group.push(...between, line);
      between = [];
      continue;
    }
    if (group.length === 0) continue;
    const words = line.segments.reduce((sum, { text }) => sum + text.split(' ').length, 0);
    const isLabel = line.segments.length === 1 ? words <= maxLabelLength : words <= maxLabelLength * 2;
    if (!isLabel || gap > height * widestGapInLine || between.length >= maxLabels) close();
    else between.push(line);
  }
  close();
  return groups;
}

function isHead({ segments }: Line, group: readonly Line[]): boolean {
  const over = segments.filter((each) =>
    group.some((line) => line.segments.some((other, i) => i > 0 && isValue(other) && overlap(each, other) > 0)),
  );
  return over.length > 1 || (segments.length > 1 && over.some(({ text }) => isDate(text)));
}

/** Whether one of a line's figures stands under one of the group's. */
function standsUnder(line: Line, group: readonly Line[]): boolean {
  return line.segments.some(
    (segment, i) =>
      i > 0 &&
      isValue(segment) &&
      group.some((above) => above.segments.some((other, k) => k > 0 && isValue(other) && overlap(segment, other) > 0)),
  );
}

/** Spans that touch each other as one, from left to right. */
function united(spans: readonly Span[]): (Span & { count: number })[] {
  const result: (Span & { count: number })[] = [];
  for (const span of spans.toSorted((a, b) => a.left - b.left)) {
    const last = result.at(-1);
    if (last && span.left < last.right) {
      last.right = Math.max(last.right, span.right);
      last.count++;
    } else result.push({ left: span.left, right: span.right, count: 1 });
  }
  return result;
}

/**
 * Where two tables stand beside each other: labels stand behind figures, and the lines of the two sides are not the
 * same.
 * @returns the place between them; null for one table
 */
function sideBySide(group: readonly Line[]): number | null {
  const figures = united(group.flatMap(({ segments }) => segments.filter((each, i) => i > 0 && isValue(each))));
  const first = figures[0];
  const last = figures.at(-1);
  if (!first || !last) return null;
  const labels = group.flatMap(({ segments }) =>
    segments.filter(
      (each) =>
        !isValue(each) &&
        !isDate(each.text) &&
        each.left >= first.right &&
        each.right <= last.right &&
        figures.every((column) => overlap(column, each) <= 0),
    ),
  );
  for (const column of united(labels)) {
    if (column.count < 3 || !figures.some(({ left }) => left >= column.right)) continue;
    const cut = column.left - 0.5;
    const left = parts(group, (each) => each.left < cut);
    const right = parts(group, (each) => each.left >= cut);
    const both = right.filter((line) => left.some((other) => Math.abs(other.top - line.top) < 2));
    if (left.length > 0 && (both.length < left.length * 0.9 || both.length < right.length * 0.9)) return cut;
  }
  return null;
}

function parts(group: readonly Line[], which: (segment: Segment) => boolean): Line[] {
  return group.flatMap((line) => {
    const segments = line.segments.filter(which);
    if (segments.length === 0) return [];
    const top = Math.min(...segments.map((each) => each.top));
    return [{ segments, top, bottom: Math.max(...segments.map((each) => each.bottom)) }];
  });
}

/** The columns of figures; what stands for none is in the nearest one. */
function columnsOf(group: readonly Line[]): Span[] {
  const behind = group.flatMap(({ segments }) => segments.slice(1).filter(isValue));
  const columns = united(behind.filter(({ text }) => !isFiller(text)));
  const lone: Span[] = [];
  for (const filler of behind.filter(({ text }) => isFiller(text))) {
    const column = columns[columnOf(filler, columns)];
    if (column && overlap(column, filler) > -fromFiller) {
      column.left = Math.min(column.left, filler.left);
      column.right = Math.max(column.right, filler.right);
    } else lone.push(filler);
  }
  return [...columns, ...united(lone)].sort((a, b) => a.left - b.left);
}

/** The columns of a group, its lines cut at them, and the lines above it that may name the columns. */
function bodyOf(group: readonly Line[], lines: readonly Line[]): Body {
  const values = columnsOf(group);
  const start = values[0]?.left ?? 0;
  const labels = group.flatMap(({ segments }) => segments.filter((each) => each.left < start - 1 && !isSpanning(each)));
  const rest = group.flatMap(({ segments }) =>
    segments.filter((each) => each.left >= start && values.every((column) => overlap(column, each) <= 0)),
  );
  const label = {
    left: Math.min(...labels.map(({ left }) => left), start - 1),
    right: Math.max(...labels.map(({ right }) => Math.min(right, start - 1)), 0),
  };
  const columns: Span[] = [label, ...[...values, ...united(rest)].sort((a, b) => a.left - b.left)];
  function isSpanning(each: Segment): boolean {
    return values.some((column) => overlap(column, each) > 0);
  }
  const first = group[0];
  const above = first ? lines.filter((line) => line.top < first.top && !group.includes(line)).slice(-linesAbove) : [];
  return { columns, lines: group.map((line) => cutAtColumns(line, columns)), above };
}

/** A segment that reaches over several columns, as one for each where its words allow it. */
function cutAtColumns(line: Line, columns: readonly Span[]): Line {
  const segments = line.segments.flatMap((segment) => {
    const { words } = segment;
    const touched = columns.filter((column) => overlap(column, segment) > 0);
    if (touched.length < 2 || words.length < 2 || line.segments.length === 1) return [segment];
    const runs: Segment[] = [];
    let from = 0;
    for (let i = 1; i <= words.length; i++) {
      const here = words[i];
      const before = words[i - 1];
      if (here && before && (columnOf(here, columns) === columnOf(before, columns) || !isFigure(here.text))) continue;
      runs.push(ofWords(segment, words.slice(from, i)));
      from = i;
    }
    return runs;
  });
  return { ...line, segments };
}

/** How many rows have a label and a figure, and no cell with two. */
export function rowsWithFigures(rows: readonly string[][]): number {
  return rows.filter(
    ([label = '', ...cells]) =>
      /[\p{L}\d]/u.test(label) &&
      cells.some(isFigure) &&
      !cells.some((cell) => !hasThousandsApart(cell) && cell.split(' ').filter(isFigure).length > 1),
  ).length;
}
