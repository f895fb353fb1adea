import { analyze } from '#server/lib/analyze.ts';

/** Characters of a question that are looked at. */
const maxLooked = 1000;
const measures = {
  en: 'high low big large small old new heavy light tall wide narrow deep thick fast quick quickly slow soon often frequently regularly early late expensive costly cheap strong warm hot cold loud close near recent recently long short far',
  de: 'hoch niedrig groß klein alt schwer breit tief dick schnell bald oft häufig früh spät teuer stark warm heiß kalt laut nah lang lange kurz weit',
};
const asks = [
  ['how', measures.en],
  ['wie', measures.de],
] as const;
const patterns = asks.map(
  ([how, words]) => new RegExp(`(?<!\\p{L})${how} (${words.replaceAll(' ', '|')})(?!\\p{L})`, 'giu'),
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
