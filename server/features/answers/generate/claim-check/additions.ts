import type { Measures } from '#server/features/retrieval/question/coverage.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { addsRun, type Rest } from './added-run.ts';
import { isExchanged } from './exchanged.ts';
import type { ReadText } from './facts/facts.ts';
import { isFunctionWord, isTelling, verbal } from './facts/language.ts';
import { wordSet } from './facts/tokens.ts';
import { deniesAnew } from './negation.ts';
import type { PreparedPassage, PreparedUnit } from './passage.ts';
import { addsQualifier } from './qualifiers.ts';
import { isTurned } from './turned.ts';

/**
 * A part of a claim says something by itself from so many telling words on; less than this share of them there is too
 * little.
 */
const minTerms = 2;
const minOfPart = 0.2;
/** Another sentence says a part of a claim that has so much of it. */
const minElsewhere = 0.5;
/**
 * A claim that has so many of a sentence's words is written after it: what is new in it is no other way to say the
 * same.
 */
const minCopied = 0.65;
/** A claim says all of a sentence from this share of its telling words on. */
const minSaid = 0.85;
/** What leads to something added: "by telephone", "und einen Zeugen". */
const leading = wordSet(
  'by with for via including plus and or mit durch per von fur inklusive sowie und oder par avec pour y con por para e et ou o u',
);

/** Behind these, too: "il a", "die gelten". */
const mayLeadToVerb = verbal.union(wordSet('a der die das'));

/**
 * Whether a claim says something more than the sentences that it rests on, or something else in the place of one of
 * their words.
 * @param bound indices of those sentences
 */
export function addsToo(
  read: ReadText,
  bound: readonly number[],
  known: PreparedPassage,
  { weights }: Question,
  { hits }: Measures,
): boolean {
  const units = bound.flatMap((i) => known.units[i] ?? []);
  const rest = { units, there: termsThere(units, hits) };
  return (
    addsQualifier(
      read,
      units.map(({ read: there }) => there),
    ) ||
    addsRun(read, rest, weights, hits) ||
    addsPart(read, rest, known, weights, hits) ||
    isExchanged(read, units, known, weights, hits) ||
    isTurned(
      read,
      units.map(({ read: there }) => there),
    ) ||
    deniesAnew(read.plain, units.map(({ whole }) => whole).join('. ')) ||
    (isCopied(read, rest, weights) && addsWord(read, rest, known, weights, hits))
  );
}

function termsThere(units: readonly PreparedUnit[], hits: Measures['hits']): Map<string, number> {
  const there = new Map<string, number>();
  for (const unit of units) {
    for (const term of [...unit.terms, ...unit.head, ...unit.around.keys()]) {
      for (const [asked, share] of hits(term)) there.set(asked, Math.max(there.get(asked) ?? 0, share));
    }
  }
  return there;
}

/** A part of which next to nothing stands where the rest of it does, nor in any other one sentence. */
function addsPart(
  { places, facts }: ReadText,
  { there }: Rest,
  known: PreparedPassage,
  weights: Question['weights'],
  hits: Measures['hits'],
): boolean {
  const measured = new Set(facts.flatMap(({ quantity, segment }) => (quantity ? [segment] : [])));
  for (const [segment, part] of Map.groupBy(places, (place) => place.segment)) {
    // Its number was found with the words around it.
    if (measured.has(segment)) continue;
    const terms = [...new Set(part.map(({ term }) => term))].filter((term) => (weights.get(term) ?? 0) > 0);
    if (terms.length < minTerms || shareOf(terms, there, weights) >= minOfPart) continue;
    const elsewhere = known.units.some((unit) => shareOf(terms, termsThere([unit], hits), weights) >= minElsewhere);
    if (!elsewhere) return true;
  }
  return false;
}

function shareOf(terms: readonly string[], there: ReadonlyMap<string, number>, weights: Question['weights']): number {
  let [said, all] = [0, 0];
  for (const term of terms) {
    all += weights.get(term) ?? 0;
    said += (weights.get(term) ?? 0) * (there.get(term) ?? 0);
  }
  return all === 0 ? 1 : said / all;
}

function isCopied(read: ReadText, { there }: Rest, weights: Question['weights']): boolean {
  return shareOf(termsOf(read), there, weights) >= minCopied;
}

function termsOf({ places }: ReadText): string[] {
  return [...new Set(places.map(({ term }) => term))];
}

/** A word in the place of another one, or one that is added to what is copied. */
function addsWord(
  { tokens, facts }: ReadText,
  { units, there }: Rest,
  known: PreparedPassage,
  weights: Question['weights'],
  hits: Measures['hits'],
): boolean {
  const own = new Set(tokens.map(({ folded }) => folded));
  // What another sentence speaks of: somebody else's deadline, another product's price.
  const isOfAnother = (term: string) =>
    known.units.some(
      (unit) =>
        !units.includes(unit) &&
        unit.terms.some((each) => hits(each).some(([asked, share]) => asked === term && share === 1)),
    );
  // Where nothing of the sentence is left to be said in other words, a new word is something new.
  const saysAll = units.some(({ read }) => {
    const telling = read.tokens.filter(isTelling);
    const said = telling.filter(({ text }) => analyze(text).some((term) => hits(term).length > 0));
    return said.length >= minSaid * telling.length;
  });
  // What a small word leads to at the end of a claim stands in the place of what it leads to there: "by air".
  const isLead = (word: string) => leading.has(word) && !/^(?:and|or|und|oder|et|ou|y|o)$/.test(word);
  return tokens.some((token, i) => {
    if (!isTelling(token) || facts.some(({ quantity, start, end }) => quantity && i >= start && i < end)) return false;
    const terms = analyze(token.text).filter((term) => weights.has(term));
    if (terms.length === 0 || terms.some((term) => there.has(term))) return false;
    const [before, behind] = [tokens[i - 1]?.folded, tokens[i + 1]?.folded];
    const replaces = units.some(({ read }) =>
      read.tokens.some(
        (other, j) =>
          isTelling(other) &&
          !own.has(other.folded) &&
          before !== undefined &&
          read.tokens[j - 1]?.folded === before &&
          ((read.tokens[j + 1]?.folded ?? '.') === (behind ?? '.') || (isLead(before) && /^[.]?$/.test(behind ?? ''))),
      ),
    );
    if (replaces || terms.some((term) => isOfAnother(term))) return true;
    const lead = isFunctionWord(before ?? '') && !leading.has(before ?? '') ? tokens[i - 2]?.folded : before;
    const isNowhere = terms.every((term) =>
      [...known.terms].every((other) => hits(other).every(([each]) => each !== term)),
    );
    return (
      isNowhere &&
      (leading.has(lead ?? '') || (saysAll && isFunctionWord(before ?? '') && !mayLeadToVerb.has(before ?? '')))
    );
  });
}
