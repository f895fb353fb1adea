import { type Asked, readAsked } from '#server/features/retrieval/question/asked.ts';
import { createCoverage } from '#server/features/retrieval/question/coverage.ts';
import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { hasUnspaced } from '#server/lib/analyze.ts';
import { type AnswerabilitySignals, answerabilitySignals } from './answerability.ts';
import { shownColumns } from './asked-columns.ts';
import { type Missing, missingOf } from './missing.ts';
import { pick } from './pick.ts';
import type { Picked } from './picked.ts';
import { type Emphasis, shortAnswer } from './short-answer.ts';
import type { Unit } from './unit.ts';
import { type Rated, type Weighed, weighUnits } from './unit-signals.ts';
import { type ExtractWeights, fittedWeights, type LanguageClass } from './weights.ts';

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
  /** Null: there was nothing to measure. */
  measured: Measured | null;
}

const lightLanguages: ReadonlySet<string | null> = new Set(['en', 'es', 'fr', 'it', 'pt', 'ro']);

/** What is measured of a question and the passages found for it, before anything is weighed. */
export interface Measured {
  /** All that may be quoted. */
  units: Weighed[];
  /** @param weights those of units: what they choose is what is judged */
  answerability(weights: ExtractWeights['units']): AnswerabilitySignals;
  start: LanguageClass;
  /** The best passage is of a document with pages. */
  hasPages: boolean;
}

/**
 * Picks the best sentences, items and rows of the passages for a question, without a model: by the weight of the
 * question's words in them and around them, by the passage's own score, and by the kind of answer that is asked for.
 * @param absent the question's terms that stand nowhere in the company's documents
 * @param before the question that this one goes on from
 */
export async function extract(
  question: Question,
  questionText: string,
  passages: { passage: RetrievedPassage; units: Unit[] }[],
  absent: ReadonlySet<string> = new Set(),
  weights: ExtractWeights = fittedWeights,
  before?: string,
): Promise<Extract> {
  const missing = missingOf(question, questionText, passages, absent);
  if (question.total === 0 || (passages[0]?.passage.score ?? 0) === 0)
    return { quotes: [], support: -10, missing, measured: null };
  const measured = await measure(question, questionText, passages);
  const support = supportOf(measured, weights);
  const asked = readAsked(questionText);
  const askedBefore = before === undefined ? undefined : readAsked(before);
  const picked = support < 0 ? [] : pick(rate(measured, weights.units), question, questionText);
  return { quotes: picked.map((each) => toQuote(each, asked, askedBefore)), support, missing, measured };
}

async function measure(
  question: Question,
  questionText: string,
  passages: { passage: RetrievedPassage; units: Unit[] }[],
): Promise<Measured> {
  const measures = createCoverage(question);
  const units = await weighUnits(question, questionText, passages, measures);
  const found = passages.map(({ passage }) => passage);
  const measured = { units, start: languageClass(question, questionText), hasPages: found[0]?.page != null };
  return {
    ...measured,
    // A row of the right name tells which of several quotes is meant, and nothing of whether any of them answers.
    answerability: (weights) =>
      answerabilitySignals(question, questionText, found, rate(measured, { ...weights, named: 0 }), measures),
  };
}

/** How likely the passages answer, as log odds. */
export function supportOf({ answerability, start, hasPages }: Measured, weights: ExtractWeights): number {
  const signals = answerability(weights.units);
  if (!hasPages) return weights.start[start] + sumOf(signals, weights.answerability);
  const { start: ofPages, ...counts } = weights.pages;
  return ofPages + sumOf(signals, { ...weights.answerability, ...counts });
}

/** All that may be quoted, with the sum of its signals. */
export function rate({ units }: Pick<Measured, 'units'>, weights: ExtractWeights['units']): Rated[] {
  return units.map((unit) => ({
    ...unit,
    score: sumOf(unit.signals, weights),
    gainOfName: unit.signals.named * weights.named,
  }));
}

/** The signals, each by its weight. */
export function sumOf<Name extends string>(signals: Record<Name, number>, weights: Record<Name, number>): number {
  let sum = 0;
  for (const name in weights) sum += weights[name] * signals[name];
  return sum;
}

function toQuote(
  { passage, unit, quoted, score, isSupporting }: Picked,
  question: Asked,
  before: Asked | undefined,
): Quote {
  const columns = unit.row && shownColumns(unit.row, question);
  const short = shortAnswer(unit, question, before);
  const offset = unit.start - quoted.start;
  const emphasis = short && { start: short.start + offset, end: short.end + offset };
  return { passage, unit: quoted, score, isSupporting, emphasis, ...(columns && { columns }) };
}

function languageClass({ language }: { language: string | null }, text: string): LanguageClass {
  if (hasUnspaced(text)) return 'unspaced';
  return lightLanguages.has(language) ? 'light' : 'rich';
}
