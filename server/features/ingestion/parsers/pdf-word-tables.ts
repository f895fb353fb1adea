import { boundsOf, type Line, type Segment, type Span } from './pdf-lines.ts';
import type { PdfTable, TableRow } from './pdf-table-rows.ts';
import { type Region, regionOf, sameStart, wider } from './pdf-word-columns.ts';

/**
 * Rows that a table of words has at least, one less where it names its columns: paragraphs beside each other may begin
 * at one height by chance.
 */
const minRows = 4;
/** Of the rows, those that have a label; of their cells, those that are filled. */
const minLabelledShare = 0.8;
const minFilledShare = 0.7;
/** Words of a label, on average, where there is one column beside it, and where there are more. */
const maxLabel = { ofTwo: 7, ofMore: 24 };
/** Words in a line of a label, on average: of prose in columns there are more. */
const maxInLine = 5.5;
/**
 * Words of the labels for each of what is said of them, where that is one column: of boxes beside each other as many.
 */
const maxShare = 0.7;
/** Of the cells, those that go on with the sentence of the cell above: of text in columns, cut where it goes on. */
const maxCut = 0.08;
/** Words of a line that may be a part of a sentence. */
const minSentence = 2;
/** Of the lines, those with two things in one column: its columns are others. */
const maxDoubled = 0.5;
/** What marks an item of a list or a numbered clause: it says nothing itself. */
const mark = /^(?:\P{L}{0,2}|\(?\p{L}{1,2}[.)]|\p{L}|[§([]?\d+(?:\.\d+)*[.):\]]?)$/u;
const maxMarks = 0.3;
/** Of a page. */
const maxTables = 6;
const maxSegments = 1500;
const readsOn = /^\p{Ll}|^[([]/u;

/**
 * Tables of words without rules: glossaries, codes with what they mean, requirements with the controls that they are
 * mapped to. Their columns begin at the same places, and their rows where a label does.
 * @param lines without what is in other tables
 */
export function findWordTables(lines: readonly Line[]): PdfTable[] {
  const tables: PdfTable[] = [];
  let rest = [...lines];
  // A page of thousands of cells is one of figures, or has rules.
  if (lines.reduce((sum, { segments }) => sum + segments.length, 0) > maxSegments) return [];
  for (let tries = 0; tries < maxTables; tries++) {
    const region = regionOf(rest);
    if (!region) break;
    const table = tableOf(region);
    if (table) tables.push(table);
    rest = rest.filter((line) => !region.lines.includes(line));
  }
  return tables;
}

/** @returns null where the lines are columns of prose, or lists beside each other */
function tableOf({ starts, lines }: Region): PdfTable | null {
  if (starts.length < 2) return null;
  const columnOf = ({ left }: Segment) =>
    Math.max(
      0,
      starts.findLastIndex((start) => left >= start - sameStart),
    );
  const rows = rowsOf(lines, columnOf).map((own) => cellsOf(own, starts.length, columnOf));
  const header = headOf(rows);
  const filled = rows.filter((cells) => cells.filter((cell) => cell.length > 0).length > 1);
  if (filled.length < minRows || !isTable(rows, lines, columnOf)) return null;
  const spans: Span[] = starts.map((left, i) => {
    const own = lines.flatMap(({ segments }) => segments.filter((each) => columnOf(each) === i));
    return { left, right: Math.max(...own.map(({ right }) => right), left) };
  });
  const made = rows.map((cells, i) => rowOf(cells, i === 0 && header !== null));
  return {
    rows: made,
    columns: header ?? [],
    spans,
    left: Math.min(...made.map(({ left }) => left)),
    top: Math.min(...made.map(({ top }) => top)),
    right: Math.max(...made.map(({ right }) => right)),
    bottom: Math.max(...made.map(({ bottom }) => bottom)),
  };
}

/**
 * The lines of each row. Where some lines stand further apart than others, rows are what stands together; else each
 * label begins one, unless it reads on from the line above.
 */
function rowsOf(lines: readonly Line[], columnOf: (segment: Segment) => number): Line[][] {
  const gaps = lines.slice(1).map((line, i) => (line.top - (lines[i]?.bottom ?? 0)) / (line.bottom - line.top));
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 4)] ?? 0;
  const isSpaced = gaps.filter((gap) => gap > usual + wider).length >= minRows - 1;
  const rows: Line[][] = [];
  for (const [i, line] of lines.entries()) {
    const label = line.segments.find((each) => columnOf(each) === 0);
    const isApart = (gaps[i - 1] ?? Number.POSITIVE_INFINITY) > usual + wider;
    const above = lines.slice(0, i).findLast(({ segments }) => segments.some((each) => columnOf(each) === 0));
    const fromLabel = above ? (line.top - above.bottom) / (line.bottom - line.top) : Number.POSITIVE_INFINITY;
    const hasMore = line.segments.length > 1;
    const begins =
      label !== undefined &&
      (isSpaced ? isApart || (hasMore && fromLabel > usual + wider) : hasMore && !readsOn.test(label.text));
    if (begins || rows.length === 0) rows.push([line]);
    else rows.at(-1)?.push(line);
  }
  return rows;
}

type Cells = Segment[][];

function cellsOf(lines: readonly Line[], columns: number, columnOf: (segment: Segment) => number): Cells {
  const cells: Cells = Array.from({ length: columns }, () => []);
  for (const { segments } of lines) for (const each of segments) cells[columnOf(each)]?.push(each);
  return cells;
}

function isTable(rows: readonly Cells[], lines: readonly Line[], columnOf: (segment: Segment) => number): boolean {
  const labels = rows.flatMap(([label = []]) => (label.length > 0 ? [label] : []));
  if (labels.length < rows.length * minLabelledShare) return false;
  const cells = rows.flatMap(([, ...others]) => others);
  const isOfTwo = rows[0]?.length === 2;
  if (cells.filter((cell) => cell.length > 0).length < cells.length * (isOfTwo ? minFilledShare : 0.5)) return false;
  const words = labels.map((label) => wordsIn(label));
  if (mean(words) > (isOfTwo ? maxLabel.ofTwo : maxLabel.ofMore)) return false;
  const inLines = lines.flatMap(({ segments }) => segments.filter((each) => columnOf(each) === 0));
  if (mean(inLines.map((each) => wordsIn([each]))) > maxInLine) return false;
  if (isOfTwo && labels.filter((label) => mark.test(textOf(label))).length > labels.length * maxMarks) return false;
  const said = cells.reduce((sum, cell) => sum + wordsIn(cell), 0);
  if (isOfTwo && words.reduce((sum, each) => sum + each, 0) > said * maxShare) return false;
  const doubled = lines.filter(({ segments }) => new Set(segments.map(columnOf)).size < segments.length);
  if (doubled.length > lines.length * maxDoubled) return false;
  return cutSentences(rows) <= cells.length * maxCut;
}

/** How many cells behind the labels begin inside a sentence that the cell above them does not end. */
function cutSentences(rows: readonly Cells[]): number {
  let cut = 0;
  for (const [i, cells] of rows.entries()) {
    for (const [column, cell] of cells.entries()) {
      const above = rows[i - 1]?.[column]?.at(-1);
      const first = cell[0];
      if (column === 0 || !above || !first || wordsIn([above]) < minSentence) continue;
      if (/^\p{Ll}/u.test(first.text) && !/[.;:!?)\]]["'”’]?$/u.test(above.text)) cut++;
    }
  }
  return cut;
}

/** The names of the columns, where the first row alone is bold. */
function headOf(rows: readonly Cells[]): string[] | null {
  const [first, ...others] = rows;
  if (!first?.every((cell) => cell.length > 0 && cell.every(({ bold }) => bold))) return null;
  if (others.some((cells) => cells.every((cell) => cell.every(({ bold }) => bold)))) return null;
  return first.map(textOf);
}

function rowOf(cells: Cells, header: boolean): TableRow {
  return {
    cells: cells.map(textOf),
    header,
    parents: [],
    ...boundsOf(cells.flat()),
  };
}

function textOf(cell: readonly Segment[]): string {
  return cell.map(({ text }) => text).join(' ');
}

function wordsIn(cell: readonly Segment[]): number {
  return cell.reduce((sum, { text }) => sum + text.split(' ').length, 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, each) => sum + each, 0) / values.length;
}
