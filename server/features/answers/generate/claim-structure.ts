/**
 * What a claim says, apart from how it is laid out: the number of an item, a label in bold, the bars of a table, marks
 * of emphasis are no part of it.
 */

/** A claim, or one cell of a row, with what stands for it: a label, the row's first cell, the column's name. */
export interface ClaimPart {
  text: string;
  /** Counts as far as the passage has it; a label that a model made up itself ("Rule") says nothing. */
  context: readonly string[];
  /** Offsets into the text. */
  start: number;
  end: number;
}

/** UTF-16 code units. */
const maxLabel = 80;
const itemMark = /^(?:\s*(?:[-*+•–]|\d{1,3}[.)]|\(?[a-z]\)|>|#{1,6})\s+)+/;
const boldLabel = /^\s*(?:\*\*|__)([^*_\n]{1,80}?)\s*(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：–—-])\s*/u;
/** Labels that say how something is told, and nothing of what. */
const generic =
  /^(?:(?:the|key|main|short|der|die|das|la|le|les|el|los|las)\s+)?(?:rules?|notes?|answers?|summary|details?|topics?|points?|facts?|info|information|results?|overview|items?|descriptions?|important|source|regel|regeln|regelung|regelungen|hinweise?|antwort|zusammenfassung|angaben?|themen?|punkte?|wichtig|ergebnis|überblick|quelle|règles?|remarques?|réponse|résumé|détails?|sujets?|résultat|aperçu|normas?|reglas?|notas?|respuesta|resumen|detalles?|temas?|puntos?|importante|resultado)$/iu;

/** Where in a text the line begins that a place stands in. */
export function lineStartOf(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Where what is said begins between two places of a text. */
export function pastBlanks(text: string, start: number, end: number): number {
  return end - text.slice(start, end).trimStart().length;
}

/** Where the next cell of a row begins behind one that has been read. */
export function pastBars(text: string, at: number): number {
  return at + (/^[\s|]*/.exec(text.slice(at))?.[0].length ?? 0);
}

export function isTableLine(line: string): boolean {
  return /^\s*\|/.test(line);
}

/** The dashes below the names of columns. */
export function isDivider(line: string): boolean {
  return line.includes('--') && /^[\s:|-]*$/.test(line);
}

/**
 * The parts of a claim that is not in a table: one, with the label of its item.
 * @param text all of the answer so far, markers left out
 */
export function partOf(text: string, start: number, end: number): ClaimPart {
  const from = lineStartOf(text, start);
  const line = text.slice(from, end);
  const mark = itemMark.exec(line)?.[0].length ?? 0;
  const label = boldLabel.exec(line.slice(mark, mark + maxLabel + 20));
  const said = from + mark + (label?.[0].length ?? 0);
  // A label with nothing behind it is the claim itself.
  const begins = label && said < end ? Math.max(start, said) : Math.max(start, from + mark);
  return {
    text: withoutEmphasis(text.slice(Math.min(begins, end), end)),
    context: label && said < end && !isGeneric(label[1] ?? '') ? [withoutEmphasis(label[1] ?? '')] : [],
    start,
    end,
  };
}

/**
 * The cells of a row that claim something, each with the row's first cell and its column's name. The first cell is the
 * row's label, unless it is the only one.
 * @param heads the names of the columns; empty where the table has none
 */
export function cellsOf(text: string, start: number, end: number, heads: readonly string[]): ClaimPart[] {
  const from = lineStartOf(text, start);
  const cells: { text: string; start: number; end: number }[] = [];
  let at = from + (/^\s*\|/.exec(text.slice(from, end))?.[0].length ?? 0);
  for (const cell of text.slice(at, end).split('|')) {
    cells.push({ text: withoutEmphasis(cell).trim(), start: at, end: at + cell.length });
    at += cell.length + 1;
  }
  const [label] = cells;
  return cells.flatMap((cell, i) => {
    // Of a cell that has been read up to its full stop nothing is left to claim.
    const left = text.slice(Math.max(cell.start, start), Math.max(cell.end, start));
    if (!/[\p{L}\p{N}]/u.test(left) || (i === 0 && cells.length > 1)) return [];
    const context = [i === 0 ? '' : (label?.text ?? ''), heads[i] ?? ''].filter(
      (each) => each !== '' && !isGeneric(each),
    );
    const blanks = cell.end - cell.start - text.slice(cell.start, cell.end).trimStart().length;
    return [
      {
        text: cell.text,
        context,
        start: cell.start + blanks,
        end: cell.start + blanks + text.slice(cell.start + blanks, cell.end).trimEnd().length,
      },
    ];
  });
}

/** The names in a table's first line. */
export function headsOf(line: string): string[] {
  return line
    .replace(/^\s*\|/, '')
    .replace(/\|\s*$/, '')
    .split('|')
    .map((head) => withoutEmphasis(head).trim());
}

function isGeneric(label: string): boolean {
  return generic.test(label.trim());
}

function withoutEmphasis(text: string): string {
  return text.replaceAll(/\*\*|__|`|(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '');
}

const sourceWord =
  '(?:sources?|references?|refs?|citations?|quellen?|quellenangaben?|belege?|fundstellen?|références?|fuentes?|referencias?|passages?)';
const lead = new RegExp(
  String.raw`^[\s*_>(–—|-]*${sourceWord}[\s*_]*(?:[:：][\s*_]*)?(?:passages?|nr\.?|no\.?)?\s*$`,
  'iu',
);

/** Whether what stands before a marker only leads up to the numbers of sources: "Source:", "**Quellen:**". */
export function leadsToSources(between: string): boolean {
  return between.length <= 2 * maxLabel && lead.test(between.slice(lineStartOf(between, between.length)));
}

/**
 * How much of the end of a text waits for what follows: blanks, the bar that closes a row, and what may lead up to the
 * sources. None of them claims anything, and a marker behind them belongs before them.
 * @param before all that came before
 */
export function heldTail(before: string, piece: string): number {
  const open = before.slice(lineStartOf(before, before.length)).slice(-maxLine);
  const last = (open + piece).slice(lineStartOf(open + piece, open.length + piece.length));
  const tail = endTail(open, piece);
  const begun = leadsIn(last).find((each) => each.length >= tail && mayLead(each));
  if (begun === undefined) return tail;
  const held = Math.min(piece.length, begun.length);
  return held + endTail(open, piece.slice(0, piece.length - held));
}

/** Blanks at the end of a piece; of a row also the bar that closes it, before the line's end, too. */
function endTail(open: string, piece: string): number {
  const whole = (open + piece).trimEnd();
  const row = whole.slice(lineStartOf(whole, whole.length));
  const tail = isTableLine(row) && row.trim() !== '|' ? rowTail : blankTail;
  return tail.exec(piece.slice(-maxLine))?.[0].length ?? 0;
}

/**
 * Where a row of a table ends in a text that begins with it, before the bar that closes it; null where it may go on.
 */
export function endOfRow(text: string): number | null {
  const begins = text.search(/\S/);
  const newline = begins === -1 ? -1 : text.indexOf('\n', begins);
  if (newline === -1) return null;
  const row = text.slice(0, newline);
  const end = row.length - (rowTail.exec(row)?.[0].length ?? 0);
  return end > begins ? end : newline;
}

/** UTF-16 code units that are looked at of a line's end. */
const maxLine = 2000;
const blankTail = /\s*$/u;
const rowTail = /[\s|]*$/u;
const leadShape = /^[(*_>–—-]*\s*[\p{L}*_]*(?:\s*[:：])?[\s*_]*$/u;
const leads =
  'sources references citations quellen quellenangaben belege fundstellen références fuentes referencias passages'.split(
    ' ',
  );

/** The ends of a line that may lead up to sources, longest first: which of them does shows only with what follows. */
function leadsIn(line: string): string[] {
  const some = line.slice(-maxLabel);
  const from = line.length > maxLabel ? (/\s|$/.exec(some)?.index ?? 0) : 0;
  return [...some.slice(from).matchAll(/(?:^|\s)(?=\S)/g)]
    .map(({ index, 0: blank }) => some.slice(from + index + blank.length))
    .filter((end) => leadShape.test(end));
}

function mayLead(tail: string): boolean {
  const plain = tail
    .replace(/^[(*_>–—\s-]*/u, '')
    .replace(/[\s*_]*$/u, '')
    .toLowerCase();
  if (plain === '') return tail.trim() !== '';
  return leads.some((each) => each.startsWith(plain)) || leadsToSources(tail);
}

/** Follows a table line by line, for the names of its columns. */
export function createTableReader() {
  let heads: string[] = [];
  let first: string[] | null = null;
  let isOpen = false;
  return {
    /** @returns whether the line claims nothing: the names of columns, or what stands below them */
    read(line: string, isRest: boolean): boolean {
      if (!isTableLine(line)) {
        if (line.trim() !== '') isOpen = false;
        return false;
      }
      if (isDivider(line)) {
        heads = first ?? [];
        first = null;
        return true;
      }
      if (isRest) {
        isOpen = true;
        first = null;
        return false;
      }
      if (isOpen) {
        first = null;
        return false;
      }
      isOpen = true;
      heads = [];
      first = headsOf(line);
      return true;
    },
    heads: (): readonly string[] => heads,
  };
}
