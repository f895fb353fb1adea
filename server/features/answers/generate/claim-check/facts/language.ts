import { stopWords } from '#server/lib/stop-words.ts';
import { fold, type Token, tokensIn } from './tokens.ts';

/** Languages whose numbers, units and opposites are known. */
export type Language = 'en' | 'de' | 'fr' | 'es';

const known = (['en', 'de', 'fr', 'es'] as const).map(
  (language) => [language, new Set(fold(stopWords[language]).split(/\s+/))] as const,
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
