import { analyze, isComposite, type QuestionTerms, questionTerms } from '#server/lib/analyze.ts';
import type { TermStatistics } from './statistics.ts';

/** The question as its terms, each with its weight. */
export interface Question {
  weights: Map<string, number>;
  /** Sum of the weights, but of words that are made of others. */
  total: number;
  language: QuestionTerms['language'];
}

export interface Rating {
  score: number;
  /** Share of the question's weight whose terms stand in the passage, its headings or its title: 0 to 1. */
  coverage: number;
}

/** BM25's parameters (Robertson and Zaragoza 2009), set on the evaluation's questions as all figures here. */
const tuning = {
  k1: 1,
  b: 0.75,
  /** What a match in a heading or in the file's name counts, beside one in the text. */
  heading: 1.5,
  title: 1.5,
  /** How much words that stand close together add, and how much a question matched only in part loses. */
  proximity: 0.35,
  coverage: 0.5,
  /** What a hyphened word counts as a whole; its parts count for themselves. */
  composite: 0.5,
};

export function weigh(text: string, statistics: TermStatistics): Question {
  const weights = new Map<string, number>();
  let total = 0;
  const { terms, language } = questionTerms(text);
  for (const term of terms) {
    // A code is more than its parts, but "cost-plus" may well be written "cost plus".
    const isWord = isComposite(term) && !/\d|[+#]$/.test(term);
    const weight = statistics.idf(term) * (isWord ? tuning.composite : 1);
    weights.set(term, weight);
    if (!isWord) total += weight;
  }
  return { weights, total, language };
}

/** BM25F: matches in title, heading and text are added up before they saturate; then closeness and coverage. */
export function rate(
  chunk: { name: string; headingPath: string[]; text: string },
  { weights, total }: Question,
  statistics: TermStatistics,
): Rating {
  const body = analyze(chunk.text);
  const heading = new Set(analyze(chunk.headingPath.join(' ')));
  const title = new Set(analyze(chunk.name));
  const positions = new Map<string, number[]>();
  for (const [position, term] of body.entries()) {
    if (!weights.has(term)) continue;
    const known = positions.get(term);
    if (known) known.push(position);
    else positions.set(term, [position]);
  }
  const norm = 1 - tuning.b + tuning.b * (body.length / statistics.averageLength);
  let score = 0;
  let covered = 0;
  for (const [term, weight] of weights) {
    const frequency =
      (positions.get(term)?.length ?? 0) / norm +
      (heading.has(term) ? tuning.heading : 0) +
      (title.has(term) ? tuning.title : 0);
    if (frequency === 0) continue;
    score += (weight * frequency * (tuning.k1 + 1)) / (frequency + tuning.k1);
    covered += weight;
  }
  const coverage = total === 0 ? 0 : Math.min(1, covered / total);
  const close = proximity(positions, weights);
  return {
    score: score * (1 - tuning.coverage + tuning.coverage * coverage) * (1 + tuning.proximity * close),
    coverage,
  };
}

/** How close the question's words stand to each other, weighed by their rarity: 0 to 1. */
function proximity(positions: Map<string, number[]>, weights: Map<string, number>): number {
  const found = [...positions.entries()];
  if (found.length < 2) return 0;
  let sum = 0;
  let most = 0;
  for (const [i, [term, places]] of found.entries()) {
    for (const [other, otherPlaces] of found.slice(i + 1)) {
      const weight = Math.min(weights.get(term) ?? 0, weights.get(other) ?? 0);
      sum += weight / nearest(places, otherPlaces);
      most += weight;
    }
  }
  return most === 0 ? 0 : sum / most;
}

/** The least distance between two sorted lists of positions; at least 1. */
function nearest(one: number[], other: number[]): number {
  let least = Number.POSITIVE_INFINITY;
  let i = 0;
  let j = 0;
  while (i < one.length && j < other.length) {
    const a = one[i] ?? 0;
    const c = other[j] ?? 0;
    least = Math.min(least, Math.abs(a - c));
    if (a < c) i++;
    else j++;
  }
  return Math.max(1, least);
}
