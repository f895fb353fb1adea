import { expect, test } from 'vitest';
import { analyze } from '#server/lib/analyze.ts';
import { irregularForms } from './irregular-forms.ts';

const documents = (text: string, language: string) => {
  const terms = new Set(analyze(text, language));
  return { languages: [language], has: (term: string) => terms.has(term) };
};
const formsOf = (word: string, language: 'en' | 'de' | 'fr' | null, text: string) => [
  ...irregularForms(analyze(word), language, documents(text, language ?? 'en')).keys(),
];

test.each([
  ['leads', 'en', 'She has led the company since 2014.', 'led'],
  ['lose', 'en', 'Lost cards are blocked.', 'lost'],
  ['paid', null, 'We pay in March.', 'pay'],
  ['gilt', 'de', 'Sie galten bis Mai.', 'galten'],
] as const)('%s (%s): "%s" has it as %s', (word, language, text, other) => {
  expect(formsOf(word, language, text)).toEqual(analyze(other, language ?? 'en'));
});

test('no form is looked for that no document has, that the question says itself, or in another language', () => {
  expect(formsOf('leads', 'en', 'She leads the company.')).toEqual([]);
  expect(irregularForms(['lead', 'led'], 'en', documents('She led.', 'en')).size).toBe(0);
  expect(formsOf('pay', 'fr', 'They paid.')).toEqual([]);
});
