import type { Candidate } from '#server/ports/search/port.ts';
import type { Question } from './question.ts';
import { look, type Read, type Signals, signalsOf } from './signals.ts';
import type { TermStatistics } from './statistics.ts';

export interface Ranked {
  candidate: Candidate;
  /** Higher is better, and comparable between questions: about 5 where little fits, 15 a good match. */
  score: number;
  /** Share of the question's weight whose terms stand in the passage, its headings or its title: 0 to 1. */
  coverage: number;
}

/** What each signal counts: fitted on one half of the evaluation's questions (`docs/decisions/0014`), the other checks it. */
const signalWeights: Record<keyof Signals, number> = {
  match: 3.83,
  coverage: 3.56,
  sentence: 4.11,
  forms: 5.16,
  phrases: 1.05,
  closeness: 0.7,
  title: 2.01,
  row: 2.61,
  document: 2.38,
  number: 0.45,
  table: 0.98,
  length: -0.6,
};
/** Weight of a passage whose document is named in one of the best passages, and of one that speaks of what they do. */
const feedback = { linked: 4, alike: 3 };
/** Passages that get the second look, at least. */
const lookedAtTwice = 40;
/** Of these, those that the best ones speak for or not. */
const judgedByBest = 20;
const best = 3;

/**
 * The candidates whose words fit best, best first.
 * @param wanted how many at least, where there are so many
 * @param kept ids of those that are to be among them, whatever their words
 */
export function rank(
  candidates: Candidate[],
  question: Question,
  statistics: TermStatistics,
  { wanted = lookedAtTwice, kept }: { wanted?: number; kept?: ReadonlySet<string> } = {},
): Ranked[] {
  if (question.total === 0) return [];
  const most = Math.max(lookedAtTwice, wanted);
  const reads = candidates
    .map((candidate) => look(candidate, question, statistics))
    .sort((one, other) => firstScore(other) - firstScore(one))
    .filter(({ candidate }, i) => i < most || kept?.has(candidate.id));
  const signals = signalsOf(reads, question, statistics);
  const ranked = reads
    .map(({ candidate, coverage }, i) => ({ candidate, coverage, score: scoreOf(signals[i]) }))
    .sort(byScore);
  const more = feedbackOf(ranked.slice(0, judgedByBest), question, statistics);
  return ranked.map((each, i) => ({ ...each, score: each.score + (more[i] ?? 0) })).sort(byScore);
}

function firstScore({ match, coverage }: Read): number {
  return match * (0.5 + 0.5 * coverage);
}

function scoreOf(signals: Signals | undefined): number {
  let score = 0;
  for (const [name, weight] of Object.entries(signalWeights)) score += weight * (signals?.[name as keyof Signals] ?? 0);
  return score;
}

function byScore(one: Ranked, other: Ranked): number {
  return other.score - one.score;
}

/**
 * What the best passages say about the others: a document that they name may hold the other half of the answer, and a
 * passage with the same words beside those of the question speaks of the same thing.
 */
function feedbackOf(ranked: Ranked[], { weights }: Question, statistics: TermStatistics): number[] {
  const top = ranked.slice(0, best);
  const most = top[0]?.score ?? 0;
  const vectors = ranked.map(({ candidate }) => vectorOf(candidate, statistics));
  const sources = top.map(({ candidate, score }, i) => ({
    candidate,
    trust: Math.exp(score - most),
    text: ` ${candidate.lines.map(({ terms }) => terms.join(' ')).join(' ')} `,
    tellingTerms: [...(vectors[i] ?? [])].filter(([term]) => !weights.has(term)),
  }));
  return ranked.map(({ candidate }, i) => {
    const others = sources.filter((source) => source.candidate !== candidate);
    const name = candidate.title.terms.slice(0, candidate.title.label);
    let linked = 0;
    let alike = 0;
    let trust = 0;
    const vector = vectors[i];
    for (const source of others) {
      if (source.candidate.documentId !== candidate.documentId && name.length > 0) {
        const sure = source.trust * (name.length > 1 ? 1 : 0.5);
        if (sure > linked && source.text.includes(` ${name.join(' ')} `)) linked = sure;
      }
      let product = 0;
      for (const [term, value] of source.tellingTerms) product += value * (vector?.get(term) ?? 0);
      alike += source.trust * product;
      trust += source.trust;
    }
    return feedback.linked * linked + (trust === 0 ? 0 : (feedback.alike * alike) / trust);
  });
}

/** The terms by frequency and rarity, of length 1. */
function vectorOf({ lines, title }: Candidate, statistics: TermStatistics): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { terms } of lines) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const term of title.terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  let square = 0;
  for (const [term, count] of counts) {
    const value = Math.log(1 + count) * statistics.idf(term);
    counts.set(term, value);
    square += value * value;
  }
  const norm = Math.sqrt(square) || 1;
  for (const [term, value] of counts) counts.set(term, value / norm);
  return counts;
}
