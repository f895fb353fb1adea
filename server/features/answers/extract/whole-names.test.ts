import { expect, test } from 'vitest';
import { weigh } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import fc from '#server/testing/fast-check.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import { createNamePlaces } from './whole-names.ts';

function has(question: string, name: string): boolean {
  return createNamePlaces(weigh(question, fewOfEach), question)(analyze(name)) !== null;
}

test.each([
  ['What is the income tax in 2019?', 'Income tax', true],
  ['What are the deferred income tax assets in 2019?', 'Income tax', false],
  ['What is the average income tax for 2018 and 2019?', 'Income tax', true],
  ['What is the income from operations?', 'Income from operations', true],
  ["What was Nordia's goodwill at the end of the year?", 'Goodwill', true],
  ['What are the prepaid expenses, deposits and rents?', 'Deposits', true],
  ['How much are salaries, general and administrative?', 'Salaries, general and administrative', true],
  ['What is the product percentage of revenue?', 'Revenue product', false],
  ['Wie hoch ist der Umsatz mit Dritten im Jahr 2019?', 'Umsatz mit Dritten', true],
  ['What is the income tax?', 'the', false],
])('%s has the name %s as a whole: %s', (question, name, isSo) => {
  expect(has(question, name)).toBe(isSo);
});

test('any text may be asked, and any be a name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string({ maxLength: 20 }), (question, name) => {
      expect(typeof has(question, name)).toBe('boolean');
    }),
  );
});
