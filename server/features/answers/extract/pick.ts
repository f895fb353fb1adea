import { asksToWorkOut } from '#server/features/retrieval/question/worked-out.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { areEditions, yearOf } from './editions.ts';
import { joined } from './joined.ts';
import { pickProse } from './pick-prose.ts';
import { goodEnough, maxQuotes, maxShown, type Picked, saysSomething, saysTheSame } from './picked.ts';
import type { Rated } from './unit-signals.ts';

/** A further quote is shown with the best where it scores at most this much less; */
const addsBeside = 5;
/** and its page is the right one more likely than not; */
const minLikely = 0.5;
/**
 * or, where neither is sure, about as likely as the best one's, and it scores about as much. A row is of another year
 * or another part then.
 */
const asLikely = 0.3;
const maxBehindAsLikely = 0.4;
/** What stands next to a quote goes with it where it scores at most this much less than the best. */
const maxBehindJoined = 4;
/**
 * Documents without pages are short: what stands in the same passage, or in another one, is more often part of the
 * answer.
 */
const addsToShort = { beside: goodEnough, elsewhere: 4 };
/**
 * To a row that is named by its label and has what is asked for, the rest adds little; without pages, one of the same
 * name elsewhere may as well be meant.
 */
const addsToRow = { beside: 2, elsewhere: goodEnough };
const minLabelled = 0.75;
/** Of equal statements in documents of several years the newest is quoted where it scores at most this much less. */
const maxBehindNewest = 1.5;

/** What is asked, and of it what was said before alone. */
type AskedTerms = Pick<Question, 'weights' | 'saidBefore'>;

/**
 * The best, those that add something to it, and then what else was found. Of documents with pages the best one of the
 * likeliest page comes first: several lines of a page that fit tell more than a single one elsewhere. Where amounts are
 * to be worked out, all rows of the best one's table that are named go with it.
 */
export function pick(rated: Rated[], question: AskedTerms, questionText: string): Picked[] {
  const sorted = rated.toSorted((one, other) => other.score - one.score);
  const of = likelihoods(sorted);
  const best = chosen(sorted, of, question);
  if (!best) return [];
  if (best.unit.page === null && !best.unit.row) return pickProse(rated, best, question);
  const worksOut = asksToWorkOut(questionText);
  const others = sorted.filter((each) => each !== best);
  const isBeside = (each: Rated) => worksOut && isNamedBeside(best, each);
  const goesFirst = (each: Rated) => isBeside(each) && saysMore(best, each, question);
  const picked: Picked[] = [];
  for (const candidate of [best, ...others.filter(goesFirst), ...others.filter((each) => !goesFirst(each))]) {
    const behind = best.score - candidate.score;
    if (behind > goodEnough) continue;
    const isEdition = areEditions(candidate, best, question);
    if (!isEdition && picked.some((each) => saysTheSame(each.terms, candidate.terms))) continue;
    const isShown =
      candidate === best ||
      isBeside(candidate) ||
      (!isEdition && adds(best, candidate, of(candidate)) && !isAnotherRow(best, candidate, question));
    // What follows on what is shown is no quote of its own: it stands beside it in the document, too.
    if (isShown && behind <= maxBehindJoined && saysSomething(candidate) && goesWith(picked, candidate)) continue;
    if (picked.length === maxQuotes) continue;
    const shown = picked.filter(({ isSupporting }) => !isSupporting).length;
    picked.push({ ...candidate, quoted: candidate.unit, isSupporting: !isShown || shown === maxShown });
  }
  return picked.sort((one, other) => Number(one.isSupporting) - Number(other.isSupporting));
}

/** The one that is quoted first. */
export function bestOf(rated: readonly Rated[], question: AskedTerms): Rated | undefined {
  const sorted = rated.toSorted((one, other) => other.score - one.score);
  return chosen(sorted, likelihoods(sorted), question);
}

/** The likeliest; where the same is said of several years, and none is asked for, that of the newest. */
function chosen(sorted: readonly Rated[], of: (each: Rated) => number, question: AskedTerms): Rated | undefined {
  const best = likeliest(sorted, of);
  if (!best) return undefined;
  return sorted
    .filter((each) => best.score - each.score <= maxBehindNewest && areEditions(each, best, question))
    .reduce((one, other) => (yearOf(other) > yearOf(one) ? other : one), best);
}

function likeliest(sorted: readonly Rated[], of: (each: Rated) => number): Rated | undefined {
  return sorted.reduce<Rated | undefined>((one, other) => (one && of(one) >= of(other) ? one : other), undefined);
}

/** Adds a unit to the quote that it stands next to, if one is shown. */
function goesWith(picked: readonly Picked[], { passage, unit }: Rated): boolean {
  for (const each of picked) {
    const both = each.isSupporting || each.passage !== passage ? null : joined(each.quoted, unit);
    if (!both) continue;
    each.quoted = both;
    return true;
  }
  return false;
}

/**
 * How likely the answer stands on each page, by all that may be quoted of it: the scores are log odds, so that their
 * exponentials add up. Where the best has no page, nothing is known of pages.
 */
function likelihoods(sorted: readonly Rated[]): (each: Rated) => number {
  const [first] = sorted;
  const likely = new Map<string, number>();
  if (!first || first.unit.page === null) return () => 0;
  let all = 0;
  for (const each of sorted) {
    const odds = Math.exp(each.score - first.score);
    likely.set(pageOf(each), (likely.get(pageOf(each)) ?? 0) + odds);
    all += odds;
  }
  return (each) => (likely.get(pageOf(each)) ?? 0) / all;
}

function pageOf({ passage, unit }: Rated): string {
  return `${passage.documentId} ${unit.page ?? passage.chunkId}`;
}

/** Whether another quote is to be shown beside the best. */
function adds(best: Rated, other: Rated, likelihood: number): boolean {
  // Beside a row that is named as a whole a sentence is as good as without that.
  const gain = best.unit.page === null && !other.unit.row ? best.gainOfName : 0;
  const behind = best.score - other.score - gain;
  const isClear = isNamedRow(best);
  if (best.unit.page !== null) {
    if (!other.unit.row && likelihood >= asLikely && behind <= maxBehindAsLikely) return true;
    return likelihood >= minLikely && behind <= (isClear ? addsToRow.beside : addsBeside);
  }
  if (best.passage === other.passage) return behind <= (isClear ? addsToRow.beside : addsToShort.beside);
  return behind <= (isClear && isNamedRow(other) ? addsToRow.elsewhere : addsToShort.elsewhere);
}

/** Whether both are rows of one passage, and the question names the other, too: it may ask for their sum. */
function isNamedBeside(best: Rated, { passage, unit, signals }: Rated): boolean {
  return (
    passage === best.passage && Boolean(best.unit.row && unit.row) && signals.labelled >= minLabelled && !signals.empty
  );
}

/** Whether another quote has a word of the question that the best lacks. */
function saysMore(best: Rated, other: Rated, { weights }: AskedTerms): boolean {
  return !new Set(weights.keys()).intersection(other.terms).isSubsetOf(best.terms);
}

/**
 * Who asks for Berlin's row is not asking for those of other towns: a row that has some of the same words, and lacks
 * one. Nor is who asks for a code asking for others, whatever words their rows have.
 */
function isAnotherRow(best: Rated, other: Rated, { weights, saidBefore }: AskedTerms): boolean {
  if (!best.unit.row || !other.unit.row) return false;
  // A row of another table that is named as well is no other row of the same list.
  if (best.passage !== other.passage && isNamedRow(other)) return false;
  const all = new Set(weights.keys());
  // "And in Zürich?" asks for Zürich alone, whatever the rows have of the question before or of its answer.
  const itself = all.difference(saidBefore);
  const asked = itself.isDisjointFrom(best.terms) ? all : itself;
  const [inBest, inOther] = [asked.intersection(best.terms), asked.intersection(other.terms)];
  const isOtherCode = [...inBest].some((term) => isCode(term) && !inOther.has(term));
  return isOtherCode || (inOther.size < inBest.size && inOther.isSubsetOf(inBest));
}

/** `e-204`: letters and digits in one. */
function isCode(term: string): boolean {
  return /\p{L}/u.test(term) && /\d/.test(term);
}

function isNamedRow({ signals: { row, labelled, amount, date, kind } }: Rated): boolean {
  return row === 1 && labelled >= minLabelled && (amount === 1 || date === 1 || kind === 1);
}
