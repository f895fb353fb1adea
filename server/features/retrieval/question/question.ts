import { isAmountTerm } from '#server/lib/amounts.ts';
import { analyze, isComposite, isOfLetters, type QuestionTerms, questionTerms } from '#server/lib/analyze.ts';
import { datesIn, isDateTerm } from '#server/lib/dates.ts';
import { bareYear } from '#server/lib/periods.ts';
import { weakWords } from '#server/lib/stop-words.ts';
import { fittedWeights, type RankingWeights } from '../ranking/weights.ts';
import { codeForms } from './code-forms.ts';
import { type AskedDefinition, askedDefinition, termsOfAsking } from './definition.ts';
import { irregularForms } from './irregular-forms.ts';
import { measureWords } from './measure-words.ts';
import { properNames } from './names.ts';
import { askedPart } from './numbered-parts.ts';
import { otherDates } from './other-dates.ts';
import { termsElsewhereOf, withNames } from './other-forms.ts';
import { otherWords, similarWords } from './other-words.ts';
import { standInsFor } from './stand-ins.ts';
import type { TermStatistics } from './statistics.ts';

/** The question as its terms, each with its weight. */
export interface Question {
  weights: Map<string, number>;
  /** Sum of the weights, but of words that are made of others, and of the context's unless the question is short. */
  total: number;
  language: QuestionTerms['language'];
  /** Terms that follow each other, but for words that carry no meaning. */
  pairs: [string, string][];
  /** It asks for a number, a date or a year, or names one. */
  asksNumber: boolean;
  /** Terms of the company's documents that stand in for those that no document has: other forms, the right spelling. */
  standIns: Map<string, string>;
  /** Terms of documents in languages of their own that are the same words, each with the question's own term. */
  elsewhere: ReadonlyMap<string, string>;
  /** Terms of documents for words that offices use for the same as one of the question's, each with that one. */
  similar: ReadonlyMap<string, string>;
  /** Those of its words that only names are written as (`names.ts`); of German, where all nouns are, none. */
  names: ReadonlySet<string>;
  /**
   * Terms that a line begins with which answers: of the word that is to be explained, of the part that is asked for.
   */
  opening: readonly string[];
  /** Terms of what was said before alone, and what each counts beside one of the question itself: 0 to 1. */
  saidBefore: Map<string, number>;
}

/** A text that was asked before, and what its words count beside the question's: 0 to 1. */
export interface Context {
  text: string;
  share: number;
}

/**
 * A question of fewer telling words says too little to stand by itself; one that is a whole sentence may have fewer.
 */
const minWords = 3;
const minWordsAsked = 2;
const asks =
  /^\W*(?:(?:may|can|could|must|should|do|does|did|darf|dürfen|kann|können|muss|müssen|soll|sollen|puis|peut|dois|doit|puedo|puede|debo|debe|posso|può|devo|deve|who|whom|whose|what|which|where|when|why|how|wer|wen|wem|wessen|was|welche[rsnm]?|wo|wohin|woher|wann|warum|weshalb|wieso|wie|wieviel|qui|que|quel(?:le)?s?|où|quand|pourquoi|comment|combien|qui[eé]n(?:es)?|qu[eé]|cu[aá]l(?:es)?|d[oó]nde|cu[aá]ndo|c[oó]mo|cu[aá]nt[oa]s?|chi|che|quali?|dove|quando|perch[eé]|come|quant[oaie])(?!\p{L})|من |ما |ماذا |متى |أين |كيف |كم |لماذا |هل )/iu;
/**
 * What the context's words count together at most beside the question's own: where it points back, and where it does
 * not. With more, a question on something else is answered from what was spoken of before; with less, follow-ups are
 * lost (`npm run evals -- follow-ups`).
 */
const maxAround = { pointingBack: 1, other: 0.15 };
/** Words for what was spoken of, and beginnings of what goes on from it. */
const pointsBack =
  /(?<!\p{L})(it|its|they|them|their|theirs|he|him|his|she|her|hers|this|these|those|there|else|instead|es|er|sie|ihn|ihm|ihr\w*|dies\w*|dort|dazu|davon|dafür|dabei|damit|darüber|daran|il|elle|ils|elles|lui|leur|cela|ça|celui|celle|ello|eso|esto|ellos|ellas|allí|ciò|questo|questa|quello|lì)(?!\p{L})|^\s*(and|or|but|so|then|also|what about|how about|und|oder|aber|auch|et|ou|mais|y|o|pero|e|ma)(?!\p{L})|[它他她这這那其该該]|呢[？?]?\s*$|(?<!\p{L})(هو|هي|هذا|هذه|ذلك|تلك|و\s)(?!\p{L})/iu;
/**
 * A code, such as TS-540, and no quarter or year: what comes after one and points back may well point at that. Letter
 * and figure stand near its beginning: a row of hyphens is not looked through to its end for each of them.
 */
const code =
  /(?<![\p{L}\p{N}])(?!(?:fy|cy|q|h)\d|\dq|\dh)(?=[\p{L}\p{N}-]{0,60}\p{L})(?=[\p{L}\p{N}-]{0,60}\p{N})[\p{L}\p{N}-]{3,}/iu;
/** What a hyphened word counts as a whole; its parts count for themselves. */
const compositeShare = 0.5;
const weakShare = 0.4;
/** What a word of an instruction counts beside one of the question. */
const instructionShare = 0.15;
const weak = new Set(analyze(weakWords));
/**
 * Of a longer text the first terms are searched for, and they alone: each is compared with ten thousand words of
 * documents.
 */
export const maxTerms = 64;
const pairGap = 2;
/** A question that says the same over and over has no more to compare. */
const maxPairs = 2 * maxTerms;
const askingNumber =
  /\b(how (much|many|long|far|high|large|big|old|often|heavy|fast|late|early)|when|what (is the |was the )?(price|cost|fee|limit|amount|number|rate|percentage|date|year|time)|which (year|date|day)|wann|wie ?(viel|viele|lange|hoch|weit|oft|gro(ß|ss)|schwer|teuer)|welche[snm]? (jahr|datum)|quand|combien|cu[aá]nt[oa]s?|cu[aá]ndo|quant[oiae]|quando)\b|\b(19|20)\d\d\b/i;

/** Characters of a question whose dates are looked at. */
const maxDated = 1000;

type Weighing = Pick<RankingWeights, 'standIns'>;

/**
 * What is asked, also in other words than its own where no document has those.
 * @param context what was said before, where the text may go on from it
 * @param instructions words that came with the question and only say how to answer: they may still name a place to look
 * at
 */
export function weighQuestion(
  text: string,
  statistics: TermStatistics,
  context: readonly Context[] = [],
  instructions = '',
  weights: Weighing = fittedWeights,
): Question {
  return weighed(text, statistics, {
    context,
    instructions,
    weights,
    words: { absent: otherWords, known: similarWords, dates: otherDates },
    definition: askedDefinition(text),
  });
}

/** A text by its own words: those of a claim must stand in the passage. */
export function weigh(text: string, statistics: TermStatistics): Question {
  return weighed(text, statistics, {
    context: [],
    instructions: '',
    weights: fittedWeights,
    words: { absent: () => new Map(), known: () => new Map(), dates: () => ({ days: [], elsewhere: new Map() }) },
    definition: null,
  });
}

interface Around {
  context: readonly Context[];
  instructions: string;
  weights: Weighing;
  /** What documents may say in place of words that none of them has, and beside those that they have. */
  words: { absent: typeof otherWords; known: typeof similarWords; dates: typeof otherDates };
  /** Null: it does not ask what a word means. */
  definition: AskedDefinition | null;
}

function weighed(
  text: string,
  statistics: TermStatistics,
  { context, instructions, weights: { standIns: maxStandIns }, words, definition }: Around,
): Question {
  const weights = new Map<string, number>();
  let total = 0;
  const { terms: all, language } = questionTerms(text);
  const dates = words.dates(text, all, statistics);
  const terms = [...all.filter((term) => !dates.elsewhere.has(term)), ...dates.days].slice(0, maxTerms);
  const asked = [text, instructions, ...context.map(({ text: before }) => before)].join('\n');
  const inOtherForms = new Map([
    ...irregularForms(all, language, statistics),
    ...codeForms(all, statistics.has),
    ...termsElsewhereOf(asked, all, statistics),
    ...dates.elsewhere,
  ]);
  const inForms = new Set([...inOtherForms].flatMap(([term, own]) => (statistics.has(term) ? [own] : [])));
  const unknown = terms.filter((term) => !statistics.has(term) && !inForms.has(term));
  const elsewhere = new Map([...words.absent(unknown, statistics), ...inOtherForms]);
  const rarity = rarityWith(elsewhere, statistics);
  const found = new Set([...elsewhere].flatMap(([term, own]) => (statistics.has(term) ? [own] : [])));
  const isKnown = (term: string) => statistics.has(term) || found.has(term);
  const ofAsking = definition && termsOfAsking(definition);
  const ofDates = partsOfDates(text);
  const ofMeasure = measureWords(text);
  for (const term of terms) {
    const isOfAsking = ofAsking?.has(term) || ofMeasure.has(term);
    const share = (isOfAsking ? instructionShare : 1) * (ofDates.has(term) ? weakShare : 1);
    const weight = weightOf(term, rarity) * share;
    weights.set(term, weight);
    // A whole date or amount comes beside the words that it is made of.
    if (!isJoined(term) && !isDateTerm(term) && !isAmountTerm(term)) total += weight;
  }
  const isShort = saysLittle(text, terms);
  const around = new Map<string, number>();
  const saidBefore = new Map<string, number>();
  for (const { text: before, share } of context) {
    for (const term of questionTerms(before).terms.slice(0, maxTerms)) {
      if (weights.has(term) || around.has(term)) continue;
      around.set(term, share * weightOf(term, rarity));
      saidBefore.set(term, share);
    }
  }
  // Where it says nothing itself ("and why?"), all is in what was said before.
  const most = isShort || doesPointBack(text) ? maxAround.pointingBack : maxAround.other;
  const scale = total === 0 ? 1 : Math.min(1, (most * total) / (sum(around.values()) || 1));
  for (const [term, weight] of around) {
    weights.set(term, weight * scale);
    saidBefore.set(term, (saidBefore.get(term) ?? 0) * scale);
    if (isShort && !isJoined(term)) total += weight * scale;
  }
  if (instructions !== '') {
    for (const term of questionTerms(instructions).terms)
      if (!weights.has(term) && isKnown(term)) weights.set(term, instructionShare * weightOf(term, rarity));
  }
  const ofDocuments = withNames(elsewhere, text, all, statistics);
  return {
    weights,
    total,
    language,
    pairs: pairsIn(text, weights),
    asksNumber: askingNumber.test(text),
    standIns: standInsFor(
      terms.filter((term) => !isKnown(term)),
      elsewhere,
      statistics,
      maxStandIns,
    ),
    elsewhere: ofDocuments,
    similar: new Map(
      [...words.known(terms.filter(isKnown), statistics)].filter(
        ([term]) => !weights.has(term) && !ofDocuments.has(term),
      ),
    ),
    names: new Set(properNames(text, { weights, language }).flatMap(({ terms }) => terms)),
    opening: analyze(definition?.term ?? askedPart(text) ?? ''),
    saidBefore,
  };
}

/** Days and months of a text's dates, each by itself: a report has hundreds of them. The whole date counts in full. */
function partsOfDates(text: string): Set<string> {
  const terms = datesIn(text.slice(0, maxDated)).flatMap((date) => analyze(date));
  return new Set(terms.filter((term) => !isDateTerm(term) && !isComposite(term) && !bareYear.test(term)));
}

/** Whether a text goes on from what was said before: it points back, or has too few words that tell something. */
export function goesOn(text: string): boolean {
  return doesPointBack(text) || saysLittle(text, questionTerms(text).terms);
}

function doesPointBack(text: string): boolean {
  const at = text.search(pointsBack);
  return at >= 0 && !code.test(text.slice(0, at));
}

/** "And the price?" says too little to stand by itself, "Who pays for the shoes?" does not. */
function saysLittle(text: string, terms: readonly string[]): boolean {
  return terms.length < (asks.test(text) ? minWordsAsked : minWords);
}

/** Whether it says enough to be understood without what was said before; what it goes on from may still matter. */
export function standsAlone(text: string, { weights }: Question): boolean {
  return !saysLittle(text, [...weights.keys()]);
}

function sum(values: Iterable<number>): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}

/** How rare a word is in whatever language it is found. */
function rarityWith(elsewhere: ReadonlyMap<string, string>, { idf }: TermStatistics): (term: string) => number {
  const least = new Map<string, number>();
  for (const [term, own] of elsewhere) least.set(own, Math.min(least.get(own) ?? idf(own), idf(term)));
  return (term) => least.get(term) ?? idf(term);
}

function weightOf(term: string, rarity: (term: string) => number): number {
  return rarity(term) * (isJoined(term) ? compositeShare : 1) * (weak.has(term) ? weakShare : 1);
}

/** A word made of others. A code is more than its parts, but "cost-plus" may well be written "cost plus". */
function isJoined(term: string): boolean {
  return isComposite(term) && !/\d|[+#]$/.test(term) && !isOfLetters(term);
}

function pairsIn(text: string, weights: Map<string, number>): [string, string][] {
  const all = analyze(text);
  const pairs: [string, string][] = [];
  for (const [i, term] of all.entries()) {
    if (pairs.length === maxPairs) break;
    if (!weights.has(term)) continue;
    const next = all.slice(i + 1, i + 1 + pairGap).find((other) => weights.has(other));
    if (next !== undefined && next !== term) pairs.push([term, next]);
  }
  return pairs;
}
