import type { createPause } from '#server/lib/pause.ts';
import { isFormOf, isSlipOf, maxWordLength } from '#server/lib/word-forms.ts';

/** Two forms of a word have so many letters in common at their start, or the one stands in the other. */
const start = 4;
/** What may stand in another word: in Arabic a root is written in three letters. */
const shortestPart = { arabic: 3, other: 5 };
/** Shorter terms are like no other. */
const shortest = 3;
/** A slip changes the length by so much at most. */
const maxLonger = 2;
/** Two slips exchange so many kinds of letters at most. */
const maxExchanged = 4;
/**
 * Characters of all terms that are known. A company's have a tenth of it; more is text that nobody wrote for readers.
 */
const maxCharacters = 600_000;
/**
 * Terms that are looked at for one term, and compared with it. In documents that people write it is like some dozens.
 */
const maxLookedAt = 5000;
const maxCompared = 1000;
/** Terms between two looks at the time. */
const batch = 1000;

/**
 * Finds the known terms that are forms of another or slips of it, in the order in which they are known. Comparing with
 * all of them would take milliseconds a word: only those are compared that have its beginning, hold it, stand in it, or
 * begin with its first letter and have nearly its letters. What no text for readers needs is left out, so that a term
 * takes a millisecond at most whatever the documents say.
 * @param pause between the steps of making ready
 */
export async function likeTerms(
  known: Iterable<string>,
  pause: ReturnType<typeof createPause>,
): Promise<(term: string) => string[]> {
  const terms: string[] = [];
  const at = new Map<string, number>();
  const byStart = new Map<string, number[]>();
  const byShape = new Map<string, number[]>();
  const letters: number[] = [];
  let text = '\n';
  for (const term of known) {
    if (term.length < shortest || term.length > maxWordLength) continue;
    if (text.length + term.length >= maxCharacters) break;
    const i = terms.push(term) - 1;
    at.set(term, i);
    addTo(byStart, term.slice(0, start), i);
    addTo(byShape, shapeOf(term), i);
    letters.push(lettersOf(term));
    text += `${term}\n`;
    if (i % batch === 0) await pause();
  }

  function* candidates(term: string): Generator<number> {
    let lookedAt = 0;
    for (const i of byStart.get(term.slice(0, start)) ?? []) {
      if (lookedAt++ === maxLookedAt) return;
      yield i;
    }
    if (term.length >= (isArabic(term) ? shortestPart.arabic : shortestPart.other))
      for (let found = text.indexOf(term); found !== -1; found = text.indexOf(term, found + 1)) {
        if (lookedAt++ === maxLookedAt) return;
        const i = at.get(text.slice(text.lastIndexOf('\n', found) + 1, text.indexOf('\n', found)));
        if (i !== undefined) yield i;
      }
    for (let from = 0; from < term.length; from++) {
      for (let to = from + shortest; to <= term.length; to++) {
        const i = at.get(term.slice(from, to));
        if (i !== undefined) yield i;
      }
    }
    const own = lettersOf(term);
    for (let length = term.length - maxLonger; length <= term.length + maxLonger; length++) {
      for (const i of byShape.get(`${term[0]}${length}`) ?? []) {
        if (lookedAt++ === maxLookedAt) return;
        if (ones(own ^ (letters[i] ?? 0)) <= maxExchanged) yield i;
      }
    }
  }

  return (term) => {
    if (term.length > maxWordLength) return [];
    const alike = new Set<number>();
    let compared = 0;
    for (const i of candidates(term)) {
      if (compared++ === maxCompared) break;
      const other = terms[i] ?? '';
      if (!alike.has(i) && ((other[0] === term[0] && isSlipOf(term, other)) || isFormOf(term, other))) alike.add(i);
    }
    return [...alike].sort((one, other) => one - other).map((i) => terms[i] ?? '');
  };
}

function addTo(groups: Map<string, number[]>, key: string, i: number): void {
  const group = groups.get(key);
  if (group) group.push(i);
  else groups.set(key, [i]);
}

function isArabic(term: string): boolean {
  const first = term.charCodeAt(0);
  return first >= 0x621 && first <= 0x64a;
}

function shapeOf(term: string): string {
  return `${term[0]}${term.length}`;
}

/** A bit for each kind of letter; some kinds share one. */
function lettersOf(term: string): number {
  let bits = 0;
  for (let i = 0; i < term.length; i++) bits |= 1 << (term.charCodeAt(i) & 31);
  return bits;
}

function ones(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
