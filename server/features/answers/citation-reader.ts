import { createMarkerReader, type Segment } from '#contract/citations.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
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
  | { kind: 'citation'; citation: Citation }
  /** The claim from `start` to `end` of the text so far named sources, and none of them says so. */
  | { kind: 'unsupported'; start: number; end: number };

/** A claim with fewer words of its own than this is read with the rest of its sentence. */
const leastWords = 3;
const sentenceEnd = /[.!?。！？؟]["'»”’)\]]*\s+|[。！？]|\n+/gu;

/**
 * Reads an answer in pieces, cut anywhere, and lets a marker through only with the sentence that supports the claim
 * before it. Passages are cited as they were supplied, from 1; quotes are numbered by first use. A marker that names no
 * passage, or one that does not say so, is taken out.
 */
export function createCitationReader(passages: SupportingPassage[], weigh: (text: string) => Question) {
  const reader = createMarkerReader();
  const cited: Citation[] = [];
  /** What was given out, and where in it the last claim with a marker ended. */
  let text = '';
  let claimed = 0;
  /** Blanks that are dropped with a marker behind them. */
  let blanks = '';
  /** The claim whose markers are being read, until something else follows. */
  let open: { start: number; end: number; isSupported: boolean } | null = null;

  return {
    push: (piece: string): CheckedPart[] => joined(reader.push(piece).flatMap(read)),
    end(): CheckedPart[] {
      const rest = reader.end().flatMap(read);
      const parts = [...rest, ...closeClaim()];
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
    const shown = all.trimEnd();
    blanks = all.slice(shown.length);
    if (shown === '') return [];
    const parts = closeClaim();
    text += shown;
    parts.push({ kind: 'text', text: shown });
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
      const citation = numbered(number - 1, unit);
      open.isSupported = true;
      parts.push({ kind: 'citation', citation });
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

  function numbered(passage: number, unit: Unit): Citation {
    const known = cited.find((each) => each.passage === passage && each.unit.start === unit.start);
    if (known) return known;
    const citation = { n: cited.length + 1, passage, unit };
    cited.push(citation);
    return citation;
  }

  /** Where the sentence at the end of the text begins, or what of it stands behind the last marker. */
  function claimStart(): number {
    let start = 0;
    for (const match of text.matchAll(sentenceEnd)) {
      const end = match.index + match[0].length;
      if (end < text.length) start = end;
    }
    const own = analyze(text.slice(Math.max(start, claimed)));
    return own.length >= leastWords ? Math.max(start, claimed) : start;
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
