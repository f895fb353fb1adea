import { type Asked, readAsked } from '#server/features/retrieval/answer-type.ts';
import { createCoverage } from '#server/features/retrieval/coverage.ts';
import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { hasUnspaced } from '#server/lib/analyze.ts';
import { type AnswerabilitySignals, answerabilitySignals, type Rated } from './answerability.ts';
import { shownColumns } from './asked-columns.ts';
import { type Missing, missingOf } from './missing.ts';
import { type Emphasis, shortAnswer } from './short-answer.ts';
import type { Unit } from './unit.ts';
import { type UnitSignals, weighUnits } from './unit-signals.ts';

/** A unit that answers, with the passage it stands in. */
export interface Quote {
  passage: RetrievedPassage;
  unit: Unit;
  score: number;
  /** The short answer in it, where that is clear. */
  emphasis: Emphasis | null;
  /** Of a row with many cells, those that are shown: its key and what is asked for. */
  columns?: number[];
  /** It was found beside those that answer, and is no part of the answer. */
  isSupporting: boolean;
}

export interface Extract {
  /**
   * At most three that answer, best first, then those that were found beside them. Empty: nothing in the passages
   * answers.
   */
  quotes: Quote[];
  /** How likely the passages answer, as log odds: below 0 they do not. */
  support: number;
  /** What the question names and the documents do not have. */
  missing: Missing;
}

const maxShown = 3;
/** With what is only found beside. */
const maxQuotes = 5;
/** A further quote scores at most this much less than the best; */
const goodEnough = 6;
/** to be shown with it, this much; */
const addsBeside = 5;
/** and its page is the right one more likely than not. */
const minLikely = 0.5;
/**
 * Documents without pages are short: what stands in the same passage, or in another one, is more often part of the
 * answer.
 */
const addsToShort = { beside: goodEnough, elsewhere: 3 };
/**
 * To a row that is named by its label and has what is asked for, the rest adds little; without pages, one of the same
 * name elsewhere may be meant.
 */
const addsToRow = { beside: 2, elsewhere: 3 };
const minLabelled = 0.75;
/** Two quotes with more words in common than this say the same. */
const sameness = 0.7;

/**
 * What each signal counts, in log odds: fitted on eight sets, judged on each by weights of the seven others
 * (`docs/decisions/0025`). By hand: `asked` and `question`, since no document of the sets asks anything, `field`, since
 * none is a mail, years, since a quote of another one is never an answer, the numbers of figures and tables, for which
 * few questions ask, and `whole`, which only tells equal rows apart.
 */
export const unitWeights: Record<keyof UnitSignals, number> = {
  words: 4.49,
  exact: 2.92,
  phrases: 0.13,
  run: 0.25,
  heading: 4.08,
  asked: 4.5,
  before: 3.47,
  reference: 1.41,
  earlier: 0.82,
  after: 2.26,
  passage: -2.3,
  behind: -3.45,
  trust: 2.95,
  date: 3.27,
  amount: 1.86,
  person: 0.86,
  place: 0.68,
  reason: 0.7,
  question: -5,
  length: -0.2,
  row: 0.16,
  rowWords: -3.1,
  label: -1.76,
  labelled: 3.88,
  column: 0.45,
  empty: -0.15,
  field: 9,
  year: -0.08,
  edition: -0.36,
  otherYear: -4,
  absentYear: -4,
  vagueYear: -0.24,
  announced: 1.93,
  announces: -2.54,
  caption: -1.27,
  echo: -0.58,
  about: 3.42,
  kind: 0.99,
  lacksKind: -0.99,
  focus: 0.85,
  whole: 0.6,
  numbered: 4,
  otherNumber: -2,
};

/**
 * How much of a question's words a passage that answers it has as they are: most in English and the Romance languages,
 * less where words are compounded or have many forms, least where they are pairs of characters.
 */
export type LanguageClass = 'light' | 'rich' | 'unspaced';

const lightLanguages: ReadonlySet<string | null> = new Set(['en', 'es', 'fr', 'it', 'pt', 'ro']);

/**
 * What each signal that the passages answer at all counts, in log odds: fitted on nine sets of questions whose article,
 * document, page, item or year is absent, and others beside them (`docs/decisions/0029`).
 */
export const answerabilityWeights: Record<keyof AnswerabilitySignals, number> = {
  score: 2.44,
  coverage: 3.81,
  absentNames: -8.77,
  lacksCount: -1.91,
  lacksKind: -1.94,
  otherYear: -3.47,
  weight: 0.91,
};
/**
 * What support begins with: set so that of the questions that are answered somewhere some 1 % to 5 % are refused on the
 * sets of prose.
 */
export const answerabilityBias: Record<LanguageClass, number> = { light: -2.6, rich: -1.95, unspaced: -1.1 };
/** And where the best passage is of a document with pages: they are long, and much in them is about the same thing. */
export const answerabilityOfPages = -0.2;

export function languageClass({ language }: { language: string | null }, text: string): LanguageClass {
  if (hasUnspaced(text)) return 'unspaced';
  return lightLanguages.has(language) ? 'light' : 'rich';
}

/**
 * Picks the best sentences, items and rows of the passages for a question, without a model: by the weight of the
 * question's words in them and around them, by the passage's own score, and by the kind of answer that is asked for.
 * @param absent the question's terms that stand nowhere in the company's documents
 */
export async function extract(
  question: Question,
  questionText: string,
  passages: { passage: RetrievedPassage; units: Unit[] }[],
  absent: ReadonlySet<string> = new Set(),
): Promise<Extract> {
  const missing = missingOf(question, questionText, passages, absent);
  if (question.total === 0 || (passages[0]?.passage.score ?? 0) === 0) return { quotes: [], support: -10, missing };
  const measures = createCoverage(question);
  const rated = (await weighUnits(question, questionText, passages, measures)).map((weighed) => ({
    ...weighed,
    score: sumOf(weighed.signals, unitWeights),
  }));
  const found = passages.map(({ passage }) => passage);
  const signals = answerabilitySignals(question, questionText, found, rated, measures);
  const bias =
    answerabilityBias[languageClass(question, questionText)] + (found[0]?.page == null ? 0 : answerabilityOfPages);
  const support = sumOf(signals, answerabilityWeights) + bias;
  if (support < 0) return { quotes: [], support, missing };
  const asked = readAsked(questionText);
  return { quotes: pick(rated, question).map((each) => toQuote(each, asked)), support, missing };
}

export function sumOf<Name extends string>(signals: Record<Name, number>, weights: Record<Name, number>): number {
  let sum = 0;
  for (const name in weights) sum += weights[name] * signals[name];
  return sum;
}

type Picked = Rated & { isSupporting: boolean };

/**
 * The best, those that add something to it, and then what else was found. Of documents with pages the best one of the
 * likeliest page comes first: several lines of a page that fit tell more than a single one elsewhere.
 */
export function pick(rated: Rated[], { weights }: Pick<Question, 'weights'>): Picked[] {
  const sorted = rated.toSorted((one, other) => other.score - one.score);
  const likely = likelihoods(sorted);
  const of = (each: Rated) => likely.get(pageOf(each)) ?? 0;
  const best = sorted.reduce<Rated | undefined>((one, other) => (one && of(one) >= of(other) ? one : other), undefined);
  if (!best) return [];
  const picked: Picked[] = [];
  for (const candidate of [best, ...sorted.filter((each) => each !== best)]) {
    const behind = best.score - candidate.score;
    if (picked.length === maxQuotes || behind > goodEnough) break;
    if (picked.some((each) => saysTheSame(each.terms, candidate.terms))) continue;
    const shown = picked.filter(({ isSupporting }) => !isSupporting).length;
    const isSupporting =
      candidate !== best &&
      (shown === maxShown || !adds(best, candidate, of(candidate)) || isAnotherRow(best, candidate, weights));
    picked.push({ ...candidate, isSupporting });
  }
  return picked.sort((one, other) => Number(one.isSupporting) - Number(other.isSupporting));
}

/**
 * How likely the answer stands on each page, by all that may be quoted of it: the scores are log odds, so that their
 * exponentials add up. Where the best has no page, nothing is known of pages.
 */
function likelihoods(sorted: readonly Rated[]): Map<string, number> {
  const [first] = sorted;
  const likely = new Map<string, number>();
  if (!first || first.unit.page === null) return likely;
  let all = 0;
  for (const each of sorted) {
    const odds = Math.exp(each.score - first.score);
    likely.set(pageOf(each), (likely.get(pageOf(each)) ?? 0) + odds);
    all += odds;
  }
  for (const [page, odds] of likely) likely.set(page, odds / all);
  return likely;
}

function pageOf({ passage, unit }: Rated): string {
  return `${passage.documentId} ${unit.page ?? passage.chunkId}`;
}

/** Whether another quote is to be shown beside the best. */
function adds(best: Rated, other: Rated, likelihood: number): boolean {
  const behind = best.score - other.score;
  const isClear = isNamedRow(best);
  if (best.unit.page !== null) return likelihood >= minLikely && behind <= (isClear ? addsToRow.beside : addsBeside);
  if (best.passage === other.passage) return behind <= (isClear ? addsToRow.beside : addsToShort.beside);
  return behind <= (isClear && isNamedRow(other) ? addsToRow.elsewhere : addsToShort.elsewhere);
}

/**
 * Who asks for Berlin's row is not asking for those of other towns: a row that has some of the same words, and lacks
 * one.
 */
function isAnotherRow(best: Rated, other: Rated, weights: Question['weights']): boolean {
  if (!best.unit.row || !other.unit.row) return false;
  const asked = new Set(weights.keys());
  const [inBest, inOther] = [asked.intersection(best.terms), asked.intersection(other.terms)];
  return inOther.size < inBest.size && inOther.isSubsetOf(inBest);
}

function isNamedRow({ signals: { row, labelled, amount, date, kind } }: Rated): boolean {
  return row === 1 && labelled >= minLabelled && (amount === 1 || date === 1 || kind === 1);
}

function toQuote({ passage, unit, score, isSupporting }: Picked, question: Asked): Quote {
  const columns = unit.row && shownColumns(unit.row, question);
  return { passage, unit, score, isSupporting, emphasis: shortAnswer(unit, question), ...(columns && { columns }) };
}

/** Jaccard's measure: sentences of one contract have most of their small words in common. */
function saysTheSame(one: Set<string>, other: Set<string>): boolean {
  return one.intersection(other).size > sameness * one.union(other).size;
}
