import { stopWords } from '#server/lib/stop-words.ts';
import { type Token, tokensIn, wordSet } from './tokens.ts';

/** Languages whose numbers, units and opposites are known. */
export type Language = 'en' | 'de' | 'fr' | 'es';

/** Tokens of two words, of which the lists have one. */
const elided: Partial<Record<Language, ReadonlySet<string>>> = { fr: wordSet("jusqu'à jusqu'au jusqu'aux") };

const known = (['en', 'de', 'fr', 'es'] as const).map(
  (language) => [language, wordSet(stopWords[language]).union(elided[language] ?? new Set())] as const,
);

/** The language that most of a text's small words belong to; null where none is ahead. */
export function languageOf(text: string): Language | null {
  return ofTokens(tokensIn(text));
}

function ofTokens(tokens: readonly Token[]): Language | null {
  const hits = known.map(
    ([language, words]) =>
      [
        language,
        tokens.reduce((sum, { kind, folded }) => sum + (kind === 'word' && words.has(folded) ? 1 : 0), 0),
      ] as const,
  );
  const [first, second] = hits.toSorted((one, other) => other[1] - one[1]);
  return first && second && first[1] > second[1] ? first[0] : null;
}

/** Whether it is one of the words that every sentence has, in any of the languages. */
export function isFunctionWord(folded: string): boolean {
  return known.some(([, words]) => words.has(folded));
}

/** Whether a word says something by itself. */
export function isTelling({ kind, folded }: Token): boolean {
  return kind === 'word' && folded.length > 2 && !isFunctionWord(folded);
}

/** Behind these stands a verb or what is said of somebody, for which another word may stand: "they are due". */
export const verbal = wordSet(
  'is are was were be been being has have had do does did will would can could may might must should shall not never it they he she we you i who which that ist sind war waren wird werden wurde wurden hat haben kann konnen darf durfen muss mussen soll sollen nicht sich er sie es man wir est sont etait ont peut peuvent doit doivent ne pas il elle ils elles on nous vous qui que es son fue esta estan ha han puede pueden debe deben no se',
);
