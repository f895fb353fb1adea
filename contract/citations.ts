/**
 * The markers in an answer, read in the same way by the server that checks them and the browser that shows them:
 * `[1]`, `[1, 2]`, `[1][2]`, `[1-3]` and the same in the brackets 【】 that some models write.
 */

export type Segment =
  | { kind: 'text'; text: string }
  /** One bracket: the numbers in it in their order, and as it was written. */
  | { kind: 'markers'; numbers: number[]; raw: string };

const marker = /[[【]\s*(\d{1,3}(?:\s*[-–,;]\s*\d{1,3})*)\s*[\]】]/g;
/** A range wider than this is no citation, but a number that looks like one. */
const maxRange = 20;

/** A bracket longer than this is no citation. */
const maxBracketLength = 80;
/** Splits an answer into text and markers. Joined again, the segments are the answer. */
export function parseMarkers(answer: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of answer.matchAll(marker)) {
    const numbers = match[0].length > maxBracketLength ? null : numbersIn(match[1] ?? '');
    if (numbers === null) continue;
    if (match.index > end) segments.push({ kind: 'text', text: answer.slice(end, match.index) });
    segments.push({ kind: 'markers', numbers, raw: match[0] });
    end = match.index + match[0].length;
  }
  if (end < answer.length) segments.push({ kind: 'text', text: answer.slice(end) });
  return segments;
}

/**
 * Writes the bracketed numbers that stand in a document (a wiki's `[36]`) with other brackets, so that nothing can take
 * them for a marker of ours. The text keeps its length.
 */
export function neutralizeMarkers(text: string): string {
  return text.replaceAll(marker, (raw) => `⟦${raw.slice(1, -1)}⟧`);
}

const gone = '(source deleted)';

/**
 * The answer without each text that rests on one of the numbers, whose documents are gone; the numbers stay.
 *
 * @param isWritten by a model, which may have put what it read anywhere: there only text that rests on another source
 * stays
 */
export function withoutSources(answer: string, numbers: ReadonlySet<number>, isWritten = false): string {
  const kept: string[] = [];
  // From the end: a text rests on all the numbers that follow it up to the next text.
  let rests = isWritten;
  let isBehindMarker = false;
  for (const segment of parseMarkers(answer).reverse()) {
    if (segment.kind === 'markers') {
      kept.push(segment.raw);
      if (!isBehindMarker) rests = false;
      isBehindMarker = true;
      rests ||= segment.numbers.some((n) => numbers.has(n));
    } else if (segment.text.trim() === '') {
      kept.push(segment.text);
    } else {
      kept.push(rests ? `${/^\s*(?:> )?/.exec(segment.text)?.[0]}${gone} ` : segment.text);
      rests = isWritten;
      isBehindMarker = false;
    }
  }
  return kept.reverse().join('');
}

/** Null when it can't be meant as citations. */
function numbersIn(list: string): number[] | null {
  const numbers: number[] = [];
  for (const part of list.split(/[,;]/)) {
    const ends = part.split(/[-–]/).map(Number);
    const [from = 0, to = from] = ends;
    if (ends.length > 2 || from < 1 || to < from || to - from > maxRange) return null;
    for (let n = from; n <= to; n++) numbers.push(n);
  }
  return [...new Set(numbers)];
}
