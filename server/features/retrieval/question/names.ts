import { analyze, hasUnspaced, type QuestionTerms } from '#server/lib/analyze.ts';

/** Of a question its terms, and its language. */
interface Asked {
  weights: ReadonlyMap<string, number>;
  language: QuestionTerms['language'];
}

const token = /[\p{L}\p{N}][\p{L}\p{N}\p{M}./_'’@&+#-]*/gu;
/** Of more capitals than this share the case says nothing: a title, or a question in capitals. */
const maxCapitals = 0.6;

/**
 * The terms of a question that name one thing and no other: numbers, codes, and in languages that write only names so,
 * words with a capital. A passage without them speaks of something else, however much of the rest it has.
 */
export function namesIn(text: string, { weights, language }: Asked): Set<string> {
  const tokens = text.normalize('NFKC').match(token) ?? [];
  const capitals = tokens.filter((each) => /^\p{Lu}/u.test(each)).length;
  const caseTells = language !== 'de' && capitals <= maxCapitals * tokens.length;
  const names = new Set<string>();
  for (const [i, each] of tokens.entries()) {
    if (!/\d/.test(each) && !(caseTells && i > 0 && /^\p{Lu}/u.test(each))) continue;
    // Without spaces a token is half a sentence: only its numbers and codes are names.
    const isWhole = !hasUnspaced(each);
    for (const term of analyze(each)) if (weights.has(term) && (isWhole || /\d/.test(term))) names.add(term);
  }
  return names;
}

interface Name {
  text: string;
  terms: string[];
}

/**
 * The words of a question that are written as names are, each with its terms: of German, where all nouns are, none. The
 * first word is always written so, and counts where nothing but a name is written as it is: "BYD", "eBay", "Acme: fee".
 */
export function properNames(text: string, asked: Asked): Name[] {
  return capitalized(text, asked).filter(({ isFirst, text: word, next }) => {
    if (!isFirst) return true;
    return /^(?:\p{Lu}{2,}|.*\p{Ll}\p{Lu})/u.test(word) || next === ':' || /['’]s$/u.test(word);
  });
}

/** The first word of a question where it may be a name or not: "Acme revenue", "Total revenue". */
export function firstWord(text: string, asked: Asked): Name | undefined {
  return capitalized(text, asked).find(({ isFirst }) => isFirst);
}

function capitalized(text: string, { weights, language }: Asked): (Name & { isFirst: boolean; next: string })[] {
  const whole = text.normalize('NFKC');
  const tokens = [...whole.matchAll(token)].map(({ index, 0: each }) => ({
    text: each,
    next: whole[index + each.length],
  }));
  const capitals = tokens.filter(({ text: each }) => /^\p{Lu}/u.test(each)).length;
  if (language === 'de' || capitals > maxCapitals * tokens.length) return [];
  return tokens
    .map(({ text: each, next = '' }, i) => ({
      text: each,
      next,
      isFirst: i === 0,
      terms: analyze(each).filter((term) => weights.has(term)),
    }))
    .filter(({ text: each, terms }) => /^\p{Lu}|\p{Ll}\p{Lu}/u.test(each) && !/\d/.test(each) && terms.length > 0);
}
