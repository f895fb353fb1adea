import { valueOfWord } from '#server/lib/number-words.ts';
import { isYear, type Quantity, quantityOf } from './dates.ts';
import type { Language } from './language.ts';
import { measureOf } from './measures.ts';
import { type Token, wordSet } from './tokens.ts';

const shareJoints = wordSet('a an of the de der des einer eine eines un une una la el le');
export const halves: Record<Language, RegExp> = {
  en: /^half$/,
  de: /^halbe[nrs]?$/,
  fr: /^demie?$/,
  es: /^medi[oa]$/,
};
const quarters: Record<Language, RegExp> = {
  en: /^(?:quarters?|fourths)$/,
  de: /^viertel$/,
  fr: /^quarts?$/,
  es: /^cuartos?$/,
};
const thirds: Record<Language, RegExp> = { en: /^thirds?$/, de: /^drittel$/, fr: /^tiers$/, es: /^tercios?$/ };

/** "half a year", "three quarters of an hour", "ein Drittel", "la moitié". */
export function shareAt(tokens: readonly Token[], i: number, language: Language): Quantity | null {
  let at = i;
  const count =
    tokens[at]?.kind === 'word' ? valueOfWord(tokens[at]?.folded ?? '', language) : (tokens[at]?.values[0] ?? null);
  const isCounted = count !== null && count <= 9 && count >= 1 && Number.isInteger(count);
  if (isCounted) at++;
  const word = tokens[at]?.folded ?? '';
  const fraction = halves[language].test(word)
    ? 1 / 2
    : quarters[language].test(word)
      ? 1 / 4
      : thirds[language].test(word)
        ? 1 / 3
        : 0;
  if (fraction === 0) return null;
  at++;
  let end = at;
  while (end - at < 3 && shareJoints.has(tokens[end]?.folded ?? '')) end++;
  const measure = measureOf(tokens[end]?.folded ?? '');
  const share = fraction * (isCounted ? count : 1);
  if (measure && measure.of !== 'percent') return quantityOf(measure, [share], i, end + 1);
  // "The latter half of the century" is no share.
  const isPlaced =
    /^(?:latter|better|other|first|second|third|fourth|last|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|letzte[nrs]?|premiere?|seconde?|troisieme|quatrieme|dernier|primera?|segunda?|tercera?|cuarta?|ultim[oa])$/.test(
      tokens[i - 1]?.folded ?? '',
    );
  if (isPlaced || (!isCounted && end === at) || isYear(tokens[end])) return null;
  return quantityOf({ of: 'percent', base: 1 }, [share * 100], i, at);
}
