import { expect, test } from 'vitest';
import { toTermLines } from '#server/lib/term-lines.ts';
import { readTermLines } from './candidate-terms.ts';
import { Lexicon } from './lexicon.ts';
import { weigh, weighQuestion } from './question.ts';
import type { TermStatistics } from './statistics.ts';

const statistics: TermStatistics = {
  languages: [],
  idf: (term) => term.length,
  averageLength: 10,
  abbreviations: [],
  has: () => true,
  like: () => [],
};
const lexiconOf = (question: string) => new Lexicon(weigh(question, statistics), statistics);

test('the terms of a question come first, and each term keeps its number, however many there are', () => {
  const lexicon = lexiconOf('notice period');
  expect(lexicon.size).toBe(2);
  const words = Array.from({ length: 40_000 }, (_, i) => `w${i.toString(36)}`);
  const first = readTermLines(`\nperiod\n\nnotic\n${words.join(' ')}`, lexicon);
  expect(first.terms.slice(0, 2)).toEqual([1, 0]);
  expect(new Set(first.terms).size).toBe(2 + words.length);
  expect(lexicon.size).toBe(2 + words.length);
  const again = readTermLines(`#3\nnotic\n\n\n${words.toReversed().join(' ')}`, lexicon);
  expect(again.terms).toEqual([0, ...first.terms.slice(2).reverse()]);
  expect(lexicon.size).toBe(2 + words.length);
  expect(lexicon.idf(first.terms[2] ?? 0)).toBe('w0'.length);
});

test('two terms with the same hash have numbers of their own', () => {
  const lexicon = lexiconOf('Atlas');
  expect(readTermLines('\nw9pf8\n\nwarj6\nw9pf8 warj6', lexicon).terms).toEqual([1, 2, 1, 2]);
});

test('what was written as lines is read as lines, rows with their first cell', () => {
  const body = 'Room | Seats\nAtlas | 12 seats\nThe key is at the desk. Ask there.';
  const { title, heading, terms } = toTermLines({
    title: 'Rooms (draft).pdf',
    about: 'Rooms of 2024',
    heading: 'House › Berlin',
    body,
    page: 12,
  });
  expect([title, heading]).toEqual(['room\tdraft room of 2024', 'hous berlin']);
  const lexicon = lexiconOf('Atlas');
  const read = readTermLines(terms, lexicon);
  expect(read.page).toBe('#12');
  const lengths = [read.title, read.about, read.heading, ...read.lines].map(({ start, end, label }) => [
    end - start,
    label,
  ]);
  expect(lengths).toEqual([
    [2, 1],
    [3, 0],
    [2, 0],
    [2, 1],
    [3, 1],
    [6, 0],
    [2, 0],
  ]);
  expect(read.terms[read.lines[1]?.start ?? 0]).toBe(0);
});

test('text without title, headings or words is read as such', () => {
  const { terms } = toTermLines({ title: '', about: '', heading: '', body: '…' });
  expect(readTermLines(terms, lexiconOf('Atlas'))).toMatchObject({ terms: [], lines: [] });
  expect(readTermLines('', lexiconOf('Atlas'))).toMatchObject({ terms: [], lines: [] });
});

test('it knows forms of the question and terms with digits', () => {
  const lexicon = lexiconOf('finanzieren 2024');
  const { terms } = readTermLines('\nfinanzierung\n2025\nkantine', lexicon);
  const [form = 0, year = 0, other = 0] = terms;
  expect([form, year, other].map((term) => lexicon.formsOf(term))).toEqual([[0], [], []]);
  expect([form, year, other].map((term) => lexicon.hasDigit(term))).toEqual([false, true, false]);
});

test('a term that stands in for a misspelt one counts as that one', () => {
  const misspelling = { ...statistics, has: (term: string) => term !== 'kantien', like: () => ['kantin'] };
  const lexicon = new Lexicon(weigh('Kantien', misspelling), misspelling);
  const { terms } = readTermLines('\nkantin\nkamin', lexicon);
  expect(terms.map((term) => lexicon.formsOf(term))).toEqual([[0], []]);
});

test('a word that offices use for the same is a form of the one that is asked for', () => {
  const lexicon = new Lexicon(weighQuestion('car park', statistics), statistics);
  const [vehicle = -1, truck = -1] = readTermLines('\n\n\n\nvehicl truck', lexicon).terms;
  expect(lexicon.formsOf(vehicle)).toEqual([0]);
  expect(lexicon.formsOf(truck)).toEqual([]);
});
