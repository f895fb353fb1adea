import { isLongScale, ordinalOfWord, scaleOfWord, sumOf, valueOfWord } from '#server/lib/number-words.ts';
import { nounAt, perWords, unitAt, withPer } from './counted.ts';
import { clockAt, dateAt, isYear, monthAt, type Quantity } from './dates.ts';
import type { Language } from './language.ts';
import { currencies, type Measure, measureOf, monthOf, weekdayOf } from './measures.ts';
import { type Token, wordSet } from './tokens.ts';

const rangeWords = wordSet("to and or bis und oder à jusqu'à jusqu'au et ou y o - – —");
const shareJoints = wordSet('a an of the de der des einer eine eines un une una la el le');
const halves: Record<Language, RegExp> = {
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

/** Finds what is counted, measured, dated or ordered in a text. Each token is part of at most one. */
export function quantitiesIn(tokens: readonly Token[], language: Language): Quantity[] {
  const found: Quantity[] = [];
  for (let i = 0; i < tokens.length; ) {
    if (isHeadNumber(tokens, i)) {
      i++;
      continue;
    }
    const quantity =
      dateAt(tokens, i) ??
      clockAt(tokens, i) ??
      shareAt(tokens, i, language) ??
      amountAt(tokens, i, language) ??
      orderAt(tokens, i, language);
    if (quantity) found.push(quantity);
    i = quantity?.end ?? i + 1;
  }
  return shareUnits(found, tokens);
}

/** The number of a section or an item counts nothing: "3.", "13.1 This contract". */
function isHeadNumber(tokens: readonly Token[], i: number): boolean {
  const [token, next] = [tokens[i], tokens[i + 1]];
  if (token?.kind !== 'number' || !token.begins || !next) return false;
  if (/^[.)]$/.test(next.folded)) return !monthAt(tokens[i + 2]);
  return (
    /^\d{1,2}\.\d{1,2}$/.test(token.folded) &&
    next.kind === 'word' &&
    /^\p{Lu}/u.test(next.text) &&
    !measureOf(next.folded) &&
    monthOf(next.text, next.folded, true) === null
  );
}

/** "between 0 and 40 °C", "5–30 days": a number without a unit has that of the one it is joined to. */
function shareUnits(found: Quantity[], tokens: readonly Token[]): Quantity[] {
  for (let i = found.length - 2; i >= 0; i--) {
    const [quantity, next] = [found[i], found[i + 1]];
    if (!quantity || !next || quantity.of !== 'count' || quantity.noun.length > 0 || next.start - quantity.end > 1)
      continue;
    const joint = tokens[quantity.end];
    if (next.start > quantity.end && !(joint && rangeWords.has(joint.folded))) continue;
    found[i] = {
      ...quantity,
      of: next.of,
      noun: next.noun,
      per: next.per,
      base: next.base,
      values: quantity.values.map((value) => value * next.base),
    };
  }
  return found;
}

/** "half a year", "three quarters of an hour", "ein Drittel", "la moitié". */
function shareAt(tokens: readonly Token[], i: number, language: Language): Quantity | null {
  let at = i;
  const count =
    tokens[at]?.kind === 'word' ? valueOfWord(tokens[at]?.folded ?? '', language) : (tokens[at]?.values[0] ?? null);
  const isCounted = count !== null && count <= 9 && count >= 1 && Number.isInteger(count);
  if (isCounted) at++;
  const word = tokens[at]?.folded ?? '';
  const part = halves[language].test(word)
    ? 1 / 2
    : quarters[language].test(word)
      ? 1 / 4
      : thirds[language].test(word)
        ? 1 / 3
        : 0;
  if (part === 0) return null;
  at++;
  let end = at;
  while (end - at < 3 && shareJoints.has(tokens[end]?.folded ?? '')) end++;
  const measure = measureOf(tokens[end]?.folded ?? '');
  const share = part * (isCounted ? count : 1);
  if (measure && measure.of !== 'percent') return quantity(measure, [share], i, end + 1);
  // "The latter half of the century" is no share.
  const isPlaced =
    /^(?:latter|better|other|first|second|third|fourth|last|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|letzte[nrs]?|premiere?|seconde?|troisieme|quatrieme|dernier|primera?|segunda?|tercera?|cuarta?|ultim[oa])$/.test(
      tokens[i - 1]?.folded ?? '',
    );
  if (isPlaced || (!isCounted && end === at) || isYear(tokens[end])) return null;
  return quantity({ of: 'percent', base: 1 }, [share * 100], i, at);
}

/** "1,500 euros", "€9.8m", "two and a half days", "zweieinhalb Tage", "dos días y medio", "60 places". */
function amountAt(tokens: readonly Token[], i: number, language: Language): Quantity | null {
  let at = i;
  const sign = tokens[at];
  const before = sign && sign.kind !== 'number' ? measureOf(sign.folded) : null;
  const isPriced = before !== null && currencies.has(before.of) && tokens[at + 1]?.kind === 'number';
  if (isPriced) at++;
  const number =
    tokens[at]?.kind === 'number' ? { values: tokens[at]?.values ?? [], end: at + 1 } : wordsAt(tokens, at, language);
  if (!number) return null;
  let { values } = number;
  // "812,653 thousand" in English is no 812.653 thousand.
  if (
    language === 'en' &&
    scaleAt(tokens, number.end, language, isPriced) &&
    /^\d+,\d{3}$/.test(tokens[at]?.text ?? '')
  )
    values = values.slice(0, 1);
  const isWord = tokens[at]?.kind !== 'number';
  at = number.end;
  if (/^(?:1\/2|½)$/.test(tokens[at]?.folded ?? '')) {
    values = values.map((value) => value + 0.5);
    at++;
  }
  for (let scale = scaleAt(tokens, at, language, isPriced); scale; scale = scaleAt(tokens, at, language, isPriced)) {
    const factor = scale.factor;
    values = values.map((value) => value * factor);
    at = scale.end;
  }
  const half = halfAt(tokens, at, language);
  if (half !== null) {
    values = values.map((value) => value + 0.5);
    at = half;
  }
  if (isPriced && before) return withPer(quantity(before, values, i, at), tokens);
  const found = unitAt(tokens, at);
  const isYearEnd = found?.measure.of === 'months' && number.end === at && isYear(tokens[at - 1]);
  if (found && !isYearEnd) {
    const behind = halfAt(tokens, found.end, language);
    if (behind !== null) values = values.map((value) => value + 0.5);
    return withPer(quantity(found.measure, values, i, behind ?? found.end), tokens);
  }
  // "One", "ein" and "un" are articles unless something is measured.
  if (isWord && values[0] === 1) return null;
  if (!isWord && number.end === at && isYear(tokens[at - 1]))
    return { ...quantity({ of: 'year', base: 1 }, values, i, at) };
  const noun = nounAt(tokens, at);
  return withPer({ ...quantity({ of: 'count', base: 1 }, values, i, at), noun: noun.words }, tokens, noun.end);
}

function quantity({ of, base }: Measure, values: readonly number[], start: number, end: number): Quantity {
  return { of, base, values: values.map((value) => value * base), noun: [], per: [], start, end };
}

/** A number in words, of several ("two hundred and five", "vingt et un", "treinta y uno"). */
function wordsAt(tokens: readonly Token[], i: number, language: Language): { values: number[]; end: number } | null {
  const words: string[] = [];
  let end = i;
  while (words.length < 8) {
    const word = tokens[end];
    if (word?.kind !== 'word') break;
    const isJoint = /^(?:and|et|y)$/.test(word.folded) && words.length > 0;
    const next = isJoint ? tokens[end + 1] : word;
    if (next?.kind !== 'word' || !isNumberWord(next.folded, language, words.length > 0)) break;
    // "six and nine" are two numbers; "twenty and one" or "hundred and five" one.
    if (words.length > 0 && !goesOn(words.at(-1) ?? '', next.folded, language)) break;
    if (isJoint) end++;
    words.push(next.folded);
    end++;
  }
  if (words.length === 0) return null;
  const value = words.length === 1 ? valueOfWord(words[0] ?? '', language) : sumOf(words, language);
  const alone = value ?? (words.length === 1 ? (scaleOfWord(words[0] ?? '', language) ?? null) : null);
  return alone === null ? null : { values: [alone], end };
}

function isNumberWord(word: string, language: Language, isNext: boolean): boolean {
  return (
    valueOfWord(word, language) !== null ||
    ((isNext || /^(?:hundert|tausend|cent|mille|cien|ciento|mil)$/.test(word)) &&
      isLongScale(word, language) &&
      word.length > 2)
  );
}

function goesOn(last: string, next: string, language: Language): boolean {
  const [one, other] = [valueOfWord(last, language), valueOfWord(next, language)];
  if (other === null || one === null) return true;
  return (one >= 20 && one % 10 === 0 && other < 20) || (one === 4 && other === 20) || (one >= 100 && other < 100);
}

function scaleAt(
  tokens: readonly Token[],
  i: number,
  language: Language,
  isPriced: boolean,
): { factor: number; end: number } | null {
  const token = tokens[i];
  // "$5.6B": the letter belongs to the number.
  const isLetter = token?.kind === 'code' && isPriced && token.glued && /^[bkm]$/.test(token.folded);
  if (token?.kind !== 'word' && !isLetter) return null;
  const factor = scaleOfWord(token.folded, language) ?? scaleOfWord(token.folded, 'en');
  // "9.8 m" is metres, unless money is spoken of; "5 cents" is money, "cinq cents" a number.
  const isMoney = isPriced || currencies.has(measureOf(tokens[i + 1]?.folded ?? '')?.of ?? '');
  if (factor === null || (/^[mb]$/.test(token.folded) && !isMoney) || /^cents?$/.test(token.folded)) return null;
  const end = tokens[i + 1]?.folded === '.' && /^(?:mio|mrd|tsd|mn|bn)$/.test(token.folded) ? i + 2 : i + 1;
  return { factor, end };
}

/** Behind "and a half", "und eine halbe", "et demi", "y medio". */
function halfAt(tokens: readonly Token[], i: number, language: Language): number | null {
  if (!/^(?:and|und|et|y)$/.test(tokens[i]?.folded ?? '')) return null;
  const at = /^(?:an?|ein|eine)$/.test(tokens[i + 1]?.folded ?? '') ? i + 2 : i + 1;
  return halves[language].test(tokens[at]?.folded ?? '') ? at + 1 : null;
}

/** "First", "2nd", "dritte", "première", "segunda"; a weekday; a fiscal year. */
function orderAt(tokens: readonly Token[], i: number, language: Language): Quantity | null {
  const token = tokens[i];
  if (!token || token.kind === 'sign' || token.kind === 'number') return null;
  const fiscal = /^fy? ?(\d\d|20\d\d)$/.exec(token.folded)?.[1];
  if (fiscal !== undefined)
    return quantity({ of: 'year', base: 1 }, [Number(fiscal.length === 2 ? `20${fiscal}` : fiscal)], i, i + 1);
  const weekday = weekdayOf(token.folded);
  if (weekday !== null) return quantity({ of: 'weekday', base: 1 }, [weekday], i, i + 1);
  const order = ordinalOfWord(token.folded, language);
  return order === null || perWords.has(tokens[i - 1]?.folded ?? '')
    ? null
    : quantity({ of: 'order', base: 1 }, [order], i, i + 1);
}
