import { analyze } from '#server/lib/analyze.ts';
import { valueOfWord, wordsFor } from '#server/lib/number-words.ts';

const languages = ['en', 'de', 'fr', 'es'] as const;
const token = /\p{L}+(?:-\p{L}+)*|(?<![\p{L}\p{N}.,])\d{1,3}(?![\p{L}\p{N}]|[.,]\d)/gu;
/** One and two are in every text, as words and as digits. */
const minNumber = 3;
/** Words of a question that are looked at. */
const maxTokens = 200;
/** A currency by its code and its names. */
const currencies = [
  'EUR euro euros',
  'USD dollar dollars',
  'GBP pounds sterling',
  'CHF francs Franken',
  'JPY yen',
  'INR rupees',
].map((names) => names.split(' '));

/**
 * How else the numbers and currencies of a question are written: `30` for thirty and the other way round, in English,
 * German, French and Spanish, `EUR` for euros.
 * @returns each as a term, with the question's own
 */
export function otherAmounts(text: string): Map<string, string> {
  const others = new Map<string, string>();
  const add = (word: string, own: string | undefined, language: string | null = null) => {
    const [term] = analyze(word, language);
    if (term !== undefined && own !== undefined && term !== own && !others.has(term)) others.set(term, own);
  };
  for (const written of text.match(token)?.slice(0, maxTokens) ?? []) {
    const [own] = analyze(written);
    if (/^\d/.test(written)) {
      if (Number(written) < minNumber) continue;
      for (const { word, language } of wordsFor(Number(written))) {
        add(word, own);
        add(word, own, language);
      }
      continue;
    }
    const folded = written.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
    const value = languages.map((language) => valueOfWord(folded, language)).find((each) => each !== null);
    if (value !== undefined && value !== null && value >= minNumber && Number.isInteger(value)) add(String(value), own);
    const currency = currencies.find((names) => names.some((name) => name.toLowerCase() === folded));
    for (const name of currency ?? []) add(name, own);
  }
  return others;
}
