import type { Question } from '#server/features/retrieval/retrieval.ts';
import { isFormOf } from '#server/lib/word-forms.ts';

/** How much of each of a question's terms a text has, in their order: 1 the term itself, less a form of it, 0 nothing. */
export type Coverage = readonly number[];

/** What a likely form of a word, or a compound with it, counts beside the word itself. */
const formShare = 0.7;

/** Measures texts against one question: which of its words stand in them, as they are or in another form. */
export function createCoverage({ weights, total, standIns }: Pick<Question, 'weights' | 'total' | 'standIns'>) {
  const asked = [...weights];
  const known = new Map<string, [index: number, share: number][]>();

  function hitsOf(term: string): [index: number, share: number][] {
    let hits = known.get(term);
    if (!hits) {
      const exact = asked.findIndex(([each]) => each === term);
      hits =
        exact >= 0
          ? [[exact, 1]]
          : asked.flatMap(([each], i): [number, number][] =>
              each === standIns.get(term) || isFormOf(each, term) ? [[i, formShare]] : [],
            );
      known.set(term, hits);
    }
    return hits;
  }

  return {
    of(terms: Iterable<string>): Coverage {
      const coverage: number[] = asked.map(() => 0);
      for (const term of terms) {
        for (const [i, share] of hitsOf(term)) coverage[i] = Math.max(coverage[i] ?? 0, share);
      }
      return coverage;
    },

    /** Share of the question's weight that the texts cover together: 0 to 1. */
    share(...coverages: (Coverage | undefined)[]): number {
      let sum = 0;
      for (const [i, [, weight]] of asked.entries()) {
        sum += weight * Math.max(0, ...coverages.map((coverage) => coverage?.[i] ?? 0));
      }
      return total === 0 ? 0 : Math.min(1, sum / total);
    },
  };
}
