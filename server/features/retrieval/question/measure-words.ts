import { analyze } from '#server/lib/analyze.ts';

/** Characters of a question that are looked at. */
const maxLooked = 1000;
const measures = {
  en: 'high low big large small old heavy light tall wide narrow deep thick fast quick quickly slow soon often frequently regularly early late expensive costly cheap strong warm hot cold loud close near recent recently long short far',
  de: 'hoch niedrig groß klein alt schwer breit tief dick schnell bald oft häufig früh spät teuer stark warm heiß kalt laut nah lang lange kurz weit',
};
const oneOf = (words: string) => `(?:${words.replaceAll(' ', '|')})`;
/** What goes on from such a word in English: "how late payments are treated" asks for no measure. */
const goesOn = `(?=\\W*$| (?:not )?${oneOf('is are was were be am must may might can could shall should do does did will would has have had a an the my our your his her its their this that in per ahead after before from until')}(?!\\p{L}))`;
const patterns = [`how (${oneOf(measures.en)})${goesOn}`, `wie (${oneOf(measures.de)})(?!\\p{L})`].map(
  (pattern) => new RegExp(`(?<!\\p{L})${pattern}`, 'giu'),
);

/**
 * The terms of words that only say which measure is asked for: who asks how high a fee is, is told that it is 20 euros,
 * and nobody calls it high. None that the question says once more in another place.
 */
export function measureWords(question: string): ReadonlySet<string> {
  const text = question.slice(0, maxLooked);
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, word = '']) => word));
  if (found.length === 0) return new Set();
  const rest = new Set(analyze(patterns.reduce((left, pattern) => left.replace(pattern, ' '), text)));
  return new Set(found.flatMap((word) => analyze(word)).filter((term) => !rest.has(term)));
}
