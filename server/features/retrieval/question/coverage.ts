import { isFormOf } from '#server/lib/word-forms.ts';
import type { Question } from './question.ts';

/**
 * How much of each of a question's terms a text has, in their order: 1 the term itself, less a form of it, 0 nothing.
 */
export type Coverage = readonly number[];

/** What a likely form of a word, or a compound with it, counts beside the word itself. */
const formShare = 0.7;
/** What a word counts that offices use for the same. */
const similarShare = 0.5;

export type Measures = ReturnType<typeof createCoverage>;

type Asked = Pick<Question, 'weights' | 'total' | 'standIns' | 'elsewhere' | 'similar'>;

/** Of each term of the documents which of a question's it stands for, and how much that counts. */
type Hits = Map<string, [index: number, share: number][]>;
/** A question is measured when its passages are put in order, and when they are quoted. */
const hitsOfQuestions = new WeakMap<Asked, Hits>();

/** Measures texts against one question: which of its words stand in them, as they are or in another form. */
export function createCoverage(question: Asked) {
  const { weights, total, standIns, elsewhere, similar } = question;
  const asked = [...weights.keys()];
  const weighed = [...weights.values()];
  const known: Hits = hitsOfQuestions.get(question) ?? new Map();
  hitsOfQuestions.set(question, known);

  function hitsOf(term: string): [index: number, share: number][] {
    let hits = known.get(term);
    if (!hits) {
      const exact = asked.indexOf(elsewhere.get(term) ?? term);
      hits =
        exact >= 0
          ? [[exact, 1]]
          : asked.flatMap((each, i): [number, number][] =>
              each === standIns.get(term) || isFormOf(each, term)
                ? [[i, formShare]]
                : each === similar.get(term)
                  ? [[i, similarShare]]
                  : [],
            );
      known.set(term, hits);
    }
    return hits;
  }

  return {
    /** The question's terms that a term stands for, itself or in another form, and how much that counts. */
    hits: (term: string): readonly (readonly [term: string, share: number])[] =>
      hitsOf(term).map(([index, share]) => [asked[index] ?? '', share]),

    /** The most that a term counts for any of the question's: 0 to 1. */
    most(term: string): number {
      let most = 0;
      for (const [, share] of hitsOf(term)) if (share > most) most = share;
      return most;
    },

    of(terms: Iterable<string>): Coverage {
      const coverage = new Array<number>(asked.length).fill(0);
      for (const term of terms) {
        for (const [i, share] of hitsOf(term)) if (share > (coverage[i] ?? 0)) coverage[i] = share;
      }
      return coverage;
    },

    /** Share of the question's weight that the texts cover together: 0 to 1. */
    share(...coverages: (Coverage | undefined)[]): number {
      // Asked a dozen times for every sentence, hence without iterators.
      let sum = 0;
      for (let i = 0; i < weighed.length; i++) {
        let most = 0;
        for (const coverage of coverages) {
          const own = coverage?.[i] ?? 0;
          if (own > most) most = own;
        }
        sum += (weighed[i] ?? 0) * most;
      }
      return total === 0 ? 0 : Math.min(1, sum / total);
    },
  };
}

/** Of each word the most that one of the coverages has. */
export function together(...coverages: readonly Coverage[]): Coverage {
  const all: number[] = [];
  for (const coverage of coverages) for (const [i, share] of coverage.entries()) all[i] = Math.max(all[i] ?? 0, share);
  return all;
}
