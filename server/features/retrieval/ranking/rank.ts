import { createPause } from '#server/lib/pause.ts';
import type { Candidate } from '#server/ports/search/port.ts';
import type { TermLines } from '../question/candidate-terms.ts';
import type { Lexicon } from '../question/lexicon.ts';
import { look, type Read, type Signals, signalsOf } from './signals.ts';
import type { RankingWeights } from './weights.ts';

export interface Ranked {
  candidate: Candidate;
  /** Its terms, by the numbers of the search's lexicon. */
  text: TermLines;
  /** Higher is better, and comparable between questions: about 5 where little fits, 15 a good match. */
  score: number;
  /** Share of the question's weight whose terms stand in the passage, its headings or its title: 0 to 1. */
  coverage: number;
  /** What speaks for it, as the second look saw it. */
  signals: Signals | undefined;
}

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
export async function rank(
  candidates: Candidate[],
  lexicon: Lexicon,
  weights: RankingWeights,
  { wanted = lookedAtTwice, kept }: { wanted?: number; kept?: ReadonlySet<string> } = {},
): Promise<Ranked[]> {
  if (lexicon.question.total === 0) return [];
  const most = Math.max(lookedAtTwice, wanted);
  const pause = createPause();
  const looks: Read[] = [];
  for (const candidate of candidates) {
    looks.push(look(candidate, lexicon, weights.fields));
    await pause();
  }
  const reads = looks
    .sort((one, other) => firstScore(other) - firstScore(one))
    .filter(({ candidate }, i) => i < most || kept?.has(candidate.id));
  const signals = await signalsOf(reads, lexicon, pause);
  const ranked = reads
    .map(({ candidate, text, coverage }, i) => ({
      candidate,
      text,
      coverage,
      signals: signals[i],
      score: scoreOf(signals[i], weights.passages),
    }))
    .sort(byScore);
  const linked = linkedTo(ranked.slice(0, judgedByBest));
  return ranked.map((each, i) => ({ ...each, score: each.score + weights.linked * (linked[i] ?? 0) })).sort(byScore);
}

function firstScore({ match, coverage }: Read): number {
  return match * (0.5 + 0.5 * coverage);
}

function scoreOf(signals: Signals | undefined, weights: Record<keyof Signals, number>): number {
  let score = 0;
  for (const [name, weight] of Object.entries(weights)) score += weight * (signals?.[name as keyof Signals] ?? 0);
  return score;
}

function byScore(one: Ranked, other: Ranked): number {
  return other.score - one.score;
}

/** How surely the best passages name the document of another: it may hold the other half of the answer. */
function linkedTo(ranked: Ranked[]): number[] {
  const most = ranked[0]?.score ?? 0;
  const sources = ranked.slice(0, best).map((source) => ({ ...source, trust: Math.exp(source.score - most) }));
  return ranked.map(({ candidate, text }) => {
    const name = text.terms.slice(text.title.start, text.title.start + text.title.label);
    if (name.length === 0) return 0;
    let linked = 0;
    for (const source of sources) {
      if (source.candidate.documentId === candidate.documentId) continue;
      const sure = source.trust * (name.length > 1 ? 1 : 0.5);
      if (sure > linked && says(source.text, name)) linked = sure;
    }
    return linked;
  });
}

/** Whether the terms stand in a text's lines, one behind the other. */
function says({ terms, heading }: TermLines, name: readonly number[]): boolean {
  const [first = -1] = name;
  for (let at = terms.indexOf(first, heading.end); at !== -1; at = terms.indexOf(first, at + 1))
    if (name.every((term, i) => terms[at + i] === term)) return true;
  return false;
}
