import { expect, test } from 'vitest';
import { analyze } from '#server/lib/analyze.ts';
import { otherWords, similarWords } from './other-words.ts';

const documents = (text: string, language: string) => {
  const terms = new Set(analyze(text, language));
  return { languages: [language], has: (term: string) => terms.has(term) };
};
const [lawyer = '', debtor = '', anwalt = ''] = ['lawyers', 'debtors', 'Anwälte'].map((word) => analyze(word)[0]);

test('a word that no document has is looked for by those that offices use for the same', () => {
  const own = documents('Legal fees and accounts receivable', 'en');
  expect(otherWords([lawyer, debtor], own)).toEqual(
    new Map([
      ['legal', lawyer],
      [analyze('receivable', 'en')[0], debtor],
    ]),
  );
});

test('only where documents have one of them, and for no word that is not listed', () => {
  expect(otherWords([lawyer, 'moon'], documents('Travel of the board', 'en')).size).toBe(0);
  expect(otherWords([anwalt], documents('Kosten der Juristen', 'de'))).toEqual(
    new Map([[analyze('Juristen', 'de')[0], anwalt]]),
  );
});

test('beside a word that documents have, they may say another for the same, but none that a statement means apart', () => {
  const fleet = documents('Cars and vehicles, revenue and income', 'en');
  const [car = '', revenue = ''] = ['car', 'revenue'].map((word) => analyze(word)[0]);
  expect(similarWords([car, revenue], fleet)).toEqual(new Map([[analyze('vehicle', 'en')[0], car]]));
});
