import { analyze, hasUnspaced, type QuestionTerms } from '#server/lib/analyze.ts';

/** Of a question its terms, and its language. */
interface Asked {
  weights: ReadonlyMap<string, number>;
  language: QuestionTerms['language'];
}

const token = /[\p{L}\p{N}][\p{L}\p{N}\p{M}./_'’@&+#-]*/gu;
const withCapital = /^\p{Lu}|\p{Ll}\p{Lu}/u;
/** How no word begins a sentence but a name. */
const onlyNames = /^\p{Lu}{2}|\p{Ll}\p{Lu}|['’]s$/u;
/** Of more capitals than this share the case says nothing: a title, or a question in capitals. */
const maxCapitals = 0.6;

/**
 * The terms of a question that name one thing and no other: numbers, codes, and in languages that write only names so,
 * words with a capital. A passage without them speaks of something else, however much of the rest it has.
 */
export function namesIn(text: string, { weights, language }: Asked): Set<string> {
  const tokens = text.normalize('NFKC').match(token) ?? [];
  const caseTells = tellsByCase(tokens, language);
  const names = new Set<string>();
  for (const [i, each] of tokens.entries()) {
    if (!/\d/.test(each) && !(caseTells && i > 0 && /^\p{Lu}/u.test(each))) continue;
    // Without spaces a token is half a sentence: only its numbers and codes are names.
    const isWhole = !hasUnspaced(each);
    for (const term of analyze(each)) if (weights.has(term) && (isWhole || /\d/.test(term))) names.add(term);
  }
  return names;
}

/** Whether a capital says that a word is a name. */
function tellsByCase(words: readonly string[], language: Asked['language']): boolean {
  const capitals = words.filter((each) => /^\p{Lu}/u.test(each)).length;
  return language !== 'de' && capitals <= maxCapitals * words.length;
}

/** A word as it is written, with its terms. */
interface Name {
  text: string;
  terms: string[];
}

/**
 * The words of a question that are written as names are, each with its terms: of German, where all nouns are, none. The
 * first word is always written so, and counts where nothing but a name is written as it is: "BYD", "eBay", "Acme: fee".
 */
export function properNames(text: string, asked: Asked): Name[] {
  return capitalized(text, asked)
    .filter(({ isFirst, written, next }) => !isFirst || onlyNames.test(written) || next === ':')
    .map(({ written }) => ({ text: written, terms: termsOf(written, asked) }))
    .filter(({ terms }) => terms.length > 0);
}

/**
 * The words of a question that may be names, for all that its writing says: the first, and where it is all in small or
 * in capital letters each of them. None that is a number, and of German none.
 */
export function possibleNames(text: string, asked: Asked): (Name & { isFirst: boolean })[] {
  if (asked.language === 'de') return [];
  const tokens = text.normalize('NFKC').match(token) ?? [];
  const caseTells = tellsByCase(tokens, asked.language) && tokens.slice(1).some((written) => withCapital.test(written));
  return tokens
    .map((written, i) => ({ text: written, terms: termsOf(written, asked), isFirst: i === 0 }))
    .filter((word) => (word.isFirst || !caseTells) && word.terms.length > 0 && !/\d/.test(word.text));
}

interface Capitalized {
  written: string;
  isFirst: boolean;
  /** The character behind it; none at the end. */
  next: string;
}

/** What is written with a capital, and is no number; nothing where that says nothing. */
function capitalized(text: string, { language }: Asked): Capitalized[] {
  const whole = text.normalize('NFKC');
  const tokens = [...whole.matchAll(token)];
  if (
    !tellsByCase(
      tokens.map(([written]) => written),
      language,
    )
  )
    return [];
  return tokens
    .map(({ index, 0: written }, i) => ({ written, isFirst: i === 0, next: whole[index + written.length] ?? '' }))
    .filter(({ written }) => withCapital.test(written) && !/\d/.test(written));
}

function termsOf(written: string, { weights }: Asked): string[] {
  return analyze(written).filter((term) => weights.has(term));
}
