import { createPause } from '#server/lib/pause.ts';
import type { Candidate } from '#server/ports/search/port.ts';
import type { TermLines } from './candidate-terms.ts';
import type { Lexicon } from './lexicon.ts';
import { look, type Read, type Signals, signalsOf } from './signals.ts';

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

/**
 * What each signal counts: fitted on eight sets, judged on each by weights of the seven others (`docs/decisions/0024`).
 */
export const signalWeights: Record<keyof Signals, number> = {
  match: 4.8,
  coverage: 2.5,
  sentence: 2.1,
  forms: 3.4,
  phrases: 2.3,
  closeness: 1.2,
  row: 2.6,
  document: 1.6,
  page: 2,
  about: 1.9,
  table: 0.5,
};
/**
 * Weight of a passage whose document is named in one of the best passages: it may hold the other half of the answer.
 */
export const feedback = { linked: 3.3 };
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
  { wanted = lookedAtTwice, kept }: { wanted?: number; kept?: ReadonlySet<string> } = {},
): Promise<Ranked[]> {
  if (lexicon.question.total === 0) return [];
  const most = Math.max(lookedAtTwice, wanted);
  const pause = createPause();
  const looks: Read[] = [];
  for (const candidate of candidates) {
    looks.push(look(candidate, lexicon));
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
      score: scoreOf(signals[i]),
    }))
    .sort(byScore);
  const more = feedbackOf(ranked.slice(0, judgedByBest));
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

/** What the best passages say about the others: a document that they name may hold the other half of the answer. */
function feedbackOf(ranked: Ranked[]): number[] {
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
    return feedback.linked * linked;
  });
}

/** Whether the terms stand in a text's lines, one behind the other. */
function says({ terms, heading }: TermLines, name: readonly number[]): boolean {
  const [first = -1] = name;
  for (let at = terms.indexOf(first, heading.end); at !== -1; at = terms.indexOf(first, at + 1))
    if (name.every((term, i) => terms[at + i] === term)) return true;
  return false;
}
