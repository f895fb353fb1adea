import { maxQuoteLength, type QuotableBlock, type Unit } from './unit.ts';

/** Not the end of a sentence, though a blank and a capital letter follow. Lower case. */
const abbreviations = new Set(
  'mr mrs ms dr prof st no nos vol fig figs eq sec art par inc ltd co corp dept est approx vs jr sr e.g i.e cf al abs nr bzw ca ggf inkl exkl zzgl z.b d.h u.a o.ä usw vgl str tel abb kap ziff max min mio mrd jan feb mar apr jun jul aug sep sept oct nov dec p pp'.split(
    ' ',
  ),
);
/** The rest of `[36]` or `[36][37]` behind a full stop, after whose first bracket the segmenter begins a new sentence. */
const footnoteMark = /^[^[\]]{1,40}\](?:\[[^[\]]{1,40}\])*\s*/;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/**
 * What may be quoted of a run of blocks: sentences, list items, table rows, lines of code. Each is word for word a part
 * of its block, at most 300 characters long.
 */
export function unitsOf(blocks: QuotableBlock[]): Unit[] {
  const units: Unit[] = [];
  let heading = '';
  let header: string[] | null = null;
  for (const block of blocks) {
    if (block.kind === 'heading') {
      heading = block.text;
      header = null;
      continue;
    }
    if (block.kind === 'row') {
      if (block.header) {
        header = block.cells ?? null;
        continue;
      }
    } else header = null;
    const pieces =
      block.kind === 'row' || block.kind === 'item' ? whole(block.text) : sentences(block.text, block.kind);
    const [left, top, right, bottom] = block.box ?? [];
    const isPlaced = left !== undefined && top !== undefined && right !== undefined && bottom !== undefined;
    for (const { start, end } of pieces) {
      units.push({
        text: block.text.slice(start, end),
        block: block.index,
        start: block.start + start,
        end: block.start + end,
        page: block.page,
        heading,
        ...(isPlaced && { box: [left, top, right, bottom] as const }),
        ...(block.kind === 'row' && { row: { header, cells: block.cells ?? [block.text] } }),
      });
    }
  }
  return units;
}

interface Piece {
  start: number;
  end: number;
}

function whole(text: string): Piece[] {
  return text.length <= maxQuoteLength ? trimmed(text, { start: 0, end: text.length }) : sentences(text, 'paragraph');
}

function sentences(text: string, kind: QuotableBlock['kind']): Piece[] {
  const pieces = kind === 'code' ? lines(text) : joinAbbreviations(text);
  return pieces.flatMap((piece) => shortened(text, piece)).flatMap((piece) => trimmed(text, piece));
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

function endsInAbbreviation(sentence: string): boolean {
  const word = /(\S+)\.\s*$/.exec(sentence)?.[1]?.replace(/^[("'„“]+/, '');
  if (word === undefined) return false;
  // "3." of a date or a numbered clause, "J." of a name.
  return abbreviations.has(word.toLowerCase()) || /^(\d{1,2}|\p{Lu})$/u.test(word);
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
