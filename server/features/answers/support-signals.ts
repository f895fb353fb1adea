import { answerType } from '#server/features/retrieval/answer-type.ts';
import type { Measures } from '#server/features/retrieval/coverage.ts';
import { type Question, type RetrievedPassage, termsFor } from '#server/features/retrieval/retrieval.ts';

import { namesIn } from './names.ts';
import type { Weighed } from './unit-signals.ts';

/** What speaks for it that the passages answer at all, each a share (0 to 1) or close to it. */
export interface SupportSignals {
  /** The score of the passage with the best words, in tens. */
  score: number;
  /** How far it is ahead of the others. */
  lead: number;
  /** The question's words that follow each other in some sentence, item or row as they do in it. */
  phrases: number;
  /** Names and numbers of the question that the best passage lacks. */
  absentNames: number;
  /** The question's words in the passage of the best quote, its headings, its file's name and first page. */
  evidence: number;
  /** Those in the best sentence, item or row that has what is asked for, an amount or a date, with what stands over it. */
  typed: number;
  /** The best quote has not what is asked for; */
  lacksType: number;
  /** nor an amount of the very kind; */
  lacksKind: number;
  /** nor a word of those that are to be counted. */
  lacksCounted: number;
  /** It is of another year, and its document has the one that is asked for nowhere; */
  absentYear: number;
  /** or elsewhere; */
  vagueYear: number;
  /** and nothing else here is of it. */
  noYear: number;
  /** Number of the question's words, as a logarithm. */
  size: number;
}

/** A unit with the sum of its signals. */
export type Rated = Weighed & { score: number };

const counting = /(?<!\p{L})(?:how many|wie ?viele|combien d|cu[áa]nt[oa]s|quant[ie])/iu;
/** Of the words that name what is counted so much must stand in a quote. */
const leastCounted = 0.5;

/** @param rated all that may be quoted of the passages */
export function supportSignals(
  question: Question,
  questionText: string,
  passages: readonly RetrievedPassage[],
  rated: readonly Rated[],
  { of, share }: Measures,
): SupportSignals {
  const { weights, total } = question;
  // Nearness of meaning says that a passage is about the same thing, not that it answers: words decide on that.
  const [first, ...others] = passages.toSorted((one, other) => other.wordScore - one.wordScore);
  const termsOf = ({ name, headingPath, text, language }: RetrievedPassage) =>
    termsFor(question, `${name} ${headingPath.join(' ')} ${text}`, language);
  const terms = new Set(first ? termsOf(first) : []);
  const score = first?.wordScore ?? 0;
  // Where there is no other, nothing is known of it: half as good is usual.
  const otherScore =
    others.length === 0 ? score / 2 : others.reduce((sum, { wordScore }) => sum + wordScore, 0) / others.length;
  const best = rated.reduce<Rated | undefined>(
    (one, other) => (one && one.score >= other.score ? one : other),
    undefined,
  );
  const wanted = answerType(questionText);
  const hasType = ({ signals }: Weighed) => wanted === null || signals[wanted] === 1;
  const typed = rated.filter((each) => hasType(each) && each.signals.lacksKind === 0);
  const asksYear = rated.some(({ signals: { year, edition, otherYear, vagueYear, absentYear } }) =>
    Boolean(year || edition || otherYear || vagueYear || absentYear),
  );
  let absent = 0;
  for (const name of namesIn(questionText, question)) if (!terms.has(name)) absent += weights.get(name) ?? 0;
  return {
    score: score / 10,
    lead: (score - otherScore) / 10,
    phrases: Math.max(0, ...rated.map(({ signals }) => signals.phrases)),
    absentNames: Math.min(1, absent / total),
    evidence: best ? share(of(best.terms), of([...termsOf(best.passage), ...best.passage.named])) : 0,
    typed: Math.max(0, ...typed.map(({ signals }) => signals.words + signals.heading)),
    lacksType: best && !hasType(best) ? 1 : 0,
    lacksKind: best?.signals.lacksKind ?? 0,
    lacksCounted: best && counting.test(questionText) && best.signals.focus < leastCounted ? 1 : 0,
    absentYear: best?.signals.absentYear ?? 0,
    vagueYear: best?.signals.vagueYear ?? 0,
    noYear: asksYear && !rated.some(({ signals }) => isOfYear(signals)) ? 1 : 0,
    size: Math.log(Math.max(1, weights.size)),
  };
}

/** Whether a quote is of a year that is asked for. */
export function isOfYear({ year, edition, otherYear }: Weighed['signals']): boolean {
  return year === 1 || (edition === 1 && otherYear === 0);
}
