import { areEditions } from './editions.ts';
import { goodEnough, maxQuotes, maxShown, type Picked, saysSomething, saysTheSame } from './picked.ts';
import { createRuns, quotedOf, type Run } from './runs.ts';
import type { Rated } from './unit-signals.ts';

/** A sentence next to one that is shown goes with it where it scores at most this much less than the best. */
const maxBehindJoined = 8;
/**
 * Of all that may be shown with the best, so many are looked at: what has thousands of sentences was made to take long.
 */
const maxLookedAt = 200;

/**
 * Where the best is a sentence of a document without pages: the likeliest runs of sentences, each as long as one quote
 * may be, and then single ones that were found beside them. Three quotes have room for more than three sentences, and
 * which of a paragraph's answers is less sure than that one of them does.
 * @param rated all that may be quoted, in the order of the passages
 * @param best the one that is quoted first
 */
export function pickProse(rated: readonly Rated[], best: Rated, question: Parameters<typeof areEditions>[2]): Picked[] {
  const runOf = createRuns(rated);
  const taken = new Set<Rated>();
  const picked: Picked[] = [];
  const mayJoin = (each: Rated) =>
    !taken.has(each) && best.score - each.score <= maxBehindJoined && saysSomething(each);
  const others = rated
    .filter((each) => each !== best && best.score - each.score <= goodEnough)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxLookedAt);
  const adds = (each: Rated) => !taken.has(each) && !picked.some(({ terms }) => saysTheSame(terms, each.terms));

  let run: Run | undefined = runOf(best, mayJoin);
  while (run) {
    const first = picked.length === 0 ? best : likeliestOf(run.rated);
    for (const each of run.rated) taken.add(each);
    picked.push({ ...first, quoted: quotedOf(run), isSupporting: false });
    run = picked.length === maxShown ? undefined : next();
  }
  for (const each of others) {
    if (picked.length === maxQuotes) break;
    const isEdition = areEditions(each, best, question);
    if (isEdition ? !taken.has(each) : adds(each)) picked.push({ ...each, quoted: each.unit, isSupporting: true });
  }
  return picked;

  function next(): Run | undefined {
    let likeliest: Run | undefined;
    for (const each of others) {
      if (areEditions(each, best, question) || !adds(each)) continue;
      const around = runOf(each, mayJoin);
      if (!likeliest || around.odds > likeliest.odds) likeliest = around;
    }
    return likeliest;
  }
}

function likeliestOf(run: readonly Rated[]): Rated {
  return run.reduce((one, other) => (other.score > one.score ? other : one));
}
