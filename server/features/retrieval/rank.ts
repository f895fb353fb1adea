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
}

/** What each signal counts: fitted on one half of the evaluation's questions (`docs/decisions/0014`), the other checks it. */
export const signalWeights: Record<keyof Signals, number> = {
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
export const feedback = { linked: 4, alike: 3 };
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
    .map(({ candidate, text, coverage }, i) => ({ candidate, text, coverage, score: scoreOf(signals[i]) }))
    .sort(byScore);
  const more = feedbackOf(ranked.slice(0, judgedByBest), lexicon);
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
function feedbackOf(ranked: Ranked[], lexicon: Lexicon): number[] {
  const most = ranked[0]?.score ?? 0;
  const vectors = ranked.map(({ text }) => vectorOf(text, lexicon));
  const sources = ranked.slice(0, best).map(({ candidate, text, score }, i) => {
    // Of every term of the search, since it is looked into for every word of every other passage.
    const telling = new Float64Array(lexicon.size);
    for (const { term, value } of vectors[i] ?? []) if (term >= lexicon.weights.length) telling[term] = value;
    return { candidate, text, trust: Math.exp(score - most), telling };
  });
  return ranked.map(({ candidate, text }, i) => {
    const name = text.terms.slice(text.title.start, text.title.start + text.title.label);
    let linked = 0;
    let alike = 0;
    let trust = 0;
    for (const source of sources) {
      if (source.candidate === candidate) continue;
      if (source.candidate.documentId !== candidate.documentId && name.length > 0) {
        const sure = source.trust * (name.length > 1 ? 1 : 0.5);
        if (sure > linked && says(source.text, name)) linked = sure;
      }
      let product = 0;
      for (const { term, value } of vectors[i] ?? []) product += value * (source.telling[term] ?? 0);
      alike += source.trust * product;
      trust += source.trust;
    }
    return feedback.linked * linked + (trust === 0 ? 0 : (feedback.alike * alike) / trust);
  });
}

/** Whether the terms stand in a text's lines, one behind the other. */
function says({ terms, heading }: TermLines, name: readonly number[]): boolean {
  const [first = -1] = name;
  for (let at = terms.indexOf(first, heading.end); at !== -1; at = terms.indexOf(first, at + 1))
    if (name.every((term, i) => terms[at + i] === term)) return true;
  return false;
}

/** The different terms of lines and title with their frequency and rarity, of length 1. */
function vectorOf({ terms, title, heading }: TermLines, lexicon: Lexicon): { term: number; value: number }[] {
  const counts = new Uint16Array(lexicon.size);
  const vector: { term: number; value: number }[] = [];
  for (let place = 0; place < terms.length; place++) {
    if (place >= title.end && place < heading.end) continue;
    const term = terms[place] ?? 0;
    const count = counts[term] ?? 0;
    if (count === 0) vector.push({ term, value: 0 });
    counts[term] = count + 1;
  }
  let square = 0;
  for (const each of vector) {
    each.value = Math.log(1 + (counts[each.term] ?? 0)) * lexicon.idf(each.term);
    square += each.value * each.value;
  }
  const norm = Math.sqrt(square) || 1;
  for (const each of vector) each.value /= norm;
  return vector;
}
