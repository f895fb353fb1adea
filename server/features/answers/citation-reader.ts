import { createMarkerReader, type Segment } from '#contract/citations.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { createPause } from '#server/lib/pause.ts';
import { aroundAddresses } from './addresses.ts';
import type { CheckedPair, CheckedPart, Citation, Why } from './checked-part.ts';
import { endOfSentence, makesClaim } from './claims.ts';
import { createRelease } from './release.ts';
import { checkClaim, type SupportingPassage } from './support.ts';
import type { Unit } from './unit.ts';

/** A claim with fewer words of its own than this is read with the rest of its sentence. */
const leastWords = 3;

/** A sentence is closed here, though it goes on: what is longer is none, and would be read again with every piece. */
const maxSentence = 1000;
/** UTF-16 code units that are read between two looks at the time. */
const pieceLength = 500;
/** Of one answer, a claim in one passage each: an answer of thirty sentences needs some two hundred. */
const maxLookUps = 600;

/**
 * Reads an answer in pieces, cut anywhere, and lets a marker through only with the sentence that supports the claim
 * before it. Passages are cited as they were supplied, from 1; quotes are numbered by first use. A marker that names no
 * passage, or one that does not say so, is taken out. A sentence without a marker gets that of the passage that says
 * so, or is marked like other claims without support. Addresses that no passage supports go out as plain text.
 *
 * It lets others have their turn between claims. A model may write thousands: those beyond all reason are not looked up,
 * and so have no support.
 */
export function createCitationReader(passages: SupportingPassage[], weigh: (text: string) => Question) {
  const reader = createMarkerReader();
  const release = createRelease();
  const weighed = keepingLast(weigh);
  const cited: Citation[] = [];
  /** What was read, where in it the sentence at its end begins, and where the last claim with a marker ended. */
  let text = '';
  let sentence = 0;
  let claimed = 0;
  /** Blanks that are dropped with a marker behind them. */
  let blanks = '';
  /** The claim whose markers are being read, until something else follows. */
  let open: { start: number; end: number; pairs: CheckedPair[] } | null = null;
  const pause = createPause();
  let lookUps = 0;

  return {
    /** To be called again only once it has resolved. */
    async push(piece: string): Promise<CheckedPart[]> {
      const parts: CheckedPart[] = [];
      for (let at = 0; at < piece.length; at += pieceLength) {
        for (const segment of reader.push(piece.slice(at, at + pieceLength))) parts.push(...(await read(segment)));
        parts.push(...release.open());
        await pause();
      }
      return joined(parts);
    },
    async end(): Promise<CheckedPart[]> {
      const parts: CheckedPart[] = [];
      for (const segment of reader.end()) parts.push(...(await read(segment)));
      closeClaim();
      parts.push(...(await closeSentence(text.length)));
      if (blanks !== '') give(blanks);
      blanks = '';
      return joined([...parts, ...release.closed()]);
    },
    /** All that were given out, in the order of their numbers. */
    cited: (): readonly Citation[] => cited,
  };

  async function read(segment: Segment): Promise<CheckedPart[]> {
    if (segment.kind === 'text') return readText(segment.text);
    await readMarkers(segment.numbers);
    return [];
  }

  async function readText(piece: string): Promise<CheckedPart[]> {
    const all = blanks + piece;
    let rest = all.trimEnd();
    blanks = all.slice(rest.length);
    if (rest === '') return [];
    closeClaim();
    const parts: CheckedPart[] = [];
    for (;;) {
      const own = text.slice(sentence) + rest;
      const length = endOfSentence(own.slice(0, maxSentence + 1)) ?? (own.length > maxSentence ? maxSentence : null);
      if (length === null) break;
      const end = sentence + length;
      const left = end - text.length;
      if (left > 0) {
        give(rest.slice(0, left));
        rest = rest.slice(left);
      }
      parts.push(...(await closeSentence(end)));
    }
    if (rest !== '') give(rest);
    return parts;
  }

  async function readMarkers(numbers: number[]): Promise<void> {
    open ??= { start: claimStart(), end: text.length, pairs: [] };
    const claim = text.slice(open.start, open.end);
    const found: CheckedPair[] = [];
    for (const number of numbers) {
      const pair = await check(claim, number - 1, 'named');
      if (!pair) continue;
      open.pairs.push(pair);
      found.push(pair);
    }
    if (found.some(isSupported) && blanks !== '') give(blanks);
    blanks = '';
    for (const pair of found) cite(pair, open);
  }

  function give(piece: string): void {
    release.text(piece, text.length);
    text += piece;
  }

  function closeClaim(): void {
    if (!open) return;
    const { start, end, pairs } = open;
    claimed = text.length;
    open = null;
    close(start, end, pairs);
  }

  /** What is said of a claim once it was looked up wherever it may stand. */
  function close(start: number, end: number, pairs: CheckedPair[]): void {
    const quotes = pairs.flatMap(({ verdict }) => (verdict.outcome === 'supported' ? [verdict.unit.text] : []));
    if (quotes.length > 0) release.supported({ start, end, quotes });
    else if (end <= start) return;
    else if (pairs.some(({ verdict }) => verdict.outcome === 'not-checked'))
      release.part({ kind: 'unchecked', start, end, pairs });
    else release.part({ kind: 'unsupported', start, end, why: whyOf(pairs), pairs });
  }

  /** What of the sentence no marker stood behind is looked up. */
  async function closeSentence(end: number): Promise<CheckedPart[]> {
    const start = pastBlanks(Math.max(sentence, claimed), end);
    const isRest = claimed > sentence;
    sentence = end;
    const claim = text.slice(start, end);
    if (start < end && makesClaim(claim, isRest)) await lookUp(claim, start, end);
    return release.closed();
  }

  async function lookUp(claim: string, start: number, end: number): Promise<void> {
    // That a document has an address says nothing of what the reader is to do there.
    const said = aroundAddresses(claim);
    const pairs: CheckedPair[] = [];
    for (const i of passages.keys()) {
      const pair = await check(said, i, 'unnamed');
      if (!pair) continue;
      pairs.push(pair);
      if (!isSupported(pair)) continue;
      close(start, end, [pair]);
      give(' ');
      sentence = text.length;
      claimed = text.length;
      cite(pair, { start, end }, true);
      return;
    }
    close(start, end, pairs);
  }

  /** @returns null where there is no such passage, or too much was looked up */
  async function check(claim: string, index: number, named: 'named' | 'unnamed'): Promise<CheckedPair | null> {
    const passage = passages[index];
    if (!passage || lookUps++ >= maxLookUps) return null;
    const verdict = checkClaim(claim, passage, weighed, named);
    await pause();
    return { claim, passage: index, isNamed: named === 'named', verdict };
  }

  function cite(pair: CheckedPair, { start, end }: { start: number; end: number }, isFound?: true): void {
    if (pair.verdict.outcome !== 'supported') return;
    const citation = numbered(pair.passage, pair.verdict.unit);
    release.part({ kind: 'citation', citation, ...(isFound && { isFound }), pair, start, end });
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
    return pastBlanks(own.length >= leastWords ? Math.max(sentence, claimed) : sentence, text.length);
  }

  function pastBlanks(start: number, end: number): number {
    return end - text.slice(start, end).trimStart().length;
  }
}

function isSupported({ verdict }: CheckedPair): boolean {
  return verdict.outcome === 'supported';
}

/** Where passages have something else in a claim's place, that says more than that others have nothing of it. */
function whyOf(pairs: readonly CheckedPair[]): Why {
  const all = pairs.flatMap(({ verdict }) => (verdict.outcome === 'supported' ? [] : [verdict.why]));
  return all.find((why) => why !== 'absent') ?? 'absent';
}

/** A claim is weighed once for all passages in which it is looked up. */
function keepingLast(weigh: (text: string) => Question): (text: string) => Question {
  let last: { text: string; question: Question } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, question: weigh(text) };
    return last.question;
  };
}

function joined(parts: CheckedPart[]): CheckedPart[] {
  const all: CheckedPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.kind === 'text' && last?.kind === 'text')
      all[all.length - 1] = { kind: 'text', text: last.text + part.text };
    else all.push(part);
  }
  return all;
}
