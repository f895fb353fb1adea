import { createHash } from 'node:crypto';
import { answerType } from '#server/features/retrieval/question/answer-type.ts';
import { analyze, questionTerms } from '#server/lib/analyze.ts';
import { contrasts, frameWords, manner, negations } from './question-words.ts';

/**
 * A question as it is compared with others: its telling words, and what makes two questions in nearly the same words
 * ask for different things. Kept with the question, so each part is a string with a mark.
 */
export interface Wording {
  /**
   * `?:` what is asked for; `!:` what must not differ; then the words by their stems, in order: `n:` of a name, `f:` of
   * what only frames the question, `w:` of any other. A word that comes again has a number.
   */
  terms: string[];
  /** sha-256 of them, hex. */
  hash: string;
}

/** Of a pasted text the first words are compared. */
const maxTerms = 40;
/** What a word that only frames the question counts beside a telling one, and a form of a word beside the word. */
const shares = { frame: 0.12, form: 0.9 };
/** From here on two are taken for one (`npm run evals -- same-question`). */
export const minLikeness = 0.8;

const frames = new Set(analyze(frameWords));
const capital = /(?<=[\p{L}\p{N},;:"“„(]\s?|\p{Script=Han})\p{Lu}[\p{L}\p{N}&'’-]*/gu;

export function wordingOf(question: string): Wording {
  const text = question.normalize('NFKC');
  const lower = text.toLowerCase();
  const { terms, language } = questionTerms(text);
  const telling = new Set(terms.slice(0, maxTerms));
  const names = new Set((text.match(capital) ?? []).flatMap((name) => analyze(name)));
  const plain = analyze(text);
  // Word for word the same as `plain`, by the stems of the question's own language: "modified", "modifications".
  const stems = language === null ? plain : analyze(text, language);
  const seen = new Map<string, number>();
  const words: string[] = [];
  for (const [i, word] of plain.entries()) {
    if (!telling.has(word) || words.length === maxTerms) continue;
    const times = (seen.get(word) ?? 0) + 1;
    seen.set(word, times);
    const kind = frames.has(word) ? 'f' : names.has(word) ? 'n' : 'w';
    words.push(`${kind}:${stems[i] ?? word}${times > 1 ? `#${times}` : ''}`);
  }
  const asked = answerType(text) ?? (manner.test(lower) ? 'manner' : null);
  const isNegative = (lower.match(negations)?.length ?? 0) % 2 === 1;
  const kept = [
    ...(asked === null ? [] : [`?:${asked}`]),
    ...(isNegative ? ['!:not'] : []),
    ...contrasts.flatMap(([name, shape]) => (shape.test(lower) ? [`!:${name}`] : [])),
    // Years, amounts and codes: one digit makes another question.
    ...terms
      .slice(0, maxTerms)
      .filter((word) => /\d/.test(word))
      .map((word) => `!:${word}`)
      .sort(),
    ...words,
  ];
  return { terms: kept, hash: createHash('sha256').update(kept.join('\n')).digest('hex') };
}

/** How alike two questions are by their wordings' terms: 0 to 1; 0 where they ask for different things. */
export function likeness(one: readonly string[], other: readonly string[]): number {
  const marks = (terms: readonly string[]) => terms.filter((term) => term.startsWith('!:')).join();
  if (marks(one) !== marks(other) || !asksForTheSame(askedIn(one), askedIn(other))) return 0;
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if (isSwapped(words, others)) return 0;
  const left = new Map(others.map((word) => [stemOf(word), word]));
  let shared = 0;
  const own: string[] = [];
  for (const word of words) {
    const stem = stemOf(word);
    if (left.delete(stem)) shared += weightOf(word);
    else own.push(word);
  }
  const unmatched: string[] = [];
  for (const word of own) {
    const form = [...left.keys()].find((stem) => isFormOf(stemOf(word), stem));
    if (form === undefined) unmatched.push(word);
    else {
      left.delete(form);
      shared += shares.form * weightOf(word);
    }
  }
  const rest = [...left.values()];
  const isName = (word: string) => word.startsWith('n:');
  if (unmatched.some(isName) && rest.some(isName)) return 0;
  const sum = (list: readonly string[]) => list.reduce((all, word) => all + weightOf(word), 0);
  const [missing, more] = [sum(unmatched), sum(rest)];
  // One word in another's place tells more than a word more.
  if (isReplaced(words, others, unmatched, rest)) return 0;
  const all = shared + missing + more + Math.min(missing, more);
  return all === 0 ? 0 : shared / all;
}

/** The words of a wording by which others that are like it are found. */
export function stemsOf({ terms }: Wording): string[] {
  return [...new Set(wordsOf(terms).map((word) => stemOf(word).replace(/#\d+$/, '')))];
}

const wordsOf = (terms: readonly string[]) => terms.filter((term) => /^[wnf]:/.test(term));
const askedIn = (terms: readonly string[]) => terms.find((term) => term.startsWith('?:'))?.slice(2);
const stemOf = (word: string) => word.slice(2);
const weightOf = (word: string) => (word.startsWith('f:') ? shares.frame : 1);

/** A person or a place may be asked for by "which"; a date, an amount or a reason has words of its own. */
function asksForTheSame(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  if (one !== undefined && other !== undefined) return false;
  return ['person', 'place', 'manner'].includes(one ?? other ?? '');
}

/** The same words, of which two that are no neighbours have changed places. */
function isSwapped(words: readonly string[], others: readonly string[]): boolean {
  if (words.length !== others.length) return false;
  const apart = words.flatMap((word, i) => (stemOf(word) === stemOf(others[i] ?? '  ') ? [] : [i]));
  const [first = 0, second = 0] = apart;
  if (apart.length !== 2 || second - first < 2) return false;
  return words[first] === others[second] && words[second] === others[first];
}

/** Each has one word that the other has not, at the same place. */
function isReplaced(
  words: readonly string[],
  others: readonly string[],
  unmatched: readonly string[],
  rest: readonly string[],
): boolean {
  const telling = (word: string) => !word.startsWith('f:');
  const [own, theirs] = [unmatched.filter(telling), rest.filter(telling)];
  if (own.length !== 1 || theirs.length !== 1) return false;
  const [first, second] = [words.filter(telling), others.filter(telling)];
  return first.length > 2 && first.indexOf(own[0] ?? '') === second.indexOf(theirs[0] ?? '');
}

/** Forms of one word, or one misspelt: long, and alike but for their ends or one letter. */
function isFormOf(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < 4 || /\d/.test(long)) return false;
  // The stem of a question whose language is not known is cut elsewhere.
  if (long.startsWith(short) && long.length - short.length <= 2) return true;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  if (same >= 5 && same >= 0.6 * long.length) return true;
  // One letter another, one more or one less.
  const rest = long.length === short.length ? 1 : 0;
  return short.length >= 6 && long.length - short.length <= 1 && short.slice(same + rest) === long.slice(same + 1);
}
