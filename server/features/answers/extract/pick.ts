import type { Question } from '#server/features/retrieval/retrieval.ts';
import type { Rated } from './answerability.ts';

const maxShown = 3;
/** With what is only found beside. */
const maxQuotes = 5;
/** A further quote scores at most this much less than the best; */
const goodEnough = 6;
/** to be shown with it, this much; */
const addsBeside = 5;
/** and its page is the right one more likely than not. */
const minLikely = 0.5;
/**
 * Documents without pages are short: what stands in the same passage, or in another one, is more often part of the
 * answer.
 */
const addsToShort = { beside: goodEnough, elsewhere: 3 };
/**
 * To a row that is named by its label and has what is asked for, the rest adds little; without pages, one of the same
 * name elsewhere may be meant.
 */
const addsToRow = { beside: 2, elsewhere: 3 };
const minLabelled = 0.75;
/** Two quotes with more words in common than this say the same. */
const sameness = 0.7;

/** @property isSupporting it was found beside those that answer */
export type Picked = Rated & { isSupporting: boolean };

/**
 * The best, those that add something to it, and then what else was found. Of documents with pages the best one of the
 * likeliest page comes first: several lines of a page that fit tell more than a single one elsewhere.
 */
export function pick(rated: Rated[], { weights }: Pick<Question, 'weights'>): Picked[] {
  const sorted = rated.toSorted((one, other) => other.score - one.score);
  const likely = likelihoods(sorted);
  const of = (each: Rated) => likely.get(pageOf(each)) ?? 0;
  const best = sorted.reduce<Rated | undefined>((one, other) => (one && of(one) >= of(other) ? one : other), undefined);
  if (!best) return [];
  const picked: Picked[] = [];
  for (const candidate of [best, ...sorted.filter((each) => each !== best)]) {
    const behind = best.score - candidate.score;
    if (picked.length === maxQuotes || behind > goodEnough) break;
    if (picked.some((each) => saysTheSame(each.terms, candidate.terms))) continue;
    const shown = picked.filter(({ isSupporting }) => !isSupporting).length;
    const isSupporting =
      candidate !== best &&
      (shown === maxShown || !adds(best, candidate, of(candidate)) || isAnotherRow(best, candidate, weights));
    picked.push({ ...candidate, isSupporting });
  }
  return picked.sort((one, other) => Number(one.isSupporting) - Number(other.isSupporting));
}

/**
 * How likely the answer stands on each page, by all that may be quoted of it: the scores are log odds, so that their
 * exponentials add up. Where the best has no page, nothing is known of pages.
 */
function likelihoods(sorted: readonly Rated[]): Map<string, number> {
  const [first] = sorted;
  const likely = new Map<string, number>();
  if (!first || first.unit.page === null) return likely;
  let all = 0;
  for (const each of sorted) {
    const odds = Math.exp(each.score - first.score);
    likely.set(pageOf(each), (likely.get(pageOf(each)) ?? 0) + odds);
    all += odds;
  }
  for (const [page, odds] of likely) likely.set(page, odds / all);
  return likely;
}

function pageOf({ passage, unit }: Rated): string {
  return `${passage.documentId} ${unit.page ?? passage.chunkId}`;
}

/** Whether another quote is to be shown beside the best. */
function adds(best: Rated, other: Rated, likelihood: number): boolean {
  const behind = best.score - other.score;
  const isClear = isNamedRow(best);
  if (best.unit.page !== null) return likelihood >= minLikely && behind <= (isClear ? addsToRow.beside : addsBeside);
  if (best.passage === other.passage) return behind <= (isClear ? addsToRow.beside : addsToShort.beside);
  return behind <= (isClear && isNamedRow(other) ? addsToRow.elsewhere : addsToShort.elsewhere);
}

/**
 * Who asks for Berlin's row is not asking for those of other towns: a row that has some of the same words, and lacks
 * one.
 */
function isAnotherRow(best: Rated, other: Rated, weights: Question['weights']): boolean {
  if (!best.unit.row || !other.unit.row) return false;
  const asked = new Set(weights.keys());
  const [inBest, inOther] = [asked.intersection(best.terms), asked.intersection(other.terms)];
  return inOther.size < inBest.size && inOther.isSubsetOf(inBest);
}

function isNamedRow({ signals: { row, labelled, amount, date, kind } }: Rated): boolean {
  return row === 1 && labelled >= minLabelled && (amount === 1 || date === 1 || kind === 1);
}

/** Jaccard's measure: sentences of one contract have most of their small words in common. */
function saysTheSame(one: Set<string>, other: Set<string>): boolean {
  return one.intersection(other).size > sameness * one.union(other).size;
}
