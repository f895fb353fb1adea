import { languages } from '../letters.ts';

/** Words that are common in a language that is known. */
const common = new Set(languages.flatMap(({ words }) => words.split(' ')));
/** Fewer words prove nothing. */
const minWords = 20;
/** Of all words: in prose of a language more are common, and in print hardly one is strange. */
const [maxCommon, minStrange] = [0.07, 0.15];

/**
 * Whether words in Latin letters are none: what a scanner's own recognition makes of a page that it read upside down.
 * Of texts in other letters it is never said.
 */
export function isGibberish(text: string): boolean {
  const found = text
    .split(/\s+/)
    .map((word) => word.replace(/^[("'“‘„«[]+|[)"'”’»\],.;:!?]+$/g, ''))
    .filter((word) => word.length > 1 && /\p{Script=Latin}/u.test(word));
  const share = (is: (word: string) => boolean) => found.filter(is).length / found.length;
  return (
    found.length >= minWords &&
    share(isStrange) >= minStrange &&
    share((word) => common.has(word.toLowerCase())) <= maxCommon
  );
}

/** A sign or a digit between letters, a capital inside, four letters without a vowel. */
function isStrange(word: string): boolean {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '');
  return (
    /\p{L}[^\p{L}'’.\-/&@]+\p{L}/u.test(plain) ||
    /\p{Ll}\p{Lu}/u.test(plain) ||
    /^[^aeiouyæœøåı\P{L}]{4,}$/iu.test(plain) ||
    /[^\p{L}\p{N}'’.\-/&@%€$£:_+#()]/u.test(plain)
  );
}
