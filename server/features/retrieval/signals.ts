import { isFormOf } from '#server/lib/word-forms.ts';
import type { Candidate } from '#server/ports/search/port.ts';
import type { Question } from './question.ts';
import type { TermStatistics } from './statistics.ts';

/** What speaks for a passage, each as a share of the question's weight or close to it: comparable between questions. */
export interface Signals {
  /** BM25F (Robertson and Zaragoza 2009): matches in title, heading and text are added up before they saturate. */
  match: number;
  /** The question's words in the passage, its heading or its title. */
  coverage: number;
  /** Those in its best sentence, item or row. */
  sentence: number;
  /** Words that it has in another form only. */
  forms: number;
  /** Words next to each other in the question that are so in the passage. */
  phrases: number;
  /** How close the words stand, by their rarity. */
  closeness: number;
  /** The question names the file. */
  title: number;
  /** The question names a row of the table by its first cell. */
  row: number;
  /** All of the document's candidates together have the words. */
  document: number;
  /** A number is asked for, and the best sentence has one. */
  number: number;
  /** A number is asked for, and this is a table. */
  table: number;
  /** Logarithm of its length beside the average. */
  length: number;
}

/** BM25's parameters, set on the evaluation's questions as all figures here. */
const tuning = { k1: 0.8, b: 0.75, heading: 1.5, title: 1.5 };
const weightOfKnown = 0.3;

/** A candidate made ready to be measured. */
export interface Read {
  candidate: Candidate;
  positions: Map<string, number[]>;
  around: Set<string>;
  length: number;
  match: number;
  coverage: number;
}

/** The first look at a candidate: cheap enough for all of them. */
export function look(candidate: Candidate, { weights, total }: Question, { averageLength }: TermStatistics): Read {
  const positions = new Map<string, number[]>();
  let position = 0;
  for (const { terms } of candidate.lines) {
    for (const term of terms) {
      if (weights.has(term)) {
        const known = positions.get(term);
        if (known) known.push(position);
        else positions.set(term, [position]);
      }
      position++;
    }
  }
  const heading = new Set(candidate.heading);
  const title = new Set(candidate.title.terms);
  const norm = 1 - tuning.b + tuning.b * (position / averageLength);
  let match = 0;
  let covered = 0;
  for (const [term, weight] of weights) {
    const frequency =
      (positions.get(term)?.length ?? 0) / norm +
      (heading.has(term) ? tuning.heading : 0) +
      (title.has(term) ? tuning.title : 0);
    if (frequency === 0) continue;
    match += (weight * frequency * (tuning.k1 + 1)) / (frequency + tuning.k1);
    covered += weight;
  }
  return {
    candidate,
    positions,
    around: heading.union(title),
    length: position,
    match: match / total,
    coverage: Math.min(1, covered / total),
  };
}

/** The second look, at the best of them. */
export function signalsOf(reads: Read[], question: Question, statistics: TermStatistics): Signals[] {
  const { weights, total, pairs, asksNumber, saidBefore } = question;
  const formsOf = formFinder(question);
  const ofDocument = new Map<string, Set<string>>();
  for (const { candidate, positions, around } of reads) {
    const known = ofDocument.get(candidate.documentId) ?? new Set();
    for (const term of weights.keys()) if (positions.has(term) || around.has(term)) known.add(term);
    ofDocument.set(candidate.documentId, known);
  }
  const share = (terms: Iterable<string>) => {
    let sum = 0;
    for (const term of terms) sum += weights.get(term) ?? 0;
    return sum / total;
  };

  return reads.map(({ candidate, positions, around, length, match, coverage }) => {
    const other = new Set<string>();
    let best = 0;
    let bestHasNumber = false;
    let row = 0;
    for (const { terms, label } of candidate.lines) {
      const own: string[] = [];
      for (const term of terms) {
        if (weights.has(term)) {
          if (!own.includes(term)) own.push(term);
        } else for (const form of formsOf(term)) if (!positions.has(form) && !around.has(form)) other.add(form);
      }
      const covered = share(own);
      if (covered > best) {
        best = covered;
        bestHasNumber = asksNumber && terms.some((term) => !weights.has(term) && /\d/.test(term));
      }
      if (label > 0) row = Math.max(row, named(terms.slice(0, label)));
    }
    return {
      match,
      coverage,
      sentence: best,
      forms: share(other),
      phrases: phrases(positions),
      closeness: closeness(positions, weights),
      title: named(candidate.title.terms.slice(0, candidate.title.label)),
      row,
      document: share(ofDocument.get(candidate.documentId) ?? []),
      number: asksNumber && bestHasNumber ? 1 : 0,
      table: asksNumber && candidate.lines.some(({ label }) => label > 0) ? 1 : 0,
      length: Math.log(Math.max(1, length) / statistics.averageLength),
    };
  });

  /** How much of a name the question has, times how much of the question that is. */
  function named(name: readonly string[]): number {
    let matched = 0;
    let all = 0;
    for (const term of new Set(name)) {
      const weight = statistics.idf(term) + weightOfKnown;
      all += weight;
      if (weights.has(term)) matched += weight * (saidBefore.get(term) ?? 1);
    }
    return all === 0 ? 0 : ((matched / all) * matched) / total;
  }

  function phrases(positions: Map<string, number[]>): number {
    let sum = 0;
    for (const [one, other] of pairs) {
      const places = positions.get(other);
      if (!places) continue;
      const follows = positions.get(one)?.some((place) => places.includes(place + 1) || places.includes(place + 2));
      if (follows) sum += Math.min(weights.get(one) ?? 0, weights.get(other) ?? 0);
    }
    return sum / total;
  }
}

const noForms: readonly string[] = [];

/** Which of the question's terms a term is another form of, or stands in for. */
function formFinder({ weights, standIns }: Question): (term: string) => readonly string[] {
  const asked = [...weights.keys()];
  const known = new Map<string, readonly string[]>();
  return (term) => {
    let forms = known.get(term);
    if (!forms) {
      const misspelt = standIns.get(term);
      // Of most words there is none, and thousands are asked about: nothing is made for those.
      forms = misspelt === undefined ? noForms : [misspelt];
      if (misspelt === undefined) for (const each of asked) if (isFormOf(each, term)) forms = [...forms, each];
      known.set(term, forms);
    }
    return forms;
  };
}

/** How close the question's words stand to each other, weighed by their rarity: 0 to 1. */
function closeness(positions: Map<string, number[]>, weights: Map<string, number>): number {
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
