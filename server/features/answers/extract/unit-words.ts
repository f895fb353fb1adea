import type { Measures } from '#server/features/retrieval/question/coverage.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { bareLabel } from './unit-shape.ts';

/** Of one word of the question: each is followed through every unit. */
const maxPlaces = 8;

/** Share of the question's weight whose very terms stand there. */
export function exactly({ weights, total }: Question, terms: Set<string>): number {
  let sum = 0;
  for (const term of terms) sum += weights.get(term) ?? 0;
  return Math.min(1, sum / total);
}

/**
 * Share of the question's weight whose words stand in its order there, next to each other or with one word between: 0
 * to 1.
 */
export function phraseShare({ pairs, weights, total }: Question, terms: readonly string[]): number {
  let sum = 0;
  for (const [one, other] of pairs) {
    const at = terms.indexOf(one);
    if (at >= 0 && (terms[at + 1] === other || terms[at + 2] === other))
      sum += Math.min(weights.get(one) ?? 0, weights.get(other) ?? 0);
  }
  return Math.min(1, sum / total);
}

const none: ReadonlyMap<number, number> = new Map();

/** As a share of the question's weight; words without any do not count, and do not break a run. */
export function longestRun(
  { weights, total }: Question,
  asked: Map<string, number[]>,
  terms: readonly string[],
): number {
  let most = 0;
  /** The runs that end with the term before, by their last place in the question. */
  let last = none;
  for (const term of terms) {
    const places = asked.get(term);
    if (!places) {
      last = none;
      continue;
    }
    const next = new Map<number, number>();
    for (const place of places) {
      const sum = (last.get(place - 1) ?? 0) + (weights.get(term) ?? 0);
      next.set(place, sum);
      if (sum > most) most = sum;
    }
    last = next;
  }
  return Math.min(1, most / total);
}

/** Where each term of a text stands in it, the first times. */
export function placesOf(terms: string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, term] of terms.entries()) {
    const known = places.get(term);
    if (!known) places.set(term, [place]);
    else if (known.length < maxPlaces) known.push(place);
  }
  return places;
}

/** How much of a label the question has, and how much of the question the label: what is in brackets may be missing. */
export function labelMatch(
  label: string,
  read: (text: string) => readonly string[],
  { of, share, most }: Pick<Measures, 'of' | 'share' | 'most'>,
): { precision: number; recall: number } {
  const whole = read(label);
  const precisions = [whole, read(bareLabel(label))].map((terms) => {
    const different = new Set(terms);
    let matched = 0;
    for (const term of different) matched += most(term);
    return different.size === 0 ? 0 : matched / different.size;
  });
  return { precision: Math.max(...precisions), recall: share(of(whole)) };
}
