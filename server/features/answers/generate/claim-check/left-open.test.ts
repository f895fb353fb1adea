import { expect, test } from 'vitest';
import { weigh } from '#server/features/retrieval/retrieval.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import type { QuotableBlock } from '../../extract/unit.ts';
import { unitsOf } from '../../extract/units.ts';
import { checkClaim } from '../entailment.ts';

const common = { kind: 'paragraph', index: 0, start: 0, page: null, cells: null, header: false } as const;

function outcomeOf(claim: string, blocks: readonly QuotableBlock[], above = ''): string {
  return checkClaim(claim, { above, units: unitsOf([...blocks]) }, (each) => weigh(each, fewOfEach)).outcome;
}

function paragraph(text: string): QuotableBlock[] {
  return [{ ...common, text }];
}

test.each([
  ['A permit is not needed where no guests stay overnight.', 'not-checked'],
  ['A permit is needed when guests do not stay overnight.', 'not-checked'],
  ['A permit is needed when such guests are absent.', 'contradicted'],
])('where both deny something words cannot tell, where one of both does they can: "%s" is %s', (claim, outcome) => {
  const text = 'A permit is needed for guests overnight and is not needed when such guests are absent.';
  expect(outcomeOf(claim, paragraph(text))).toBe(outcome);
});

const row = (...cells: string[]): QuotableBlock => ({ ...common, kind: 'row', text: cells.join(' | '), cells });

test.each([
  ['Members paid 41,300 euros in 2019.', 'Members paid 41,300 euros.', 'not-checked'],
  ['Members paid 41,300 euros in 2019.', 'Members paid 41,300 euros on 4 May.', 'not-checked'],
  [
    'The club of the valley moved to a larger hall in 2019.',
    'The club of the valley moved to a larger hall in 2018.',
    'contradicted',
  ],
  [
    'Members paid 41,300 euros on 31 December 2019.',
    'Members paid 41,300 euros. In 2018 a fair was held.',
    'not-checked',
  ],
])(
  'a year that the passage has nowhere speaks against a claim where another one is named: "%s" of "%s" is %s',
  (claim, text, outcome) => {
    expect(outcomeOf(claim, paragraph(text))).toBe(outcome);
  },
);

test('a heading may name the other year', () => {
  const table = [{ ...row('Fees of members', '41,300 €'), index: 1 }];
  const heading: QuotableBlock = { ...common, kind: 'heading', text: 'Figures of 2018' };
  const claim = 'The fees of members were 41,300 € in 2019.';
  expect(outcomeOf(claim, table)).toBe('not-checked');
  expect(outcomeOf(claim, [heading, ...table])).toBe('contradicted');
});

test.each([
  ['The total of all assets of Lindenhof was 41,300 €.', [row('Total of all assets', '41,300 €')], 'not-checked'],
  [
    'The total of all assets of Lindenhof was 41,300 €.',
    [row('Total of all assets of Nordwind', '41,300 €')],
    'contradicted',
  ],
])(
  'a name that the passage has nowhere speaks against a claim where another one is named: "%s" is %s',
  (claim, blocks, outcome) => {
    expect(outcomeOf(claim, blocks)).toBe(outcome);
  },
);

test.each([
  ['The choir has 4,318 singers, almost 1,500 more than a year before.', 'not-checked'],
  ['The choir has 4,318 singers, almost 2,500 more than a year before.', 'contradicted'],
  ['The choir has grown to 4,318 singers by about 54 percent.', 'not-checked'],
  ['The choir has grown to 4,318 singers by about 74 percent.', 'contradicted'],
  ['The choir of the town had 7,125 singers in all.', 'not-checked'],
  ['The choir of the town had 7,925 singers in all.', 'contradicted'],
  ['The choir of the town has 4,300 singers.', 'not-checked'],
  ['The choir of the town has 4,400 singers.', 'contradicted'],
])('a number that follows from two others is nobody\'s slip: "%s" is %s', (claim, outcome) => {
  const text = 'The choir of the town has grown to 4,318 singers (a year before: 2,807 singers).';
  expect(outcomeOf(claim, paragraph(text))).toBe(outcome);
});

test.each([
  ['According to HB 2.7-19, visitors wear a badge in the hall.', 'supported'],
  ['According to HB 2.7-20, visitors wear a badge in the hall.', 'contradicted'],
  ['Visitors wear a badge in the hall, according to the handbook of visits.', 'supported'],
  ['According to the guide, visitors wear a badge in the hall.', 'supported'],
  ['According to page 2, visitors wear a badge in the hall.', 'contradicted'],
  ['According to Hand, visitors wear a badge in the hall.', 'not-checked'],
  ['Visitors wear a badge in the hall, according to the insurer.', 'not-checked'],
])('the document that a claim names as its source is no fact of it: "%s" is %s', (claim, outcome) => {
  const text = 'Visitors wear a badge in the hall and in the yard.';
  expect(outcomeOf(claim, paragraph(text), 'HB.2.7-19.pdf Handbook of visits')).toBe(outcome);
});

test.each([
  ['The first plan had about 3,000,000 tickets at 4 euros.', 'supported'],
  ['The first plan had about 3,000 tickets at 4 euros.', 'contradicted'],
])('a broken line may part a number from what it counts: "%s" is %s', (claim, outcome) => {
  const lines = ['The first plan of the office had 4 euros a ticket and ~3', 'million tickets'];
  const blocks = lines.map((text, index) => ({ ...common, text, index }));
  expect(outcomeOf(claim, blocks)).toBe(outcome);
});

test('the year of a date with dots is one that the passage has', () => {
  const head: QuotableBlock = { ...row('Item', '31.12.2019', '31.12.2018'), header: true };
  const table = [head, { ...row('Unused gifts', '4.968.500 €', '4.349.061 €'), index: 1 }];
  expect(outcomeOf('Unused gifts were €4,349,061 on 31 December 2018.', table)).toBe('supported');
  expect(outcomeOf('Unused gifts were €4,349,061 on 31 December 2019.', table)).not.toBe('supported');
});

test.each([
  ['The society has been a 501 body since it began, and thanks all who gave.', 'not-checked'],
  ['The society has been a body for 12 years now, and thanks all who gave.', 'contradicted'],
  ['The society gives its reports to 501 members of the council.', 'contradicted'],
])(
  'a number that stands nowhere, of a claim that is not about it, needs another of its kind: "%s" is %s',
  (claim, outcome) => {
    const text = 'The society gives its reports to members of the council. It had a house 7 years ago.';
    expect(outcomeOf(claim, paragraph(text))).toBe(outcome);
  },
);

test('what one sentence limits another may not', () => {
  const limited = 'The length of the fields and the labels of the form has a limit.';
  const claim = 'There is no limit on the number of fields of the form.';
  expect(outcomeOf(claim, paragraph(`${limited} However, there is no limit on the number that you use.`))).toBe(
    'not-checked',
  );
  expect(outcomeOf(claim, paragraph(`${limited} However, they are read by all who are here.`))).toBe('contradicted');
});

test.each([
  ['The tax of Lindenhof was 56,125 euros, with no variance.', [row('Tax of Lindenhof, variance', '€56,125', '0')]],
  ['The tax of Lindenhof was 56,125 euros, with no variance.', [row('Tax of Lindenhof, variance', '€56,125', '0.00')]],
])('a nought denies something, too: "%s"', (claim, blocks) => {
  expect(outcomeOf(claim, blocks)).not.toBe('contradicted');
});

test('a nought within another number denies nothing', () => {
  const claim = 'The tax of Lindenhof had no variance.';
  expect(outcomeOf(claim, [row('The tax of Lindenhof had a variance', '10.50')])).toBe('contradicted');
  expect(outcomeOf(claim, [row('The tax of Lindenhof had a variance', '0')])).toBe('not-checked');
});

test('what the figures of a passage count may stand beside them', () => {
  const blocks = (over: string) => [...paragraph(over), { ...row('Exports of copper', '$2,302'), index: 1 }];
  const claim = 'Exports of copper were $2,302 million.';
  expect(outcomeOf(claim, blocks('Exports of commodities in millions of dollars'))).toBe('not-checked');
  expect(outcomeOf(claim, blocks('Exports of commodities in thousands of dollars'))).toBe('contradicted');
});

test('only "none" is said by a nought, and a sentence that denies something else says nothing', () => {
  expect(outcomeOf('The valve may not be opened.', paragraph('The valve may be opened at 0 degrees.'))).toBe(
    'contradicted',
  );
  const text = 'Members may vote on the budget of the year. Dogs may not bark.';
  expect(outcomeOf('Members may not vote on the budget of the year.', paragraph(text))).toBe('contradicted');
});

test.each([
  ['Of the seats 25 percent were sold at the door.', 'not-checked'],
  ['Of the seats 35 percent were sold at the door.', 'contradicted'],
])('a share of two numbers is left open: "%s" is %s', (claim, outcome) => {
  const text = 'Of the 200 seats 50 were sold at the door, and the shop had 8 percent of them.';
  expect(outcomeOf(claim, paragraph(text))).toBe(outcome);
});

test('a short line is no broken one', () => {
  const blocks = ['Floors of it: 3', 'thousand people live here'].map((text, index) => ({ ...common, text, index }));
  expect(outcomeOf('It has 3 thousand floors.', blocks)).not.toBe('supported');
});
