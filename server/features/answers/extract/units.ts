import type { TableHead } from '#server/features/ingestion/document.ts';
import { goesOnWithHeader, joinedHeader, named, namesColumns } from './table-header.ts';
import { maxQuoteLength, type QuotableBlock, type Unit, type UnitRow } from './unit.ts';

/** Not the end of a sentence, though a blank and a capital letter follow. Lower case. */
const abbreviations = new Set(
  'mr mrs ms dr prof rev gov capt lt col sgt st no nos vol fig figs eq sec art par inc ltd co corp dept est approx vs jr sr e.g i.e cf al abs nr bzw ca ggf inkl exkl zzgl z.b d.h u.a o.ä usw vgl str tel abb kap ziff max min mio mrd jan feb mar apr jun jul aug sep sept oct nov dec p pp'.split(
    ' ',
  ),
);
/**
 * The rest of `[36]` or `[36][37]` behind a full stop, after whose first bracket the segmenter begins a new sentence.
 */
const footnoteMark = /^[^[\]]{1,40}\](?:\[[^[\]]{1,40}\])*\s*/;
/** Marks an item of a list, the last five as fonts of symbols have them. */
const bullet = /(?<=^|\s)[•●◦▪■□▸►➢➤✓✔\u2023\u2043\uf0b7\uf0a7\uf0d8\uf0fc\uf076](?=\s)/gu;
/** The lines that a table's header stands in. */
const maxHeaderLines = 4;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/**
 * What may be quoted of a run of blocks: sentences, list items, table rows, lines of code. Each is word for word a part
 * of its block, at most 300 characters long.
 */
export function unitsOf(blocks: QuotableBlock[]): Unit[] {
  const units: Unit[] = [];
  let heading = '';
  let header: string[] | null = null;
  /** No row of figures has come since the header. */
  let isHeaderOpen = false;
  let headerLines = 0;
  /** What is known of the table, beside its rows; its columns are those of the header then. */
  let table: TableHead | null = null;
  /** Of the last row that had nothing else: the rows behind it stand below it. */
  let labelAbove: string | null = null;
  for (const block of blocks) {
    if (block.kind !== 'row' || block.header || block.tableStart === block.index) labelAbove = null;
    const above: string | null = labelAbove;
    labelAbove = (block.kind === 'row' && !block.header && onlyLabel(block.cells)) || labelAbove;
    if (block.kind === 'heading') {
      heading = block.text;
      header = null;
      table = null;
      continue;
    }
    if (block.kind === 'row') {
      if (block.table) {
        table = block.table;
        header = table.columns.length > 0 ? named(table.columns) : null;
        isHeaderOpen = false;
      } else if (table && block.tableStart === block.index) table = null;
      if (block.header && table) continue;
      if (block.header) {
        header = block.cells && named(block.cells);
        isHeaderOpen = true;
        headerLines = 1;
        continue;
      }
      if (header && isHeaderOpen && headerLines < maxHeaderLines && block.cells && goesOnWithHeader(block.cells)) {
        header = named(joinedHeader(header, block.cells));
        headerLines++;
        continue;
      }
      isHeaderOpen = block.cells !== null && namesColumns(block.cells, header !== null);
      if (isHeaderOpen) {
        header = named(block.cells ?? []);
        headerLines = 1;
        continue;
      }
    } else {
      header = null;
      table = null;
    }
    const pieces =
      block.kind === 'row' || block.kind === 'item' ? whole(block.text) : sentences(block.text, block.kind);
    const [left, top, right, bottom] = block.box ?? [];
    const isPlaced = left !== undefined && top !== undefined && right !== undefined && bottom !== undefined;
    for (const [i, { start, end }] of pieces.entries()) {
      const before = pieces[i - 1];
      units.push({
        text: block.text.slice(start, end),
        block: block.index,
        start: block.start + start,
        end: block.start + end,
        page: block.page,
        heading,
        ...(before && { gap: block.text.slice(before.end, start) }),
        ...(isPlaced && { box: [left, top, right, bottom] as const }),
        ...(block.kind === 'row' && { row: rowOf(withLabel(block, above), header, table) }),
      });
    }
  }
  return units;
}

/** The label of a row that has nothing else. */
function onlyLabel(cells: readonly string[] | null): string | null {
  const [label = '', ...others] = cells ?? [];
  return label.trim() !== '' && others.length > 0 && others.every((cell) => cell.trim() === '') ? label.trim() : null;
}

/** A row whose table was read without what its rows stand below. */
function withLabel(block: QuotableBlock, above: string | null): QuotableBlock {
  return above === null || (block.parents && block.parents.length > 0) ? block : { ...block, parents: [above] };
}

function rowOf({ cells, text, parents }: QuotableBlock, header: string[] | null, table: TableHead | null): UnitRow {
  return {
    header,
    cells: cells ?? [text],
    ...(parents && parents.length > 0 && { parents }),
    ...(table?.caption !== undefined && { caption: table.caption }),
    ...(table?.unit !== undefined && { unit: table.unit }),
    ...(table?.sheet !== undefined && { sheet: table.sheet }),
    ...(table?.isMailHead && { isMailHead: true }),
  };
}

interface Piece {
  start: number;
  end: number;
}

function whole(text: string): Piece[] {
  return text.length <= maxQuoteLength ? trimmed(text, { start: 0, end: text.length }) : sentences(text, 'paragraph');
}

function sentences(text: string, kind: QuotableBlock['kind']): Piece[] {
  const pieces = kind === 'code' ? lines(text) : joinAbbreviations(text).flatMap((piece) => cutAtBullets(text, piece));
  return pieces.flatMap((piece) => shortened(text, piece)).flatMap((piece) => trimmed(text, piece));
}

/** A list that stands in one cell or paragraph: each item is one of its own. */
function cutAtBullets(text: string, { start, end }: Piece): Piece[] {
  const cuts = [...text.slice(start, end).matchAll(bullet)]
    .map(({ index }) => start + index)
    .filter((at) => at > start);
  return [start, ...cuts].map((from, i) => ({ start: from, end: cuts[i] ?? end }));
}

function lines(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const match of text.matchAll(/[^\n]+/g)) pieces.push({ start: match.index, end: match.index + match[0].length });
  return pieces;
}

function joinAbbreviations(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { index, segment } of segmenter.segment(text)) {
    const last = pieces.at(-1);
    const end = index + segment.length;
    if (last && text.charAt(last.end - 1) === '[') last.end += footnoteMark.exec(segment)?.[0].length ?? 0;
    const start = Math.max(index, last?.end ?? 0);
    if (last && (start === end || endsInAbbreviation(text.slice(last.start, last.end)))) last.end = end;
    else pieces.push({ start, end });
  }
  return pieces;
}

/** No abbreviation is longer, with the brackets and quotation marks before it. */
const maxAbbreviation = 40;

/** Whether the full stop at the end of a text is that of an abbreviation, an initial or an ordinal number. */
export function endsInAbbreviation(sentence: string): boolean {
  // Asked of a text that grows with each sentence joined to it: only its end may be looked at.
  const end = sentence.slice(-2 * maxAbbreviation).trimEnd();
  if (!end.endsWith('.')) return false;
  const word = /(\S+)\.$/.exec(end.slice(-maxAbbreviation))?.[1]?.replace(/^[("'„“]+/, '');
  if (word === undefined) return false;
  // "3." of a date or a numbered clause, "J." of a name, "U.S." and "e. V.".
  return abbreviations.has(word.toLowerCase()) || /^(?:\d{1,2}|\p{L}|(?:\p{L}\.){1,4}\p{L})$/u.test(word);
}

/** What is longer than a quote may be is cut where a clause ends, else between words. */
function shortened(text: string, { start, end }: Piece): Piece[] {
  const pieces: Piece[] = [];
  let from = start;
  while (end - from > maxQuoteLength) {
    const part = text.slice(from, from + maxQuoteLength);
    const clause = Math.max(
      part.lastIndexOf('; '),
      part.lastIndexOf(': '),
      part.lastIndexOf(', '),
      part.lastIndexOf('。'),
    );
    const blank = part.lastIndexOf(' ');
    let length = clause > maxQuoteLength / 3 ? clause + 1 : blank > 0 ? blank : maxQuoteLength;
    // Never between the two halves of one character.
    if (/[\uD800-\uDBFF]/.test(part.charAt(length - 1))) length--;
    pieces.push({ start: from, end: from + length });
    from += length;
  }
  pieces.push({ start: from, end });
  return pieces;
}

function trimmed(text: string, { start, end }: Piece): Piece[] {
  const part = text.slice(start, end);
  const from = start + (part.length - part.trimStart().length);
  const to = end - (part.length - part.trimEnd().length);
  return to > from ? [{ start: from, end: to }] : [];
}
