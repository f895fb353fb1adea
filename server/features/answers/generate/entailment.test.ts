import { expect, test } from 'vitest';
import { weigh } from '#server/features/retrieval/retrieval.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import type { QuotableBlock } from '../extract/unit.ts';
import { unitsOf } from '../extract/units.ts';
import { abbreviationsIn } from './claim-check/abbreviations.ts';
import { shareAbbreviations } from './claim-check/passage.ts';
import { checkClaim } from './entailment.ts';

function block(text: string, more: Partial<QuotableBlock> = {}): QuotableBlock {
  return { kind: 'paragraph', text, index: 0, start: 0, page: null, cells: null, header: false, ...more };
}

function quoteFor(claim: string, blocks: QuotableBlock[], above = '', named?: 'unnamed'): string | null {
  const verdict = checkClaim(claim, { above, units: unitsOf(blocks) }, (text) => weigh(text, fewOfEach), named);
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

const table = [
  {
    ...block('City | Limit per night | During fairs', {
      kind: 'row',
      cells: ['City', 'Limit per night', 'During fairs'],
    }),
    header: true,
  },
  block('Basel | 190 francs | 260 francs', { kind: 'row', cells: ['Basel', '190 francs', '260 francs'] }),
  block('Bern | 180 francs | 180 francs', { kind: 'row', cells: ['Bern', '180 francs', '180 francs'] }),
];
const rules = [
  block('The shift leader approves journeys up to 1,500 euros, the management those above it.'),
  block('Offer A costs 2.3 million euros and is delivered in 11 months; offer B costs 1.8 million euros.'),
  block('The probation period is six months in Hamburg and three months in Basel, from 1 July 2026.'),
  block('Rinse with water for at least 15 minutes. The desk opens at 9:00 on Mondays. It weighs 318 g.'),
];

test.each([
  ['The limit per night in Basel is CHF 190.', 'supported'],
  ['The limit per night in Basel is 260 francs, during fairs 190.', 'swapped'],
  ['In Bern the limit per night is 190 francs.', 'another row'],
  ['In Basel the limit per night is 190 euros.', 'another unit'],
])('a cell is held with its row and column: "%s" is %s', (claim, expected) => {
  expect(quoteFor(claim, table) !== null).toBe(expected === 'supported');
});

test.each([
  ['Journeys up to €1.5k are approved by the shift leader.', true],
  ['Journeys of at least 1,500 euros are approved by the shift leader.', false],
  ['Offer B costs 1,800,000 euros.', true],
  ['Offer A costs 1.8 million euros.', false],
  ['Offer B costs 1.8 billion euros.', false],
  ['The probation period is half a year in Hamburg, from 2026-07-01.', true],
  ['The probation period is three months in Hamburg and six months in Basel.', false],
  ['The probation period is six weeks in Hamburg.', false],
  ['Rinse with water for at least a quarter of an hour.', true],
  ['Rinse with water for at most 15 minutes.', false],
  ['On Mondays the desk opens at 9 a.m.', true],
  ['On Fridays the desk opens at 9:00.', false],
  ['It weighs 0.318 kg.', true],
])('the same in another form is held, something else in its place is not: "%s" %s', (claim, isHeld) => {
  expect(quoteFor(claim, rules) !== null).toBe(isHeld);
});

test.each([
  ['de', 'Die Probezeit beträgt in Hamburg sechs Monate und in Basel drei Monate.', 'supported'],
  ['de', 'Angebot B kostet 1,9 Millionen Euro.', 'not-checked'],
  ['fr', 'Il faut rincer à l’eau pendant un quart d’heure au moins.', 'not-checked'],
])('a claim in %s beside English text, by its numbers and names alone: "%s" is %s', (_, claim, outcome) => {
  const text = `${rules.map((each) => each.text).join(' ')} The rules of the company are kept by the management for all of its staff.`;
  const passage = { above: '', units: unitsOf([block(text)]) };
  expect(checkClaim(claim, passage, (each) => weigh(each, fewOfEach)).outcome).toBe(outcome);
});

const report = [
  block('Income from leases was 299 million euros in 2019 compared to 148 million euros in 2018.'),
  block('There were 268 and 108 open orders at the end of 2019 and 2018, respectively.'),
  block('Store it between 5 and 30 °C; at 40 °C it melts. The price was raised from 340 to 420 euros.'),
  block('The shift leader approves journeys. The management approves purchases. A T-cell finds a virus.'),
];

test.each([
  ['In 2018 the income from leases was 148 million euros.', true],
  ['In 2018 the income from leases was 299 million euros.', false],
  ['At the end of 2018 there were 108 open orders.', true],
  ['At the end of 2018 there were 268 open orders.', false],
  ['Store it between 5 and 30 °C.', true],
  ['Store it between 5 and 40 °C.', false],
  ['The price was raised from 420 to 340 euros.', false],
  ['The management approves journeys.', false],
  ['The shift leader approves journeys at the desk.', false],
  ['A T cell finds a virus.', true],
  ['How many open orders were there at the end of 2019: 268', true],
  ['How many open orders were there at the end of 2019: 108', false],
  ['What does a virus get found by: a T-cell', true],
])('each figure is of its own date, each word of its own sentence: "%s" %s', (claim, isHeld) => {
  expect(quoteFor(claim, report) !== null).toBe(isHeld);
});

const row = (...cells: string[]) => block(cells.join(' | '), { kind: 'row', cells });
const sheet = [
  { ...row('Item', 'As reported', 'Without leases'), header: true },
  row('Assets:', '', ''),
  row('Inventory (1,2)', '22.6', '22.1'),
  row('Liabilities:', '', ''),
  row('Inventory', '4.8', '4.4'),
];

test.each([
  ['The assets for inventory as reported are 22.6', true],
  ['The liabilities for inventory as reported are 22.6', false],
  ['The assets for inventory without leases are 22.1', true],
])('a row is held with the label above it, and denies what its own column does: "%s" %s', (claim, isHeld) => {
  expect(quoteFor(claim, sheet) !== null).toBe(isHeld);
});

test.each([
  'Earnings before interest (EBIT) are shown below. In 2024 earnings before interest rose by 5 percent.',
  'EBIT (earnings before interest) is shown below. In 2024 earnings before interest rose by 5 percent.',
  'Earnings before interest (“EBIT”) are shown below. In 2024 EBIT rose by 5 percent.',
])('an abbreviation that the document explains stands for its words: %s', (text) => {
  const last = text.slice(text.indexOf('In 2024'));
  for (const claim of ['EBIT rose by 5 percent in 2024.', 'Earnings before interest rose by 5 percent in 2024.'])
    expect(quoteFor(claim, [block(text)])).toBe(last);
  expect(quoteFor('EBITDA rose by 5 percent in 2024.', [block(text)])).toBeNull();
});

test.each([
  'Property, plant and equipment (PPE) rose by 5 percent in 2024.',
  'PPE (property, plant and equipment) rose by 5 percent in 2024.',
])('an abbreviation stands for all words of a list that give it its letters: %s', (text) => {
  const said = [block(text), block('In 2024 PPE fell by 3 percent at the branches.')];
  for (const claim of ['PPE', 'Property, plant and equipment'])
    expect(quoteFor(`${claim} fell by 3 percent at the branches.`, said)).toBe(said[1]?.text);
  const [abbreviation] = abbreviationsIn(text);
  expect(abbreviation?.long).toEqual(['property', 'plant', 'and', 'equipment']);
});

test('an abbreviation that another passage of the document explains stands for its words', () => {
  const [explains, says] = [
    'The consumer price index (CPIX) is shown below.',
    'In 2024 the consumer price index rose by 5 percent.',
  ].map((text) => ({ above: '', documentId: 'report', units: unitsOf([block(text)]) }));
  if (!explains || !says) throw new Error('two passages');
  shareAbbreviations([explains, says]);
  const outcomeOf = (claim: string) => checkClaim(claim, says, (text) => weigh(text, fewOfEach)).outcome;
  expect(outcomeOf('CPIX rose by 5 percent in 2024.')).toBe('supported');
  expect(outcomeOf('CPIY rose by 5 percent in 2024.')).not.toBe('supported');
});

const fees = [
  block('The Client pays Halvorsen a fee. Each month Weatherby pays 500 euros for storage.'),
  block(
    'The pallet fee of Weatherby is 20 euros per month. Guests bring a dog. Do guests leave a deposit at the desk?',
  ),
];

const storage = (payer: string) => [block(`${payer} pays 500 euros for storage each month. Nobody pays for pallets.`)];
const agreement = 'Agreement between Nordwind Trading and Weatherby Logistics';

test.each([
  // The heading names both, and the sentence begins with one of them.
  ['Each month Weatherby pays 500 euros for storage.', 'Weatherby', true],
  ['Each month Nordwind pays 500 euros for storage.', 'Weatherby', false],
  ['The EU pays 500 euros for storage each month.', 'The European Union', true],
  ['The UN pays 500 euros for storage each month.', 'The European Union', false],
  ['Each month the WHO pays 500 euros for storage.', 'The World Health Organization', true],
  ['Each month the WTO pays 500 euros for storage.', 'The World Health Organization', false],
  ['The UN pays 500 euros for storage each month.', 'The UN', true],
])('a name is held by itself or by what its letters stand for: "%s", where %s does: %s', (claim, payer, isHeld) => {
  expect(quoteFor(claim, storage(payer), agreement) !== null).toBe(isHeld);
});

test.each([
  ['Each month Weatherby pays 500 euros for storage.', true],
  // Another who is named in the passage, but not in that sentence.
  ['Each month Halvorsen pays 500 euros for storage.', false],
  ['The pallet fee of Weatherby is 20 euros a month.', true],
  ['The pallet fee of Weatherby is 20 euros a week.', false],
  ['Guests bring a dog.', true],
  // A question asserts nothing.
  ['Guests do leave a deposit at the desk.', false],
])('who pays what for what is not mixed up: "%s" %s', (claim, isHeld) => {
  expect(quoteFor(claim, fees) !== null).toBe(isHeld);
});
