import { isLongScale, ordinalOfWord, scaleOfWord, sumOf, valueOfWord } from '#server/lib/number-words.ts';
import { nounAt, perWords, unitAt, withPer } from './counted.ts';
import { clockAt, dateAt, isYear, monthAt, type Quantity, quantityOf } from './dates.ts';
import { isMark, shareUnits } from './joined-numbers.ts';
import type { Language } from './language.ts';
import { currencies, measureOf, monthOf, weekdayOf } from './measures.ts';
import { halves, shareAt } from './shares.ts';
import type { Token } from './tokens.ts';

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

/** "1,500 euros", "€9.8m", "two and a half days", "zweieinhalb Tage", "dos días y medio", "60 places". */
function amountAt(tokens: readonly Token[], i: number, language: Language): Quantity | null {
  let at = i;
  const sign = tokens[at];
  const before = sign && sign.kind !== 'number' ? measureOf(sign.folded) : null;
  const isPriced = before !== null && currencies.has(before.of) && tokens[at + 1]?.kind === 'number';
  if (isPriced) at++;
  const number =
    tokens[at]?.kind === 'number'
      ? { values: tokens[at]?.values ?? [], end: at + 1 }
      : (wordsAt(tokens, at, language) ?? oneAndAHalfAt(tokens, at, language));
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
  if (isPriced && before) return withPer(quantityOf(before, values, i, at), tokens);
  // "90" days: the mark that closes what is quoted parts a number from its unit.
  const isQuoted = isMark(tokens[i - 1]) && isMark(tokens[at]);
  const found = unitAt(tokens, isQuoted ? at + 1 : at);
  const isYearEnd = found?.measure.of === 'months' && number.end === at && isYear(tokens[at - 1]);
  if (found && !isYearEnd) {
    const behind = halfAt(tokens, found.end, language);
    if (behind !== null) values = values.map((value) => value + 0.5);
    return withPer(quantityOf(found.measure, values, i, behind ?? found.end), tokens);
  }
  // "One", "ein" and "un" are articles unless something is measured.
  if (isWord && values[0] === 1) return null;
  if (!isWord && number.end === at && isYear(tokens[at - 1]))
    return { ...quantityOf({ of: 'year', base: 1 }, values, i, at) };
  const noun = nounAt(tokens, at);
  return withPer({ ...quantityOf({ of: 'count', base: 1 }, values, i, at), noun: noun.words }, tokens, noun.end);
}

/** "A year and a half", where an article counts one. */
function oneAndAHalfAt(tokens: readonly Token[], i: number, language: Language) {
  const unit = /^(?:an?|eine?n?|une?)$/.test(tokens[i]?.folded ?? '') ? unitAt(tokens, i + 1) : null;
  return unit && halfAt(tokens, unit.end, language) !== null ? { values: [1], end: i + 1 } : null;
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

/** Of a number with a unit of its own, as "2700K", the letter is that unit. */
const thousands = /^K$/;

function scaleAt(
  tokens: readonly Token[],
  i: number,
  language: Language,
  isPriced: boolean,
): { factor: number; end: number } | null {
  const token = tokens[i];
  // "$5.6B", "630K": the letter belongs to the number.
  const isShort = /^\d{1,3}(?:[.,]\d)?$/.test(tokens[i - 1]?.text ?? '');
  const isLetter =
    token?.kind === 'code' &&
    token.glued &&
    (isPriced || isShort) &&
    (isPriced ? /^[bkm]$/i : thousands).test(token.text);
  if (token?.kind !== 'word' && !isLetter) return null;
  // "10k+"
  const word = token.folded.replace(/\++$/, '');
  const factor = scaleOfWord(word, language) ?? scaleOfWord(word, 'en');
  // "9.8 m" is metres, unless money is spoken of; "5 cents" is money, "cinq cents" a number.
  const isMoney = isPriced || currencies.has(measureOf(tokens[i + 1]?.folded ?? '')?.of ?? '');
  if (factor === null || (/^[mb]$/.test(word) && !isMoney) || /^cents?$/.test(word)) return null;
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
    return quantityOf({ of: 'year', base: 1 }, [Number(fiscal.length === 2 ? `20${fiscal}` : fiscal)], i, i + 1);
  const weekday = weekdayOf(token.folded);
  if (weekday !== null) return quantityOf({ of: 'weekday', base: 1 }, [weekday], i, i + 1);
  const order = ordinalOfWord(token.folded, language);
  return order === null || perWords.has(tokens[i - 1]?.folded ?? '')
    ? null
    : quantityOf({ of: 'order', base: 1 }, [order], i, i + 1);
}
