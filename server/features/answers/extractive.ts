import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { analyze, hasUnspaced } from '#server/lib/analyze.ts';
import { answerType, fitsType } from './answer-type.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import { namesIn } from './names.ts';
import type { Unit } from './unit.ts';

/** A unit that answers, with the passage it stands in. */
export interface Quote {
  passage: RetrievedPassage;
  unit: Unit;
  score: number;
}

export interface Extract {
  /** At most three, best first. Empty: nothing in the passages answers. */
  quotes: Quote[];
  /** How well the passages fit the question: about 0.2 where they are on something else, 0.6 a good match; 0 to 1. */
  support: number;
}

const maxQuotes = 3;
/** Further quotes are as good as this share of the best. */
const goodEnough = 0.7;
/** Two quotes with more words in common than this say the same. */
const sameness = 0.7;
/**
 * Below this the documents do not speak of what is asked. Set on articles that were there and not there
 * (`npm run evals -- answers`). English has few forms of a word; in languages that have many, or no spaces, a good match
 * is a lower one.
 */
const leastSupport = { english: 0.3, other: 0.24, unspaced: 0.17 };
/** What it takes away from the support that names of the question stand nowhere in the best passage, by their weight. */
const absentNames = 0.25;
/** A passage that scores this much for each weight of the question could hardly fit better. */
const fullScore = 2;

/** What words count that do not stand in the sentence, but above it, beside it, or elsewhere in the passage. */
const shares = { heading: 0.5, asked: 0.6, before: 0.4, after: 0.1, passage: 0.2 };
const typeBonus = 0.15;
const passageWeight = 0.5;
/** A sentence that is a question itself does not answer; what follows it may. */
const questionPenalty = 0.4;
const answersBehindQuestion = 3;
const endsAsQuestion = /[?？؟]["'»”’)\]\s]*$/u;

type Rated = Quote & { terms: Set<string> };

/**
 * Picks the best sentences, items and rows of the passages for a question, without a model: by the weight of the
 * question's words in them and around them, by the passage's own score, and by the kind of answer that is asked for.
 */
export function extract(
  question: Question,
  questionText: string,
  passages: { passage: RetrievedPassage; units: Unit[] }[],
): Extract {
  const bestScore = passages[0]?.passage.score ?? 0;
  if (question.total === 0 || bestScore === 0) return { quotes: [], support: 0 };
  const wanted = answerType(questionText);
  const { of, share } = createCoverage(question);

  let covered = 0;
  const rated: Rated[] = [];
  for (const { passage, units } of passages) {
    const above = of(analyze(`${passage.headingPath.join(' ')} ${passage.name}`));
    const whole = of(analyze(passage.text));
    const inPassage = share(whole, above);
    covered = Math.max(covered, inPassage);
    const unitTerms = units.map((unit) => new Set(analyze(unit.text)));
    const coverages = unitTerms.map(of);
    let asked = Number.NEGATIVE_INFINITY;
    for (const [i, unit] of units.entries()) {
      const isQuestion = endsAsQuestion.test(unit.text);
      if (isQuestion) asked = i;
      const own = coverages[i];
      const base = share(own);
      const more = (...around: (Coverage | undefined)[]) => share(own, ...around) - base;
      const score =
        base +
        shares.heading * more(above, of(analyze(`${unit.heading} ${unit.row?.header?.join(' ') ?? ''}`))) +
        shares.asked * (i - asked <= answersBehindQuestion ? more(coverages[asked]) : 0) +
        shares.before * more(coverages[i - 1]) +
        shares.after * more(coverages[i + 1]) +
        shares.passage * (inPassage - base) +
        (wanted !== null && fitsType(unit.text, wanted) ? typeBonus : 0) +
        passageWeight * (passage.score / bestScore) -
        (isQuestion ? questionPenalty : 0);
      rated.push({ passage, unit, score, terms: unitTerms[i] ?? new Set() });
    }
  }
  const support = supportOf(covered, passages[0]?.passage, question, questionText);
  return { quotes: support < leastSupportOf(question, questionText) ? [] : pick(rated), support };
}

/** What of the question the passages have, and how well the best one fits, less the names that it lacks. */
function supportOf(
  covered: number,
  best: RetrievedPassage | undefined,
  question: Question,
  questionText: string,
): number {
  if (!best) return 0;
  const present = new Set(analyze(`${best.name} ${best.headingPath.join(' ')} ${best.text}`));
  let absent = 0;
  for (const name of namesIn(questionText, question)) {
    if (!present.has(name)) absent += question.weights.get(name) ?? 0;
  }
  const fit = Math.min(1, best.score / question.total / fullScore);
  return (covered + fit) / 2 - (absentNames * absent) / question.total;
}

function leastSupportOf({ language }: Question, questionText: string): number {
  if (language === 'en') return leastSupport.english;
  return hasUnspaced(questionText) ? leastSupport.unspaced : leastSupport.other;
}

function pick(rated: Rated[]): Quote[] {
  rated.sort((one, other) => other.score - one.score);
  const picked: Rated[] = [];
  const least = (rated[0]?.score ?? 0) * goodEnough;
  for (const candidate of rated) {
    if (picked.length === maxQuotes || candidate.score < least) break;
    if (picked.some((each) => saysTheSame(each.terms, candidate.terms))) continue;
    picked.push(candidate);
  }
  return picked;
}

/** Jaccard's measure: sentences of one contract have most of their small words in common. */
function saysTheSame(one: Set<string>, other: Set<string>): boolean {
  return one.intersection(other).size > sameness * one.union(other).size;
}
