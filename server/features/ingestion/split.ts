/** Where a piece lies in the text that was split, in UTF-16 code units. */
export interface Piece {
  start: number;
  end: number;
}

/** What ends a sentence, with closing quotes and brackets; scripts without spaces need none after it. */
const sentenceEnd = /[.!?…]["'”’»)\]]*\s+|[。！？｡।؟]["'”’」』）]*\s*|\n+/gu;
const space = /\s+/gu;

/**
 * Cuts a text into pieces of at most `max` code units: at the last end of a sentence that leaves the piece at least
 * half full, else at the last white space, else anywhere but inside a surrogate pair. Pieces follow each other without
 * a gap.
 */
export function splitText(text: string, max: number): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  while (text.length - start > max) {
    const window = text.slice(start, start + max);
    const length =
      lastEnd(window, sentenceEnd, max / 2) ?? lastEnd(window, space, max / 4) ?? hardEnd(text, start, max);
    pieces.push({ start, end: start + length });
    start += length;
  }
  if (start < text.length || pieces.length === 0) pieces.push({ start, end: text.length });
  return pieces;
}

function lastEnd(window: string, boundary: RegExp, atLeast: number): number | null {
  let last: number | null = null;
  for (const match of window.matchAll(boundary)) {
    const end = match.index + match[0].length;
    if (end >= atLeast) last = end;
  }
  return last;
}

function hardEnd(text: string, start: number, max: number): number {
  const before = text.charCodeAt(start + max - 1);
  return before >= 0xd800 && before <= 0xdbff && max > 1 ? max - 1 : max;
}
