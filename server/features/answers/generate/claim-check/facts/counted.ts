import type { Quantity } from './dates.ts';
import { isFunctionWord } from './language.ts';
import { currencies, type Measure, measureOf, prefixedMeasureOf } from './measures.ts';
import { type Token, wordSet } from './tokens.ts';

/** Before a time these name one, and the number counts something else: "37 teachers last year". */
const ofAnotherTime =
  /^(?:last|next|past|previous|letzte\w*|vergangene\w*|vorige\w*|nachste\w*|derniere?s?|prochaine?s?|passee?s?|ultim\w*|pasad\w*|proxim\w*)$/;

/** Words between a number and its unit: "five working days", "de", "und einhalb". */
const between = wordSet(
  'of de der des full whole working business calendar consecutive further additional more total square volle ganze weitere volles aufeinanderfolgende ouvrables ouvres',
);
export const perWords = wordSet('per each every je pro par por al / cada chaque');
const strongPer = wordSet('per je pro par por');
/** These are "per" before a time alone: "a night", "el mes". */
const articles = wordSet('a an la le el die den');
const perMeasures = new Set(['time', 'months', 'night', 'length', 'mass']);
const adverb = /(?:ly|lich|aire|ien|iel|uel|uels|ual|ales|mente|ario|aria|annual|hebdomadaire)$/;

/** The unit behind a number, with what may stand between them. */
export function unitAt(tokens: readonly Token[], i: number): { measure: Measure; end: number } | null {
  let at = i;
  const [first, second] = [tokens[at]?.folded ?? '', tokens[at + 1]?.folded ?? ''];
  if (/^(?:per|pour|por)$/.test(first) && /^(?:cent|ciento)$/.test(second))
    return { measure: { of: 'percent', base: 1 }, end: at + 2 };
  if (/^percent(?:age)?$/.test(first) && second.startsWith('point'))
    return { measure: { of: 'points', base: 1 }, end: at + 2 };
  // "2A" and "2 A", but no heading that goes on: "Step 2 A new start".
  const isAmpere = tokens[at]?.text === 'A' && tokens[at - 1]?.kind === 'number';
  if (
    isAmpere &&
    (tokens[at]?.glued || tokens[at + 1]?.kind !== 'word' || isFunctionWord(tokens[at + 1]?.folded ?? ''))
  )
    return { measure: { of: 'current', base: 1 }, end: at + 1 };
  if (first === '°' && /^[cf]$/.test(second))
    return { measure: measureOf(`°${second}`) ?? { of: 'degree', base: 1 }, end: at + 2 };
  while (at - i < 2 && between.has(tokens[at]?.folded ?? '')) at++;
  // "drei eigene freie Tage"
  for (let skipped = 1; skipped <= 2 && at === i && !isUnit(tokens[at]); skipped++) {
    const words = tokens.slice(i, i + skipped);
    if (
      words.every(
        (word) =>
          word.kind === 'word' &&
          word.folded.length > 3 &&
          !isFunctionWord(word.folded) &&
          !measureOf(word.folded) &&
          !ofAnotherTime.test(word.folded),
      ) &&
      isLongUnit(tokens[i + skipped])
    )
      at = i + skipped;
  }
  const measure =
    prefixedMeasureOf(tokens[at]?.text ?? '') ?? measureOf(tokens[at]?.folded ?? '') ?? compoundOf(tokens[at]);
  // "2019 $53,330"
  if (measure && currencies.has(measure.of) && tokens[at + 1]?.kind === 'number') return null;
  if (!measure || adverb.test(tokens[at]?.folded ?? '')) return null;
  if (measure.of === 'degree' && /^(?:celsius|fahrenheit)$/.test(tokens[at + 1]?.folded ?? ''))
    return { measure: measureOf(tokens[at + 1]?.folded ?? '') ?? measure, end: at + 2 };
  return { measure, end: at + 1 };
}

function isUnit(token: Token | undefined): boolean {
  return token !== undefined && (measureOf(token.folded) !== null || compoundOf(token) !== null);
}

function isLongUnit(token: Token | undefined): boolean {
  const measure = token?.kind === 'word' && token.folded.length >= 3 ? measureOf(token.folded) : null;
  return measure !== null && !adverb.test(token?.folded ?? '') && (measure.of === 'time' || measure.of === 'months');
}

/** "Urlaubstage" are days, "Überstunden" hours. */
function compoundOf(token: Token | undefined): Measure | null {
  const unit = /^\p{L}{3,}?(tagen?|stunden?|wochen?|monaten?|jahren?|minuten|euro|franken|prozent)$/u.exec(
    token?.folded ?? '',
  )?.[1];
  return unit !== undefined && /^\p{Lu}/u.test(token?.text ?? '') ? measureOf(unit) : null;
}

/** What is counted: up to two words behind the number. */
export function nounAt(tokens: readonly Token[], i: number): { words: string[]; end: number } {
  const words: string[] = [];
  let end = i;
  while (words.length < 2) {
    const token = tokens[end];
    if (
      token?.kind !== 'word' ||
      isFunctionWord(token.folded) ||
      perWords.has(token.folded) ||
      (adverb.test(token.folded) && measureOf(token.folded))
    )
      break;
    words.push(token.folded);
    end++;
  }
  return { words, end };
}

/** What it is for: "per pallet and week", "a night", "/km", "monthly". */
export function withPer(quantity: Quantity, tokens: readonly Token[], from = quantity.end): Quantity {
  const per: string[] = [];
  let at = from;
  // "1.80 euros more per hour"
  while (
    at - from < 2 &&
    tokens[at]?.kind === 'word' &&
    strongPer.has(tokens[at + 1]?.folded ?? '') &&
    !strongPer.has(tokens[at]?.folded ?? '')
  )
    at++;
  for (let tries = 0; tries < 2; tries++) {
    const word = tokens[at];
    if (!word) break;
    const own = measureOf(word.folded);
    if (own && adverb.test(word.folded)) {
      per.push(nameOf(own));
      at++;
      continue;
    }
    const isJoint = per.length > 0 && /^(?:and|und|et|y)$/.test(word.folded);
    const isArticle = articles.has(word.folded);
    if (!isJoint && !isArticle && !perWords.has(word.folded)) break;
    const next = tokens[at + 1];
    const measure = next ? measureOf(next.folded) : null;
    if (next?.kind !== 'word' || (isArticle && !(measure && perMeasures.has(measure.of)))) break;
    const isOther = measure !== null && /^[a-z]$/.test(next.folded) && word.folded !== '/';
    // "Reported within two hours by letter" counts no letters.
    const isFar = at > from && per.length === 0 && measure === null;
    if (isOther || isFar) break;
    per.push(measure ? nameOf(measure) : next.folded);
    at += 2;
  }
  return per.length === 0 ? quantity : { ...quantity, per, end: Math.max(quantity.end, at) };
}

function nameOf({ of, base }: Measure): string {
  return `${of} ${base}`;
}
