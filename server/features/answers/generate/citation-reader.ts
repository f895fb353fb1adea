import type { Segment } from '#contract/citations.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { createPause } from '#server/lib/pause.ts';
import type { Unit } from '../extract/unit.ts';
import { aroundAddresses } from './addresses.ts';
import {
  type CheckedPair,
  type CheckedPart,
  type Citation,
  isLeftOpen,
  isOpen,
  isSupported,
  joined,
  whyOf,
} from './checked-part.ts';
import type { SupportingPassage } from './claim-check/passage.ts';
import { createLookUp } from './claim-lookup.ts';
import {
  type ClaimPart,
  cellsOf,
  createTableReader,
  endOfRow,
  heldTail,
  isDivider,
  isTableLine,
  leadsToSources,
  lineStartOf,
  partOf,
  pastBars,
  pastBlanks,
} from './claim-structure.ts';
import { endOfSentence, endsWhole, makesClaim } from './claims.ts';
import { createModelMarkerReader } from './model-markers.ts';
import { createRelease } from './release.ts';

/** A claim with fewer words of its own than this is read with the rest of its sentence. */
const minWords = 3;
/** A sentence is closed here, though it goes on: what is longer is none, and would be read again with every piece. */
const maxSentence = 1000;
/** UTF-16 code units that are read between two looks at the time. */
const pieceLength = 500;
/** Claims before a line of sources that its numbers may stand for. */
const maxRecent = 60;

/** A claim whose markers are being read, until something else follows. */
interface OpenClaim {
  start: number;
  end: number;
  numbers: number[];
  /** What stood between it and its first marker: blanks, the bar of a table, or "Source:". */
  blanks: string;
}

/** A stretch of an answer that was looked up. */
interface ReadClaim {
  start: number;
  end: number;
  parts: readonly ClaimPart[];
  pairs: readonly CheckedPair[];
}

/**
 * Reads an answer in pieces, cut anywhere, and lets a marker through only with the sentence that supports the claim
 * before it. Passages are cited as they were supplied, from 1; quotes are numbered by first use. A marker that names no
 * passage, or one that does not say so, is taken out, and its claim looked up like one without a marker: it gets that
 * of the passage that says so, or is marked. A row of a table is checked with its label and the names of its columns,
 * whose own row claims nothing; where no passage says all of it, cell by cell. A line of sources below a list or
 * paragraph keeps the numbers that a claim there rests on. Addresses that no passage supports go out as plain text.
 *
 * It lets others have their turn between claims. A model may write thousands: those beyond all reason are not looked
 * up, and are said to be not checked.
 */
export function createCitationReader(passages: SupportingPassage[], weigh: (text: string) => Question) {
  const reader = createModelMarkerReader(passages.length);
  const release = createRelease();
  const lookUp = createLookUp(passages, weigh);
  const isManyCells = (parts: readonly ClaimPart[]) => parts.length > 1 && lookUp.hasRoom();
  const cited: Citation[] = [];
  /** What was read, where in it the sentence at its end begins, and where the last claim with a marker ended. */
  let text = '';
  let sentence = 0;
  let claimed = 0;
  /** What is held back until it is known what follows: blanks, which go with a marker behind them, and the like. */
  let blanks = '';
  let open: OpenClaim | null = null;
  const table = createTableReader();
  /** A row that looks like names of columns, as long as no line below says that it is. */
  let row: ReadClaim | null = null;
  let recent: ReadClaim[] = [];
  const pause = createPause();
  /** What may be given out. */
  let out: CheckedPart[] = [];

  return {
    /** To be called again only once it has resolved. */
    async push(piece: string): Promise<CheckedPart[]> {
      for (let at = 0; at < piece.length; at += pieceLength) {
        for (const segment of reader.push(piece.slice(at, at + pieceLength))) await read(segment);
        if (!isInOpenRow()) out.push(...release.open());
        await pause();
      }
      return taken();
    },
    /** @param isCut it breaks off: half a sentence at its end gets no number */
    async end({ isCut = false }: { isCut?: boolean } = {}): Promise<CheckedPart[]> {
      for (const segment of reader.end()) await read(segment);
      await closeClaim();
      if (isCut && !endsWhole.test(text)) leaveHalf();
      await closeSentence(text.length);
      if (blanks !== '') give(blanks);
      blanks = '';
      out.push(...release.closed());
      return taken();
    },
    /** All that were given out, in the order of their numbers. */
    cited: (): readonly Citation[] => cited,
  };

  function taken(): CheckedPart[] {
    const parts = joined(out);
    out = [];
    return parts;
  }

  /** Marks belong to single cells of a row, which are told apart once it is whole, or a marker stands behind them. */
  function isInOpenRow(): boolean {
    const line = lineStartOf(text, text.length);
    return isTableLine(text.slice(line)) && /[\p{L}\p{N}]/u.test(text.slice(Math.max(line, claimed)));
  }

  async function read(segment: Segment): Promise<void> {
    if (segment.kind === 'text') return readText(segment.text);
    open ??= { start: claimStart(), end: text.length, numbers: [], blanks };
    open.numbers.push(...segment.numbers);
    blanks = '';
  }

  async function readText(piece: string): Promise<void> {
    if ((blanks + piece).trim() === '') {
      blanks += piece;
      return;
    }
    await closeClaim();
    const all = blanks + piece;
    const held = heldTail(text, all);
    let rest = all.slice(0, all.length - held);
    blanks = all.slice(all.length - held);
    for (;;) {
      const end = endOf(text.slice(sentence) + rest);
      if (end === null) break;
      const left = sentence + end - text.length;
      if (left > 0) {
        give(rest.slice(0, left));
        rest = rest.slice(left);
      }
      await closeSentence(sentence + end);
    }
    if (rest !== '') give(rest);
  }

  /** Where the first sentence, row or line of what is open ends; null where it may go on. */
  function endOf(own: string): number | null {
    const some = own.slice(0, maxSentence + 1);
    const begins = Math.max(0, some.search(/\S/));
    const isNewLine = some.slice(0, begins).includes('\n');
    const isRow = isTableLine(
      (isNewLine ? '' : text.slice(lineStartOf(text, sentence), sentence)) + some.slice(begins),
    );
    const end = isRow ? endOfRow(some) : endOfSentence(some);
    return end ?? (own.length > maxSentence ? maxSentence : null);
  }

  function give(piece: string): void {
    release.text(piece, text.length);
    text += piece;
  }

  /** Looks a claim up in the passages that its markers name, and where none says so, in the others. */
  async function closeClaim(): Promise<void> {
    if (!open) return;
    const { start, end, numbers, blanks: between } = open;
    open = null;
    const own = [...new Set(numbers)].map((number) => number - 1);
    if (leadsToSources(between)) return closeSources(own, between);
    const isRow = between.includes('|');
    const parts = partsOf(start, end);
    const pairs = await lookUp.find(parts, own);
    if (pairs.some(isSupported) && !isRow && between !== '') give(between);
    if (!pairs.some(isSupported) && isManyCells(parts)) await closeCells(parts, own);
    else conclude({ start, end, parts, pairs });
    if (isRow) blanks = between + blanks;
  }

  /** Of a row that no passage says as a whole, each cell by itself. */
  async function closeCells(parts: readonly ClaimPart[], own: readonly number[] = []): Promise<void> {
    for (const part of parts) {
      const pairs = await lookUp.find([part], own);
      conclude({ start: part.start, end: part.end, parts: [part], pairs }, { at: part.end });
    }
    claimed = text.length;
  }

  /** A line that names the sources of what stands above it: those stay that a claim there rests on. */
  async function closeSources(own: readonly number[], lead: string): Promise<void> {
    await closeSentence(text.length);
    const kept: { pair: CheckedPair; claim: ReadClaim }[] = [];
    for (const claim of [...recent, ...(row ? [row] : [])]) {
      const named = await lookUp.inNamed(claim.parts, own);
      for (const pair of named) if (isSupported(pair)) kept.push({ pair, claim });
      if (!claim.pairs.some(isSupported) && named.some(isOpen))
        release.part({ kind: 'unchecked', start: claim.start, end: claim.end, pairs: named });
    }
    recent = [];
    if (kept.length > 0) give(lead);
    for (const { pair, claim } of kept) cite(pair, claim);
    claimed = text.length;
    sentence = text.length;
  }

  /** Half a sentence is neither looked up nor shown as if it were checked. */
  function leaveHalf(): void {
    const start = pastBlanks(text, Math.max(sentence, claimed), text.length);
    if (/[\p{L}\p{N}]/u.test(text.slice(start)))
      release.part({ kind: 'unchecked', start, end: text.length, pairs: [] });
    sentence = text.length;
  }

  /** What of the sentence no marker stood behind is looked up. */
  async function closeSentence(end: number): Promise<void> {
    const start = pastBlanks(text, Math.max(sentence, claimed), end);
    const isRest = claimed > sentence;
    const line = text.slice(lineStartOf(text, Math.min(start, end)), end);
    const isHead = table.read(line, isRest);
    if (line.trim() !== '')
      row = isHead && !isDivider(line) ? { start, end, parts: partsOf(start, end), pairs: [] } : null;
    sentence = end;
    const said = partsOf(start, end);
    if (!isHead && makesClaim(text.slice(start, end), isRest) && said.some((part) => makesClaim(part.text, isRest))) {
      // That a document has an address says nothing of what the reader is to do there.
      const parts = said.map((part) => ({ ...part, text: aroundAddresses(part.text) }));
      const pairs = await lookUp.find(parts, []);
      if (pairs.some(isSupported)) {
        give(' ');
        sentence = text.length;
      }
      if (!pairs.some(isSupported) && isManyCells(parts)) await closeCells(parts);
      else conclude({ start, end, parts, pairs }, { isAlone: true });
    }
    out.push(...release.closed());
  }

  /** @param at where the marker stands, if not at the end of the text */
  function conclude(claim: ReadClaim, { isAlone = false, at }: { isAlone?: boolean; at?: number } = {}): void {
    const { start, end, pairs } = claim;
    const says = pairs.filter(isSupported);
    recent = [...recent, claim].slice(-maxRecent);
    for (const pair of says) cite(pair, claim, at);
    if (!isAlone || says.length > 0) claimed = text.length;
    if (end <= start) return;
    const quotes = says.flatMap(({ verdict }) => (verdict.outcome === 'supported' ? [verdict.unit.text] : []));
    if (quotes.length > 0) release.supported({ start, end, quotes });
    else if (isLeftOpen(pairs) || (pairs.length === 0 && lookUp.isSpent()))
      release.part({ kind: 'unchecked', start, end, pairs }, at);
    else release.part({ kind: 'unsupported', start, end, why: whyOf(pairs), pairs }, at);
  }

  function partsOf(start: number, end: number): ClaimPart[] {
    if (end <= start) return [];
    if (isTableLine(text.slice(lineStartOf(text, start), end))) return cellsOf(text, start, end, table.heads());
    const part = partOf(text, start, end);
    return part.text.trim() === '' ? [] : [part];
  }

  function cite(pair: CheckedPair, { start, end }: { start: number; end: number }, at?: number): void {
    if (pair.verdict.outcome !== 'supported') return;
    const citation = numbered(pair.passage, pair.verdict.unit);
    release.part(
      { kind: 'citation', citation, ...(!pair.isNamed && { isFound: true as const }), pair, start, end },
      at,
    );
  }

  function numbered(passage: number, unit: Unit): Citation {
    const known = cited.find((each) => each.passage === passage && each.unit.start === unit.start);
    if (known) return known;
    const citation = { n: cited.length + 1, passage, unit };
    cited.push(citation);
    return citation;
  }

  /** Where the sentence at the end of the text begins, or what of it stands behind the last marker. */
  function claimStart(): number {
    const own = analyze(text.slice(Math.max(sentence, claimed)));
    const isRow = isTableLine(text.slice(lineStartOf(text, text.length)));
    const start = isRow || own.length >= minWords ? Math.max(sentence, claimed) : sentence;
    return isRow && start === claimed ? pastBars(text, start) : pastBlanks(text, start, text.length);
  }
}
