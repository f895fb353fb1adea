import { analyze } from '#server/lib/analyze.ts';

/** The languages of a company's documents, and whether they have a term. */
export interface Words {
  languages: Iterable<string>;
  has: (term: string) => boolean;
}

/** The words beside a word, by its term, of lists in which each line is one by itself. */
export function beside(listed: string): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const line of listed.split('\n')) {
    const words = line.trim().split(/\s+/).filter(Boolean);
    for (const word of words) {
      const [term] = analyze(word);
      if (term !== undefined) all.set(term, [...(all.get(term) ?? []), ...words]);
    }
  }
  return all;
}

/** @returns the terms that documents have for words listed beside those of a question, each with the question's own */
export function wordsFor(
  terms: readonly string[],
  { languages, has }: Words,
  words: ReadonlyMap<string, readonly string[]>,
): Map<string, string> {
  const others = new Map<string, string>();
  for (const term of terms) {
    for (const word of words.get(term) ?? []) {
      for (const language of [null, ...languages]) {
        const [other] = analyze(word, language);
        if (other !== undefined && other !== term && has(other) && !others.has(other)) others.set(other, term);
      }
    }
  }
  return others;
}
