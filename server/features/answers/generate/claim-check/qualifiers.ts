import type { ReadText } from './facts/facts.ts';
import { measureOf } from './facts/measures.ts';
import { fold, type Token } from './facts/tokens.ts';
import { qualifiers } from './qualifier-words.ts';

interface Phrase {
  words: string[];
  group: number;
}

/** One word at its end may stand for all that begin so. */
function phrasesOf(side: 0 | 1): Map<string, Phrase[]> {
  const all = qualifiers
    .trim()
    .split('\n')
    .flatMap((line, group) => {
      const parts = line.split(' < ');
      const phrases = side === 0 ? [parts[0] ?? ''] : parts;
      return phrases.flatMap((part) =>
        part.split('|').map((phrase): Phrase => ({ words: fold(phrase.trim()).split(' '), group })),
      );
    });
  return Map.groupBy(all, ({ words }) => startOf(words[0] ?? ''));
}

/** Letters by which phrases are looked up: a word in front may be written with any ending. */
const start = 2;
const startOf = (word: string) => word.slice(0, start);
const asked = phrasesOf(0);
const evident = phrasesOf(1);

/**
 * Whether a claim says how far, how often, since when or why something holds, and the sentences that it rests on do
 * not.
 */
export function addsQualifier(claim: ReadText, sources: readonly ReadText[]): boolean {
  const wanted = groupsIn(claim.tokens, asked);
  const there = new Set(wanted.size === 0 ? [] : sources.flatMap(({ tokens }) => [...groupsIn(tokens, evident)]));
  if (!wanted.isSubsetOf(there)) return true;
  const often = howOften(claim);
  if (often.length === 0) return false;
  const times = new Set(sources.flatMap(timesIn));
  return often.some((time) => !times.has(time));
}

/** The times that a text speaks of: of "12 months" the month and the year. */
function timesIn({ tokens, facts }: ReadText): (string | null)[] {
  return [
    ...tokens.map(({ folded }) => timeOf(folded)),
    ...facts.flatMap(({ quantity }) => (quantity ? quantity.values.map((value) => `${quantity.of} ${value}`) : [])),
  ];
}

/** Of what a number is for: "every quarter". */
const tokensEach = 2;
/** What something is repeated or bounded in: "every quarter", "jeden Tag", "within an hour", "annually". */
function howOften({ tokens, facts }: ReadText): string[] {
  // "Half an hour" is a time of its own.
  const isCounted = (i: number) =>
    facts.some(
      ({ quantity, start, end }) =>
        quantity && isTime(quantity.of) && i >= start && i < end - tokensEach * quantity.per.length,
    );
  return tokens.flatMap(({ folded }, i) => {
    const time = isCounted(i) ? null : timeOf(folded);
    return time !== null && (often.test(folded) || repeating.test(tokens[i - 1]?.folded ?? '')) ? [time] : [];
  });
}

/** Before a time these repeat or bound something; in it are times by themselves. */
const repeating = /^(?:a|an|every|each|per|jede[nmrs]?|pro|chaque|par|cada|por)$/;
const often =
  /(?:daily|weekly|monthly|quarterly|annually|yearly|nightly|taglich|wochentlich|monatlich|jahrlich|quotidien\w*|hebdomadaire\w*|mensuel\w*|annuel\w*|diariamente|semanalmente|mensualmente|anualmente)$/;

/** The time that a word means, apart from how many there are. */
function timeOf(folded: string): string | null {
  const measure = measureOf(folded) ?? measureOf(folded.replace(/(?:ement|mente)$/, ''));
  return measure && isTime(measure.of) ? `${measure.of} ${measure.base}` : null;
}

function groupsIn(tokens: readonly Token[], phrases: Map<string, Phrase[]>): Set<number> {
  const found = new Set<number>();
  for (const [at, { folded }] of tokens.entries()) {
    for (const { words, group } of phrases.get(startOf(folded)) ?? [])
      if (words.every((word, i) => isWord(word, tokens[at + i]?.folded ?? ''))) found.add(group);
  }
  return found;
}

function isWord(word: string, folded: string): boolean {
  return word.endsWith('*') ? folded.startsWith(word.slice(0, -1)) : folded === word;
}

function isTime(of: string): boolean {
  return of === 'time' || of === 'months';
}
