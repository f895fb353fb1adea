import { expect, test } from 'vitest';
import { type TermStatistics, weigh } from '#server/features/retrieval/retrieval.ts';
import { checkClaim } from './support.ts';
import type { QuotableBlock } from './unit.ts';
import { unitsOf } from './units.ts';

const statistics: TermStatistics = { averageLength: 20, idf: () => 3, has: () => true, languages: [], like: () => [] };

function block(text: string, more: Partial<QuotableBlock> = {}): QuotableBlock {
  return { kind: 'paragraph', text, index: 0, start: 0, page: null, cells: null, header: false, ...more };
}

function quoteFor(claim: string, blocks: QuotableBlock[], above = '', named?: 'unnamed'): string | null {
  const verdict = checkClaim(claim, { above, units: unitsOf(blocks) }, (text) => weigh(text, statistics), named);
  return verdict.outcome === 'supported' ? verdict.unit.text : null;
}

const leave = [block('Dr. Okonkwo approves leave. Not only staff, but also trainees may take leave in March 2019.')];

test.each([
  ['Dr. Okonkwo approves leave', 'Dr. Okonkwo approves leave.'],
  ['Dr. Weber approves leave', null],
  // A slip in a name, an abbreviated year, and "not only", which denies nothing.
  ['Leave is approved by Dr. Okonkvo', 'Dr. Okonkwo approves leave.'],
  ['In FY19 trainees may take leave', 'Not only staff, but also trainees may take leave in March 2019.'],
  ['In FY18 trainees may take leave', null],
  ['Trainees may not take leave in March 2019', null],
])('"%s" is said by %j', (claim, quote) => {
  expect(quoteFor(claim, leave)).toBe(quote);
});

test('what is denied must be the same: one negation more turns the meaning', () => {
  const text = [block('The fee is not paid back when a journey is not cancelled in time.')];
  expect(quoteFor('The fee is not paid back when a journey is not cancelled in time', text)).not.toBeNull();
  expect(quoteFor('The fee is paid back when a journey is not cancelled in time', text)).toBeNull();
});

test('another sentence with nearly the same words may say it, where the nearest one denies it', () => {
  const text = [block('T-cells have no relation to iron. T-cells have a relation to zinc.')];
  expect(quoteFor('T-cells have a relation to a metal', text)).toBe('T-cells have a relation to zinc.');
});

test('a row is held by the numbers at the head of its table', () => {
  const row = (...cells: string[]) => block(cells.join(' | '), { kind: 'row', cells });
  const table = [
    { ...row('Energy', ''), header: true },
    row('Indicator', 'For the year ended 31 December'),
    row('Direct energy (MWh)', '19,144.17'),
    row('Diesel (MWh)', '41.33'),
  ];
  expect(quoteFor('Direct energy for the year ended 31 December was 19144.17 MWh', table)).toContain('19,144.17');
  expect(quoteFor('Direct energy for the year ended 30 December was 19144.17 MWh', table)).toBeNull();
});

test('a claim that names no source needs more of its words there', () => {
  const text = [block('Receipts are due within a month of the journey abroad.')];
  expect(quoteFor('Receipts go to the desk upstairs later', text)).not.toBeNull();
  expect(quoteFor('Receipts go to the desk upstairs later', text, '', 'unnamed')).toBeNull();
});
