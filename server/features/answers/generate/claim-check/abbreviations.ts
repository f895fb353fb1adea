import { readAbbreviations } from '#server/lib/abbreviations.ts';
import { analyze } from '#server/lib/analyze.ts';
import type { ReadText } from './facts/facts.ts';
import { tokensIn } from './facts/tokens.ts';

/**
 * An abbreviation that a document explains: "Earnings before interest (EBIT)", "Johnson & Johnson (“J&J”)". Words
 * folded.
 */
export interface Abbreviation {
  short: string[];
  long: string[];
}

/** What a text explains, the first explanation of each. */
export function abbreviationsIn(text: string): Abbreviation[] {
  return readAbbreviations(text).map(({ short, long }) => ({ short: foldedWords(short), long: foldedWords(long) }));
}

function foldedWords(text: string): string[] {
  return tokensIn(text).flatMap(({ kind, folded }) => (kind === 'sign' ? [] : [folded]));
}

/** The text with the other form of each abbreviation in it, at its place; and the terms of those. */
export function withOtherForms(
  read: ReadText,
  abbreviations: readonly Abbreviation[],
): { read: ReadText; terms: string[] } {
  const said = new Set(read.tokens.map(({ folded }) => folded));
  const added = abbreviations.flatMap(({ short, long }) =>
    [
      [short, long],
      [long, short],
    ].flatMap(([here = [], other = []]) => {
      if (here.length === 0 || !here.every((each) => said.has(each))) return [];
      const at = read.tokens.findIndex((_, i) => here.every((each, j) => read.tokens[i + j]?.folded === each));
      const segment = read.tokens[at]?.segment;
      return segment === undefined ? [] : analyze(other.join(' ')).map((term) => ({ term, at, segment }));
    }),
  );
  return added.length === 0
    ? { read, terms: [] }
    : { read: { ...read, places: [...read.places, ...added] }, terms: added.map(({ term }) => term) };
}
