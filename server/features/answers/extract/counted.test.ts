import { expect, test } from 'vitest';
import { readAsked } from '#server/features/retrieval/question/asked.ts';
import { createCoverage } from '#server/features/retrieval/question/coverage.ts';
import { type RetrievedPassage, termsFor, weigh } from '#server/features/retrieval/retrieval.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import { countCheck, hasCount } from './counted.ts';
import type { Unit } from './unit.ts';

const question = readAsked('How many chairs were sold in 2021?');

function counts(text: string, row?: Unit['row']): boolean {
  const unit: Unit = { text, block: 0, start: 0, end: text.length, page: null, heading: '', ...(row && { row }) };
  return hasCount(unit, question, (piece) => /chairs?/i.test(piece));
}

test('a number close to what is counted is one of it', () => {
  expect(counts('The shop sold 340 chairs in that year.')).toBe(true);
  expect(counts('Chairs: 340')).toBe(true);
  expect(counts('We sold twelve oak chairs.')).toBe(true);
});

test('no number, one of something else, or the year of the question is none', () => {
  expect(counts('Chairs are sold by the shop in town.')).toBe(false);
  expect(counts('Chairs were repainted by the staff of the old workshop, which has 12 windows.')).toBe(false);
  expect(counts('In 2021 chairs were sold.')).toBe(false);
});

test('a row has the number that its label or its column names', () => {
  const header = ['Article', 'Sold'];
  expect(counts('Chairs | 340', { cells: ['Chairs', '340'], header })).toBe(true);
  expect(counts('Tables | 340', { cells: ['Tables', '340'], header })).toBe(false);
  expect(counts('2021 | 340', { cells: ['2021', '340'], header: ['Year', 'Chairs'] })).toBe(true);
  expect(counts('Chairs | none', { cells: ['Chairs', 'none'], header })).toBe(false);
});

test('what is counted is a word or two behind "how many"', () => {
  const check = (text: string) => {
    const asked = weigh(text, fewOfEach);
    const measures = createCoverage(asked);
    const counts = countCheck(asked, text, measures);
    return counts && ((quote: string) => counts(unit(quote), passage, measures.of(termsFor(asked, quote, 'en'))));
  };
  const unit = (text: string): Unit => ({ text, block: 0, start: 0, end: text.length, page: null, heading: '' });
  const passage = { language: 'en' } as RetrievedPassage;
  const ofAwards = check('How many early awards does the office expect to make?');
  expect(ofAwards?.('The office may make up to 94 awards.')).toBe(true);
  expect(ofAwards?.('The office expects awards to be given in towns of 12 metres and more.')).toBe(false);
  expect(check('What does the office expect?')).toBeNull();
});
