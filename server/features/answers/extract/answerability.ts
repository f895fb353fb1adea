import { type Coverage, type Measures, together } from '#server/features/retrieval/question/coverage.ts';
import { namesIn } from '#server/features/retrieval/question/names.ts';
import { type Question, type RetrievedPassage, termsFor } from '#server/features/retrieval/retrieval.ts';
import { countCheck } from './counted.ts';
import { bestOf } from './pick.ts';
import { around } from './unit-shape.ts';
import type { Rated, Weighed } from './unit-signals.ts';

/** What speaks for it that the passages answer at all, each a share (0 to 1) or close to it. */
export interface AnswerabilitySignals {
  /** The score of the passage with the best words, in tens, as a logarithm. */
  score: number;
  /** How far that is below what a passage with most of the words has. */
  poorScore: number;
  /**
   * Names and numbers of the question that stand neither in the passage of the best quote nor on its document's first
   * page; those that its document has elsewhere count half.
   */
  absentNames: number;
  /** It is asked how many there are of something, and the best quote has no number of it. */
  lacksCount: number;
  /** The best quote has nothing of the very kind that is asked for. */
  lacksKind: number;
  /**
   * A year or quarter is asked for, and nothing here is of it, or the best quote's document has it nowhere; half where
   * the document is of other years and has it in another place.
   */
  otherYear: number;
  /** The best quote is a row of another day, year or thing with a letter or number than is asked for. */
  otherRecord: number;
  /**
   * Of the question's words that stand in the best quote, or do not name its document, those that stand in its passage;
   * 1 where there are none.
   */
  onPage: number;
  /** How many of the question's words those are, as a logarithm: the more there are, the more such a share tells. */
  telling: number;
  /** How likely the best quote is the one, by the scores of all. */
  clear: number;
  /** It is asked what a word means, and the best quote explains it. */
  defines: number;
  /** The best quote has none of the names that the question and another document here have. */
  otherName: number;
  /** Sum of the weights of the question's words, as a logarithm. */
  weight: number;
}

/** The least score that is told from others, in tens. */
const minScore = 0.05;
/** With more, a passage has most of the words: the logarithm of 0.6. */
const usualScore = -0.5;

/** Of a question's weight: less than this says nothing beside the document's name. */
const minTelling = 0.02;

/** @param rated all that may be quoted of the passages */
export function answerabilitySignals(
  question: Question,
  questionText: string,
  passages: readonly RetrievedPassage[],
  rated: readonly Rated[],
  measures: Measures,
): AnswerabilitySignals {
  const { weights, total } = question;
  const { of } = measures;
  // Nearness of meaning says that a passage is about the same thing, not that it answers: words decide on that.
  const [first] = passages.toSorted((one, other) => other.wordScore - one.wordScore);
  const best = bestOf(rated, question);
  const asked = [...weights.keys()];
  const read = (text: string, { language }: RetrievedPassage) => of(termsFor(question, text, language));
  const inPassage = (passage: RetrievedPassage) =>
    read(`${passage.name} ${passage.headingPath.join(' ')} ${passage.text}`, passage);
  const beside = best ? together(inPassage(best.passage), of(best.passage.named)) : [];
  const asksYear = rated.some(({ signals: { year, edition, otherYear, vagueYear, absentYear } }) =>
    Boolean(year || edition || otherYear || vagueYear || absentYear),
  );
  const inDocument = best ? together(beside, of(best.passage.inDocument)) : [];
  const telling = best ? tellingOf(best) : [];
  let absent = 0;
  for (const name of namesIn(questionText, question)) {
    const i = asked.indexOf(name);
    absent += (1 - ((beside[i] ?? 0) + (inDocument[i] ?? 0)) / 2) * (weights.get(name) ?? 0);
  }
  const score = Math.log(Math.max(minScore, (first?.wordScore ?? 0) / 10));
  return {
    score,
    poorScore: Math.min(0, score - usualScore),
    absentNames: absent / total,
    lacksCount: best?.signals.counted === 0 && countCheck(question, questionText, measures) !== null ? 1 : 0,
    lacksKind: best?.signals.lacksKind ?? 0,
    otherYear: best?.signals.otherQuarter === 1 ? 1 : asksYear ? otherYear(best) : 0,
    otherRecord: best && isOtherRecord(best) ? 1 : 0,
    onPage: best ? onPage(best, telling) : 0,
    telling: Math.log(1 + telling.reduce((sum, each) => sum + each, 0)),
    clear: best ? likelihood(best, rated) : 0,
    defines: best?.signals.defines ?? 0,
    otherName: best?.signals.otherName === 1 ? 1 : 0,
    weight: Math.log(total + 1),
  };

  /**
   * How much each of the question's words tells: nothing where it names the best quote's document, unless the quote
   * says it as well. What stands on the first page names a document, and of one page that is all.
   */
  function tellingOf({ unit, passage }: Rated): Coverage {
    const named = of(passage.named);
    const quoted = read(`${unit.text} ${around(unit)}`, passage);
    return asked.map((_, i) => Math.max(quoted[i] ?? 0, 1 - (named[i] ?? 0)));
  }

  function onPage({ unit, passage }: Rated, telling: Coverage): number {
    const there = together(inPassage(passage), read(around(unit), passage));
    let all = 0;
    let found = 0;
    for (const [i, weight] of [...weights.values()].entries()) {
      const counts = weight * (telling[i] ?? 0);
      all += counts;
      found += counts * (there[i] ?? 0);
    }
    return all > minTelling * total ? found / all : 1;
  }

  function otherYear(chosen: Rated | undefined): number {
    if (
      chosen?.signals.absentYear === 1 ||
      chosen?.signals.otherMonth === 1 ||
      !rated.some(({ signals }) => isOfYear(signals))
    )
      return 1;
    return (chosen?.signals.vagueYear ?? 0) / 2;
  }
}

/** Of a sheet each row is a record by itself: that one of another file is of the year says nothing of it. */
function isOtherRecord({ unit, signals }: Rated): boolean {
  const isOfOtherYear =
    unit.row !== undefined && unit.page === null && signals.otherYear === 1 && signals.edition === 0;
  return isOfOtherYear || signals.otherDay === 1 || signals.otherMark === 1;
}

/** Its share of all: the scores are log odds. */
function likelihood({ score }: Rated, all: readonly Rated[]): number {
  return 1 / all.reduce((sum, other) => sum + Math.exp(other.score - score), 0);
}

/** Whether a quote is of a year that is asked for. */
export function isOfYear({ year, edition, otherYear }: Weighed['signals']): boolean {
  return year === 1 || (edition === 1 && otherYear === 0);
}
