import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { hasUnspaced } from '#server/lib/analyze.ts';
import { type Asked, readAsked } from './answer-type.ts';
import { shownColumns } from './asked-columns.ts';
import { createCoverage } from './coverage.ts';
import { type Emphasis, shortAnswer } from './emphasis.ts';
import { type SupportSignals, supportSignals } from './support-signals.ts';
import type { Unit } from './unit.ts';
import { type UnitSignals, type Weighed, weighUnits } from './unit-signals.ts';

/** A unit that answers, with the passage it stands in. */
export interface Quote {
  passage: RetrievedPassage;
  unit: Unit;
  score: number;
  /** The short answer in it, where that is clear. */
  emphasis: Emphasis | null;
  /** Of a row with many cells, those that are shown: its key and what is asked for. */
  columns?: number[];
}

export interface Extract {
  /** At most three, best first. Empty: nothing in the passages answers. */
  quotes: Quote[];
  /** How likely the passages answer, as log odds: below 0 they do not. */
  support: number;
}

const maxQuotes = 3;
/** A further quote scores at most this much less than the best. */
const goodEnough = 6;
/** Two quotes with more words in common than this say the same. */
const sameness = 0.7;

/**
 * What each signal counts, in log odds: fitted on one half of the evaluation's questions (`npm run evals -- fit`), the
 * other half checks it. By hand: `asked` and `question`, since no document of the sets asks anything, `field`, since none is a mail, and `rowWords`, raised
 * until a word counts in a row, too, that stands there in another form only. The other five of rows are from an earlier
 * fit: with those of the last one fewer right rows were quoted (decision 0018).
 */
export const unitWeights: Record<keyof UnitSignals, number> = {
  words: 4.86,
  exact: 2.79,
  phrases: -0.5,
  run: -0.04,
  heading: 4.47,
  asked: 4.5,
  before: 4.18,
  reference: 1.49,
  earlier: 1.32,
  after: 2.33,
  passage: -3.11,
  behind: -3.64,
  trust: 3.28,
  date: 2.46,
  amount: 1.44,
  person: 1.32,
  place: 1.13,
  reason: 0.95,
  question: -5,
  length: -0.08,
  row: -0.45,
  rowWords: -4,
  label: 1.35,
  labelled: 2.31,
  column: 1.61,
  empty: -1.02,
  field: 9,
};

/** Languages with more forms of a word than English has, and without spaces: a good match is a lower one. */
export type LanguageClass = 'english' | 'inflected' | 'unspaced';

/**
 * The same for whether the passages answer at all, fitted with half of the articles absent. The last figure is moved so
 * that of the questions whose article is there 3 % (English), 4.5 % and 6 % are refused: it is higher than the fit's.
 */
export const supportWeights: Record<LanguageClass, Record<keyof SupportSignals, number>> = {
  english: {
    score: 4.45,
    coverage: 1.73,
    exact: 1.73,
    sentence: 3.69,
    phrases: 2.96,
    run: -2.73,
    absentNames: -2.91,
    lead: 0.44,
    size: -0.3,
    bias: -4.3,
  },
  inflected: {
    score: 4.01,
    coverage: 1.74,
    exact: 0.51,
    sentence: 3.36,
    phrases: 1.45,
    run: -1.08,
    absentNames: -1.7,
    lead: 4.85,
    size: 0.26,
    bias: -4.7,
  },
  unspaced: {
    score: 4.99,
    coverage: 2.09,
    exact: 2.07,
    sentence: 1.72,
    phrases: 0.23,
    run: -3.06,
    absentNames: -0.27,
    lead: 4.05,
    size: 0.71,
    bias: -5.18,
  },
};

export function languageClass({ language }: Question, text: string): LanguageClass {
  if (hasUnspaced(text)) return 'unspaced';
  return language === 'en' ? 'english' : 'inflected';
}

/**
 * Picks the best sentences, items and rows of the passages for a question, without a model: by the weight of the
 * question's words in them and around them, by the passage's own score, and by the kind of answer that is asked for.
 */
export async function extract(
  question: Question,
  questionText: string,
  passages: { passage: RetrievedPassage; units: Unit[] }[],
): Promise<Extract> {
  if (question.total === 0 || (passages[0]?.passage.score ?? 0) === 0) return { quotes: [], support: -10 };
  const measures = createCoverage(question);
  const rated = (await weighUnits(question, questionText, passages, measures)).map((weighed) => ({
    ...weighed,
    score: sumOf(weighed.signals, unitWeights),
  }));
  const signals = supportSignals(
    question,
    questionText,
    passages.map(({ passage }) => passage),
    rated,
    measures,
  );
  const support = sumOf(signals, supportWeights[languageClass(question, questionText)]);
  const asked = readAsked(questionText);
  return { quotes: support < 0 ? [] : pick(rated).map((each) => toQuote(each, asked)), support };
}

export function sumOf<Name extends string>(signals: Record<Name, number>, weights: Record<Name, number>): number {
  let sum = 0;
  for (const name in weights) sum += weights[name] * signals[name];
  return sum;
}

type Rated = Weighed & { score: number };

function pick(rated: Rated[]): Rated[] {
  rated.sort((one, other) => other.score - one.score);
  const picked: Rated[] = [];
  const least = (rated[0]?.score ?? 0) - goodEnough;
  for (const candidate of rated) {
    if (picked.length === maxQuotes || candidate.score < least) break;
    if (picked.some((each) => saysTheSame(each.terms, candidate.terms))) continue;
    picked.push(candidate);
  }
  return picked;
}

function toQuote({ passage, unit, score }: Rated, question: Asked): Quote {
  const columns = unit.row && shownColumns(unit.row, question);
  return { passage, unit, score, emphasis: shortAnswer(unit, question), ...(columns && { columns }) };
}

/** Jaccard's measure: sentences of one contract have most of their small words in common. */
function saysTheSame(one: Set<string>, other: Set<string>): boolean {
  return one.intersection(other).size > sameness * one.union(other).size;
}
