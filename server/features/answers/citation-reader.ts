import { createMarkerReader, type Segment } from '#contract/citations.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { endOfSentence, makesClaim } from './claims.ts';
import { type SupportingPassage, supportFor } from './support.ts';
import type { Unit } from './unit.ts';

/** A quote that supports a claim, with its number in the answer. */
export interface Citation {
  n: number;
  /** Index of the passage among those supplied. */
  passage: number;
  unit: Unit;
}

/** A piece of an answer that may be shown. */
export type CheckedPart =
  | { kind: 'text'; text: string }
  /** `isFound`: the claim named no source, and was looked up. */
  | { kind: 'citation'; citation: Citation; isFound?: true }
  /** The claim from `start` to `end` of the text so far, which no source that it names, or none at all, says. */
  | { kind: 'unsupported'; start: number; end: number };

/** A claim with fewer words of its own than this is read with the rest of its sentence. */
const leastWords = 3;

/**
 * Reads an answer in pieces, cut anywhere, and lets a marker through only with the sentence that supports the claim
 * before it. Passages are cited as they were supplied, from 1; quotes are numbered by first use. A marker that names no
 * passage, or one that does not say so, is taken out. A sentence without a marker gets that of the passage that says
 * so, or is marked like other claims without support.
 */
export function createCitationReader(passages: SupportingPassage[], weigh: (text: string) => Question) {
  const reader = createMarkerReader();
  const cited: Citation[] = [];
  /** What was given out, where in it the sentence at its end begins, and where the last claim with a marker ended. */
  let text = '';
  let sentence = 0;
  let claimed = 0;
  /** Blanks that are dropped with a marker behind them. */
  let blanks = '';
  /** The claim whose markers are being read, until something else follows. */
  let open: { start: number; end: number; isSupported: boolean } | null = null;

  return {
    push: (piece: string): CheckedPart[] => joined(reader.push(piece).flatMap(read)),
    end(): CheckedPart[] {
      const rest = reader.end().flatMap(read);
      const parts = [...rest, ...closeClaim(), ...closeSentence(text.length)];
      text += blanks;
      if (blanks !== '') parts.push({ kind: 'text', text: blanks });
      blanks = '';
      return joined(parts);
    },
    /** All that were given out, in the order of their numbers. */
    cited: (): readonly Citation[] => cited,
  };

  function read(segment: Segment): CheckedPart[] {
    return segment.kind === 'text' ? readText(segment.text) : readMarkers(segment.numbers);
  }

  function readText(piece: string): CheckedPart[] {
    const all = blanks + piece;
    let rest = all.trimEnd();
    blanks = all.slice(rest.length);
    if (rest === '') return [];
    const parts = closeClaim();
    const give = (length: number) => {
      if (length <= 0) return;
      parts.push({ kind: 'text', text: rest.slice(0, length) });
      text += rest.slice(0, length);
      rest = rest.slice(length);
    };
    for (;;) {
      const length = endOfSentence(text.slice(sentence) + rest);
      if (length === null) break;
      const end = sentence + length;
      give(end - text.length);
      parts.push(...closeSentence(end));
    }
    give(rest.length);
    return parts;
  }

  function readMarkers(numbers: number[]): CheckedPart[] {
    open ??= { start: claimStart(), end: text.length, isSupported: false };
    const claim = text.slice(open.start, open.end);
    const parts: CheckedPart[] = [];
    for (const number of numbers) {
      const passage = passages[number - 1];
      const unit = passage ? supportFor(claim, passage, weigh) : null;
      if (!unit) continue;
      open.isSupported = true;
      parts.push({ kind: 'citation', citation: numbered(number - 1, unit) });
    }
    if (parts.length > 0 && blanks !== '') {
      parts.unshift({ kind: 'text', text: blanks });
      text += blanks;
    }
    blanks = '';
    return parts;
  }

  function closeClaim(): CheckedPart[] {
    if (!open) return [];
    const { start, end, isSupported } = open;
    claimed = text.length;
    open = null;
    return isSupported || end <= start ? [] : [{ kind: 'unsupported', start, end }];
  }

  /** What of the sentence no marker stood behind is looked up. */
  function closeSentence(end: number): CheckedPart[] {
    const start = pastBlanks(Math.max(sentence, claimed), end);
    const isRest = claimed > sentence;
    sentence = end;
    const claim = text.slice(start, end);
    if (start >= end || !makesClaim(claim, isRest)) return [];
    for (const [i, passage] of passages.entries()) {
      const unit = supportFor(claim, passage, weigh, 'unnamed');
      if (!unit) continue;
      text += ' ';
      sentence = text.length;
      claimed = text.length;
      return [
        { kind: 'text', text: ' ' },
        { kind: 'citation', citation: numbered(i, unit), isFound: true },
      ];
    }
    return [{ kind: 'unsupported', start, end }];
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
