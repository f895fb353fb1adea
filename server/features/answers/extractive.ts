import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { answerType, fitsType } from './answer-type.ts';
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
  /** Share of the question's weight that the best quote and what stands around it cover: 0 to 1. */
  support: number;
}

const maxQuotes = 3;
/** Further quotes are as good as this share of the best. */
const goodEnough = 0.55;
/** Two quotes with more words in common than this say the same. */
const sameness = 0.7;
/** Below this share the documents do not speak of what is asked. Set on the evaluation's questions (evals/RESULTS.md). */
const leastSupport = 0.55;

/** What words count that stand not in the sentence, but in the heading, the rest of the passage or the file's name. */
const headingShare = 0.7;
const neighbourShare = 0.35;
const passageShare = 0.2;
const typeBonus = 0.15;
const passageWeight = 0.35;

/**
 * Picks the best sentences, items and rows of the passages for a question, without a model: by the weight of the
 * question's words in them and around them, by the passage's own score, and by the kind of answer that is asked for.
 */
export function extract(
  { weights, total }: Question,
  questionText: string,
  passages: { passage: RetrievedPassage; units: Unit[] }[],
): Extract {
  const wanted = answerType(questionText);
  const bestScore = passages[0]?.passage.score ?? 0;
  if (total === 0 || bestScore === 0) return { quotes: [], support: 0 };
  const share = (terms: Set<string>) => {
    let sum = 0;
    for (const term of terms) sum += weights.get(term) ?? 0;
    return sum / total;
  };

  let support = 0;
  const rated: (Quote & { terms: Set<string> })[] = [];
  for (const { passage, units } of passages) {
    const around = new Set(analyze(`${passage.name} ${passage.headingPath.join(' ')} ${passage.text}`));
    const above = analyze(`${passage.headingPath.join(' ')} ${passage.name}`);
    const unitTerms = units.map((unit) => new Set(analyze(unit.text)));
    for (const [i, unit] of units.entries()) {
      const terms = unitTerms[i] ?? new Set();
      const own = share(terms);
      const withHeading = share(new Set([...terms, ...above, ...analyze(unit.heading), ...headerTerms(unit)]));
      const withNeighbours = share(new Set([...terms, ...(unitTerms[i - 1] ?? []), ...(unitTerms[i + 1] ?? [])]));
      const inPassage = share(around);
      const relevance =
        own +
        headingShare * (withHeading - own) +
        neighbourShare * Math.max(0, withNeighbours - own) +
        passageShare * Math.max(0, inPassage - own);
      const fits = wanted !== null && fitsType(unit.text, wanted) ? typeBonus : 0;
      const score = relevance + fits + passageWeight * (passage.score / bestScore);
      rated.push({ passage, unit, score, terms });
      if (own > 0 || withHeading > 0)
        support = Math.max(support, supportOf({ own, withHeading, withNeighbours, inPassage }));
    }
  }
  if (support < leastSupport) return { quotes: [], support };
  return { quotes: pick(rated), support };
}

function supportOf(shares: { own: number; withHeading: number; withNeighbours: number; inPassage: number }): number {
  return (
    0.4 * Math.max(shares.own, shares.withHeading) +
    0.2 * Math.max(shares.own, shares.withNeighbours) +
    0.4 * shares.inPassage
  );
}

function headerTerms(unit: Unit): string[] {
  return unit.row?.header ? analyze(unit.row.header.join(' ')) : [];
}

function pick(rated: (Quote & { terms: Set<string> })[]): Quote[] {
  rated.sort((one, other) => other.score - one.score);
  const picked: (Quote & { terms: Set<string> })[] = [];
  const least = (rated[0]?.score ?? 0) * goodEnough;
  for (const candidate of rated) {
    if (picked.length === maxQuotes || candidate.score < least) break;
    if (picked.some((each) => saysTheSame(each.terms, candidate.terms))) continue;
    picked.push(candidate);
  }
  return picked;
}

function saysTheSame(one: Set<string>, other: Set<string>): boolean {
  const common = one.intersection(other).size;
  return common > sameness * Math.min(one.size, other.size);
}
