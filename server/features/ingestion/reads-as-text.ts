import iconv from 'iconv-lite';
import { commonCharacters, type Language, languages } from './letters.ts';

/** Natural logarithms of how likely a character is, of its bytes beyond ASCII. */
const odds = {
  /** Of an encoding of DOS, and of those of Macs of the East. */
  rareEncoding: -1.5,
  /** Of a text in another script than Latin, once: one letter of it alone is no text. */
  otherScript: -3,
  /** A letter of the same script that the language does not use. */
  foreign: -7,
  /** A letter of another script. */
  strange: -10,
  /** A quotation mark, a dash, a sign. */
  sign: -4.5,
  rareSign: -8,
  /** What no text has: control characters, private ones. */
  never: -14,
};
/** What a word of the language counts, and what an impossible neighbour takes away. */
const wordBonus = 1.2;
const misfit = -5;

const usualSigns = new Set('„“”‚‘’–—…«»•·€£§°©®™\u00a0ªº½²³×¿¡、。「」，；：（）％！？・ー');
const rare = /^(cp(?!850|866)|mac(?!roman))/;
const letter = /\p{L}/u;
const latin = /\p{Script=Latin}/u;

const models = languages.map((language) => ({
  ...language,
  likely: likelihoods(language),
  known: wordsOf(language),
  isLatin: /\p{Script=Latin}|[’]/u.test(language.letters),
}));

/** Of letters by their order: each is a constant factor less frequent than the one before it. */
function likelihoods({ letters }: Language): Map<string, number> {
  const each = [...new Set(letters)];
  const scale = Math.max(1.5, each.length / 3.6);
  return new Map(each.map((one, rank) => [one, -rank / scale - Math.log(scale)]));
}

function wordsOf({ words }: Language): Set<string> {
  return new Set(words.split(' ').filter(Boolean));
}

const frequent = Object.fromEntries(
  Object.entries(commonCharacters).map(([name, all]) => [
    name,
    new Map([...new Set(all)].map((one, rank) => [one, rank])),
  ]),
);
const wide: [encoding: string, characters: keyof typeof commonCharacters][] = [
  ['shift_jis', 'japanese'],
  ['euc-jp', 'japanese'],
  ['gb18030', 'simplified'],
  ['big5', 'traditional'],
  ['gb18030', 'traditional'],
  ['euc-kr', 'korean'],
];
const words = new Intl.Segmenter('zh', { granularity: 'word' });

export interface EncodingScore {
  encoding: string;
  /** Natural logarithm of how likely these bytes are, if it is this encoding: only to be compared. */
  score: number;
}

/** A text as an encoding gives it, with what is the same for every language. */
interface Decoded {
  text: string;
  /** How often each character beyond ASCII stands in it. */
  counts: Map<string, number>;
  words: string[];
  /** What stands where no language has it. */
  misfits: number;
}

/**
 * How well bytes read as text in each encoding of which a language is known, the best first. Each language has its own
 * share of letters and words, so that a few dozen bytes are enough. Takes some milliseconds for a thousand bytes.
 */
export function encodingScores(bytes: Uint8Array): EncodingScore[] {
  const decoded = new Map<string, Decoded>();
  const read = (encoding: string) => {
    const known = decoded.get(encoding) ?? decode(bytes, encoding);
    decoded.set(encoding, known);
    return known;
  };
  const found: EncodingScore[] = [];
  for (const model of models)
    for (const encoding of model.encodings)
      found.push({ encoding, score: ofLetters(read(encoding), model) + (rare.test(encoding) ? odds.rareEncoding : 0) });
  for (const [encoding, characters] of wide) found.push({ encoding, score: ofCharacters(read(encoding), characters) });
  return found.sort((a, b) => b.score - a.score);
}

function decode(bytes: Uint8Array, encoding: string): Decoded {
  const text = iconv.decode(bytes, encoding).normalize('NFC');
  const counts = new Map<string, number>();
  for (const one of text) if (one > '\x7f') counts.set(one, (counts.get(one) ?? 0) + 1);
  const found = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  // A capital after a small letter, letters of two scripts beside each other, a sign between two letters.
  let misfits = text.match(/\p{Ll}(?=[^\0-\x7f])\p{Lu}/gu)?.length ?? 0;
  misfits +=
    text.match(/\p{Script=Latin}(?=[\p{L}--\p{Script=Latin}])|[\p{L}--\p{Script=Latin}](?=\p{Script=Latin})/gv)
      ?.length ?? 0;
  misfits += text.match(/(?<=\p{L})([^\p{L}\p{M}\p{N}\p{P}\s\0-\x7f]|[„“”‚‘»«¿¡§·‹›–…])(?=\p{L})/gu)?.length ?? 0;
  for (const [alone] of text.matchAll(/(?<![\p{L}\p{M}])\p{L}(?![\p{L}\p{M}])/gu)) misfits += isNoWord(alone) ? 1 : 0;
  return { text, counts, words: found, misfits };
}

/** A letter that stands for itself is mostly a sign of another encoding: the euro, the copyright. */
function isNoWord(alone: string): boolean {
  return alone > '\x7f' && latin.test(alone) && !'àáâåæéèêíîóôöøúý'.includes(alone);
}

function ofLetters(
  { counts, words: found, misfits }: Decoded,
  { likely, known, isLatin }: (typeof models)[number],
): number {
  let score = misfits * misfit + (isLatin ? 0 : odds.otherScript);
  for (const [one, count] of counts)
    score += count * (likely.get(one.toLowerCase()) ?? likely.get(one) ?? strangeness(one, isLatin));
  for (const word of found) if (known.has(word)) score += wordBonus;
  return score;
}

function strangeness(one: string, isLatin: boolean): number {
  if (/[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(one)) return odds.never;
  if (letter.test(one)) return latin.test(one) === isLatin ? odds.foreign : odds.strange;
  return usualSigns.has(one) ? odds.sign : odds.rareSign;
}

/** Of scripts with thousands of characters, most of which hardly ever occur; where words are known, they count. */
function ofCharacters({ text, counts }: Decoded, characters: keyof typeof commonCharacters): number {
  const ranks = frequent[characters];
  let score = 0;
  for (const [one, count] of counts) score += count * characterOdds(one, ranks?.get(one), characters);
  if (score < counts.size * odds.strange) return score;
  score +=
    (text.match(/[a-z](?=[\p{L}--\p{Script=Latin}])|[\p{L}--\p{Script=Latin}](?=[a-z])/giv)?.length ?? 0) *
    (misfit / 2);
  if (characters === 'korean') return score;
  for (const { segment, isWordLike } of words.segment(text))
    if (isWordLike && segment.length > 1 && /^\p{Script=Han}+$/u.test(segment)) score += segment.length * 1.5;
  return score;
}

function characterOdds(one: string, rank: number | undefined, characters: keyof typeof commonCharacters): number {
  if (rank !== undefined) return rank < 100 ? -5.2 : -6.8;
  if (/[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(one)) return 2 * odds.never;
  if (usualSigns.has(one)) return -4;
  if (/[\uff61-\uff9f]/u.test(one)) return odds.foreign;
  if (/\p{Script=Hiragana}/u.test(one)) return characters === 'japanese' ? -4.4 : -14;
  if (/\p{Script=Katakana}/u.test(one)) return characters === 'japanese' ? -5.5 : -14;
  if (/\p{Script=Hangul}/u.test(one)) return characters === 'korean' ? -8.5 : -16;
  if (/\p{Script=Han}/u.test(one)) return characters === 'korean' ? -12 : -9.5;
  return letter.test(one) ? -16 : -11;
}
