import { isFormOf, isSlipOf } from '#server/lib/word-forms.ts';

/** Two forms of a word have so many letters in common at their start, or the one stands in the other. */
const start = 4;
/** What may stand in another word: in Arabic a root is written in three letters. */
const shortestPart = 3;
/** A slip changes the length by so much at most. */
const mostLonger = 2;
/** Two slips exchange so many kinds of letters at most. */
const mostExchanged = 4;

/**
 * Finds the known terms that are forms of another or slips of it, in the order in which they are known. Comparing with
 * all of them would take milliseconds a word: only those are compared that have its beginning, hold it, stand in it, or
 * begin with its first letter and have nearly its letters.
 */
export function likeTerms(known: Iterable<string>): (term: string) => string[] {
  const terms = [...known];
  const at = new Map(terms.map((term, i) => [term, i]));
  const byStart = grouped(terms, (term) => term.slice(0, start));
  const byShape = grouped(terms, shapeOf);
  const letters = terms.map(lettersOf);
  const text = `\n${terms.join('\n')}\n`;

  function* candidates(term: string): Generator<number> {
    yield* byStart.get(term.slice(0, start)) ?? [];
    if (term.length >= shortestPart)
      for (let found = text.indexOf(term); found !== -1; found = text.indexOf(term, found + 1)) {
        const i = at.get(text.slice(text.lastIndexOf('\n', found) + 1, text.indexOf('\n', found)));
        if (i !== undefined) yield i;
      }
    for (let from = 0; from < term.length; from++) {
      for (let to = from + shortestPart; to <= term.length; to++) {
        const i = at.get(term.slice(from, to));
        if (i !== undefined) yield i;
      }
    }
    const own = lettersOf(term);
    for (let length = term.length - mostLonger; length <= term.length + mostLonger; length++) {
      for (const i of byShape.get(`${term[0]}${length}`) ?? [])
        if (ones(own ^ (letters[i] ?? 0)) <= mostExchanged) yield i;
    }
  }

  return (term) => {
    const alike = new Set<number>();
    for (const i of candidates(term)) {
      const other = terms[i] ?? '';
      if (!alike.has(i) && ((other[0] === term[0] && isSlipOf(term, other)) || isFormOf(term, other))) alike.add(i);
    }
    return [...alike].sort((one, other) => one - other).map((i) => terms[i] ?? '');
  };
}

function grouped(terms: string[], keyOf: (term: string) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [i, term] of terms.entries()) {
    const key = keyOf(term);
    const group = groups.get(key);
    if (group) group.push(i);
    else groups.set(key, [i]);
  }
  return groups;
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
