import { type Question, type RetrievedPassage, termsFor } from '#server/features/retrieval/retrieval.ts';
import type { Measures } from './coverage.ts';
import { namesIn } from './names.ts';
import type { Weighed } from './unit-signals.ts';

/** What speaks for it that the passages answer at all, each a share (0 to 1) or close to it. */
export interface SupportSignals {
  /** The score of the passage with the best words, in tens. */
  score: number;
  /** The question's words in that passage, its headings and its file's name; */
  coverage: number;
  /** those in the very form; */
  exact: number;
  /** those in the best sentence, item or row; */
  sentence: number;
  /** those that follow each other in one as in the question; */
  phrases: number;
  /** the longest run of them that stands somewhere in the same order. */
  run: number;
  /** Names and numbers of the question that the best passage lacks. */
  absentNames: number;
  /** How far the best passage is ahead of the others. */
  lead: number;
  /** Number of the question's words, as a logarithm. */
  size: number;
  /** The same for all. */
  bias: number;
}

/** @param weighed all that may be quoted of the passages */
export function supportSignals(
  question: Question,
  questionText: string,
  passages: readonly RetrievedPassage[],
  weighed: readonly Weighed[],
  { of, share }: Measures,
): SupportSignals {
  const { weights, total } = question;
  // Nearness of meaning says that a passage is about the same thing, not that it answers: words decide on that.
  const [first, ...others] = passages.toSorted((one, other) => other.wordScore - one.wordScore);
  const terms = new Set(
    first ? termsFor(question, `${first.name} ${first.headingPath.join(' ')} ${first.text}`, first.language) : [],
  );
  const shareOf = (some: Iterable<string>) => {
    let sum = 0;
    for (const term of some) sum += weights.get(term) ?? 0;
    return Math.min(1, sum / total);
  };
  const best = first?.wordScore ?? 0;
  // Where there is no other, nothing is known of it: half as good is usual.
  const otherScore =
    others.length === 0 ? best / 2 : others.reduce((sum, { wordScore }) => sum + wordScore, 0) / others.length;
  const most = (signal: 'words' | 'phrases' | 'run') => Math.max(0, ...weighed.map(({ signals }) => signals[signal]));
  return {
    score: best / 10,
    coverage: share(of(terms)),
    exact: shareOf(terms),
    sentence: most('words'),
    phrases: most('phrases'),
    run: most('run'),
    absentNames: shareOf([...namesIn(questionText, question)].filter((name) => !terms.has(name))),
    lead: (best - otherScore) / 10,
    size: Math.log(Math.max(1, weights.size)),
    bias: 1,
  };
}
