import type { Chunk, PlacedBlock } from './document.ts';
import { splitText } from './split.ts';

/** Sizes in UTF-16 code units; to be tuned by measuring retrieval. */
export const chunkSizes = {
  /** A chunk is closed when the next block would take it beyond this. */
  target: 1100,
  /** No chunk is longer, whatever the document. */
  max: 2000,
  /** A section at least this long is not joined with the next one. */
  section: 200,
  /** What is left of a page below this goes with what is before it, where that stays within the limit. */
  rest: 300,
  /** Of a heading, and of a table's header row, in the heading path: it stands beside every chunk below it. */
  heading: 300,
};

/** A block, or a piece of one that is too long for a chunk. */
interface Unit {
  block: PlacedBlock;
  start: number;
  end: number;
  text: string;
  /**
   * What stands above it: part, headings, and of a row what its table is called, its columns, and the labels above it.
   */
  path: string[];
}

/**
 * Cuts a document into what is searched, by its structure: headings go with what follows them, sections and tables are
 * kept together where they fit, and a table's header is in its rows' heading path. No chunk goes on upon the next page,
 * which may be about something else: only the end of a sentence does, which stands with its beginning.
 * A chunk's text is exactly the document's text from `start` to `end`; every character of a block but white space at a
 * cut, and the heads and feet of pages, is in exactly one chunk.
 */
export function chunkBlocks(blocks: readonly PlacedBlock[]): Chunk[] {
  return [...chunking([...pieces(blocks)])];
}

/** The same one after the other, of all pieces. */
export function* chunking(all: readonly Unit[]): Generator<Chunk> {
  let count = 0;
  let current: Unit[] = [];

  function* closed(): Generator<Chunk> {
    // Headings at the end belong to what follows them.
    let cut = current.length;
    while (cut > 0 && current[cut - 1]?.block.kind === 'heading') cut--;
    if (cut === 0) cut = current.length;
    yield* made(current.slice(0, cut));
    current = current.slice(cut);
  }

  function* made(run: Unit[]): Generator<Chunk> {
    const chunk = makeChunk(run, count);
    if (chunk) count++;
    if (chunk) yield chunk;
  }

  const left = leftOnPage(all);
  for (const [i, unit] of all.entries()) {
    const before = current.at(-1)?.block;
    // A heading at the end of a page is in the path of what follows it.
    if (unit.block.running || (before?.page !== undefined && before.page !== unit.block.page)) {
      yield* made(current);
      current = [];
    }
    if (unit.block.running) continue;
    const first = current[0];
    if (first) {
      const size = (current.at(-1)?.end ?? first.start) - first.start;
      const together = unit.end - first.start;
      const hasContent = current.some(({ block }) => block.kind !== 'heading');
      if (hasContent && startsAnew(unit, size)) yield* closed();
      else if (
        hasContent &&
        together > chunkSizes.target &&
        (size >= chunkSizes.target / 2 || together > chunkSizes.max) &&
        !(together + (left[i] ?? 0) <= chunkSizes.max && unit.text.length + (left[i] ?? 0) <= chunkSizes.rest)
      )
        yield* closed();
      // What `closed` leaves behind, headings without content, must not push a chunk beyond the limit.
      const rest = current[0];
      if (rest && unit.end - rest.start > chunkSizes.max) {
        yield* made(current);
        current = [];
      }
    }
    current.push(unit);
  }
  yield* made(current);
}

/** How much of its page comes after each unit; infinite where there are no pages, since nothing ends there. */
function leftOnPage(all: readonly Unit[]): number[] {
  const left = all.map(() => Number.POSITIVE_INFINITY);
  for (let i = all.length - 1; i >= 0; i--) {
    const [unit, next] = [all[i], all[i + 1]];
    if (unit?.block.page === undefined || unit.block.running) continue;
    const ends = !next || next.block.running || next.block.page !== unit.block.page || next.block.kind === 'heading';
    left[i] = ends ? 0 : (left[i + 1] ?? 0) + next.text.length + 1;
  }
  return left;
}

/** Whether a unit begins something that the chunk before it should not run into. */
function startsAnew({ block, start }: Unit, size: number): boolean {
  if (start !== block.start) return false;
  if (block.part !== undefined) return true;
  if (block.kind === 'heading') return size >= ((block.level ?? 1) <= 2 ? chunkSizes.section : chunkSizes.target / 2);
  return block.kind === 'row' && block.header === true && size >= chunkSizes.target / 2;
}

/** The blocks, or pieces of them where they are long, with what stands above each. */
export function* pieces(blocks: readonly PlacedBlock[]): Generator<Unit> {
  let part: string | undefined;
  let context: string | undefined;
  let page: number | undefined;
  let headings: { level: number; text: string }[] = [];
  let table: string[] = [];
  /** `tableStart` of the last one whose first row says what it is. */
  let knownTable: number | undefined;
  for (const block of blocks) {
    if (block.part !== undefined) {
      part = shortened(block.part);
      headings = [];
    }
    if (block.page !== page) {
      page = block.page;
      // Under another head the headings of the pages before no longer count.
      if (context !== undefined && block.context !== undefined && block.context !== context) headings = [];
      context = block.context;
    }
    if (block.kind === 'heading') {
      const level = block.level ?? 1;
      headings = [...headings.filter((above) => above.level < level), { level, text: shortened(block.text) }];
    }
    if (block.kind !== 'row' || block.part !== undefined) table = [];
    if (block.kind === 'row' && block.table) knownTable = block.tableStart;
    // The first row says all that is known of its table; a second line of heads says less.
    if (block.kind === 'row' && (block.table || (block.header && block.tableStart !== knownTable)))
      table = tablePath(block, headings.at(-1)?.text);
    const path = [
      ...(context === undefined ? [] : [context]),
      ...(part === undefined ? [] : [part]),
      ...headings.map(({ text }) => text),
      ...table,
      ...(block.parents ?? []),
    ];
    const cut =
      block.text.length > chunkSizes.max
        ? splitText(block.text, chunkSizes.target)
        : [{ start: 0, end: block.text.length }];
    for (const piece of cut) {
      yield {
        block,
        start: block.start + piece.start,
        end: block.start + piece.end,
        text: block.text.slice(piece.start, piece.end),
        path,
      };
    }
  }
}

/**
 * What a table is called, where that is not its heading, and its columns. Of several header rows the first one counts.
 */
function tablePath({ table, text }: PlacedBlock, heading: string | undefined): string[] {
  if (!table) return [shortened(text)];
  const columns = table.columns.filter((name) => name !== '').join(' | ');
  const names = [
    table.caption,
    table.unit && !`${table.caption} ${columns}`.includes(table.unit) ? table.unit : undefined,
    columns,
  ];
  return names.flatMap((name) => (name && name !== heading ? [shortened(name)] : []));
}

function shortened(heading: string): string {
  return heading.length > chunkSizes.heading ? heading.slice(0, chunkSizes.heading).toWellFormed() : heading;
}

/** Null when there is nothing but white space in it. */
function makeChunk(run: Unit[], index: number): Chunk | null {
  const visible = run.filter(({ text }) => text.trim() !== '');
  const first = visible[0];
  const last = visible.at(-1);
  if (!first || !last) return null;
  const from = run.indexOf(first);
  const to = run.indexOf(last);
  let text = '';
  for (const [position, unit] of run.slice(from, to + 1).entries()) {
    const before = run[from + position - 1];
    text += (position > 0 && before?.block !== unit.block ? '\n' : '') + unit.text;
  }
  const start = first.start + (text.length - text.trimStart().length);
  const trimmed = text.trim();
  return {
    index,
    headingPath: commonPath(visible),
    ...(first.block.page !== undefined && { page: first.block.page }),
    ...(last.block.lastPage !== undefined && { lastPage: last.block.lastPage }),
    start,
    end: start + trimmed.length,
    firstBlock: first.block.index,
    lastBlock: last.block.index,
    text: trimmed,
  };
}

/** What stands above everything in the chunk; its own headings are in its text. */
function commonPath(run: Unit[]): string[] {
  const content = run.filter(({ block }) => block.kind !== 'heading');
  const [first, ...others] = (content.length > 0 ? content : run).map(({ path }) => path);
  if (!first) return [];
  const differs = first.findIndex((element, depth) => others.some((path) => path[depth] !== element));
  return differs === -1 ? first : first.slice(0, differs);
}
