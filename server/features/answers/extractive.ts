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
  /** How well the passage with the best words fits the question: about 0.5 where it is on something else, 1.5 a good match. */
  support: number;
}

const maxQuotes = 3;
/** A further quote scores at most this much less than the best. */
const goodEnough = 0.9;
/** Two quotes with more words in common than this say the same. */
const sameness = 0.7;
/**
 * Below this the documents do not speak of what is asked. Set on articles that were there and not there
 * (`npm run evals -- answers`). English has few forms of a word; in languages that have many, or no spaces, a good match
 * is a lower one.
 */
const leastSupport = { english: 0.82, other: 0.55, unspaced: 0.43 };
/** How much of the support is the best passage's score, the words it has, and the names that it lacks, by their weight. */
const support = { score: 0.1, coverage: 0.2, absentNames: 0.38 };

/**
 * What words count that do not stand in the sentence, but above it, beside it, or elsewhere in the passage. These and
 * the other figures are close to the best fit on the half of the questions that methods may be tuned on.
 */
const shares = { heading: 0.45, asked: 0.45, before: 0.5, after: 0.2, passage: 0.05 };
const exactShare = 0.3;
const typeBonus = 0.25;
/** For each point that the passage scores below the best one. */
const passageWeight = 0.07;
const bestPassageBonus = 0.08;
/** A sentence that is a question itself does not answer; what follows it may. */
const questionPenalty = 0.35;
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
  // Nearness of meaning says that a passage is about the same thing, not that it answers: words decide on that.
  const bestByWords = passages
    .map(({ passage }) => passage)
    .toSorted((one, other) => other.wordScore - one.wordScore)[0];
  if (question.total === 0 || bestScore === 0 || !bestByWords) return { quotes: [], support: 0 };
  const wanted = answerType(questionText);
  const { of, share } = createCoverage(question);

  const rated: Rated[] = [];
  for (const { passage, units } of passages) {
    const above = of(analyze(`${passage.headingPath.join(' ')} ${passage.name}`));
    const whole = of(analyze(passage.text));
    const inPassage = share(whole, above);
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
        exactShare * exactly(question, unitTerms[i] ?? []) +
        shares.heading * more(above, of(analyze(`${unit.heading} ${unit.row?.header?.join(' ') ?? ''}`))) +
        shares.asked * (i - asked <= answersBehindQuestion ? more(coverages[asked]) : 0) +
        shares.before * more(coverages[i - 1]) +
        shares.after * more(coverages[i + 1]) +
        shares.passage * (inPassage - base) +
        (wanted !== null && fitsType(unit.text, wanted) ? typeBonus : 0) +
        passageWeight * (passage.score - bestScore) +
        (passage === passages[0]?.passage ? bestPassageBonus : 0) -
        (isQuestion ? questionPenalty : 0);
      rated.push({ passage, unit, score, terms: unitTerms[i] ?? new Set() });
    }
  }
  const fit = supportOf(bestByWords, question, questionText);
  return { quotes: fit < leastSupportOf(question, questionText) ? [] : pick(rated), support: fit };
}

/** Share of the question's weight whose very terms stand there. */
function exactly({ weights, total }: Question, terms: Iterable<string>): number {
  let sum = 0;
  for (const term of terms) sum += weights.get(term) ?? 0;
  return Math.min(1, sum / total);
}

/** How well the best passage fits, less the names that it lacks. */
function supportOf(best: RetrievedPassage, question: Question, questionText: string): number {
  const present = analyze(`${best.name} ${best.headingPath.join(' ')} ${best.text}`);
  const { of, share } = createCoverage(question);
  const has = new Set(present);
  let absent = 0;
  for (const name of namesIn(questionText, question)) if (!has.has(name)) absent += question.weights.get(name) ?? 0;
  return (
    support.score * best.wordScore +
    support.coverage * share(of(present)) -
    (support.absentNames * absent) / question.total
  );
}

function leastSupportOf({ language }: Question, questionText: string): number {
  if (language === 'en') return leastSupport.english;
  return hasUnspaced(questionText) ? leastSupport.unspaced : leastSupport.other;
}

function pick(rated: Rated[]): Quote[] {
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

/** Jaccard's measure: sentences of one contract have most of their small words in common. */
function saysTheSame(one: Set<string>, other: Set<string>): boolean {
  return one.intersection(other).size > sameness * one.union(other).size;
}
