import { expect, test } from 'vitest';
import { createCoverage } from '#server/features/retrieval/question/coverage.ts';
import { weigh } from '#server/features/retrieval/retrieval.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import { namedRows } from './named-rows.ts';
import type { Unit } from './unit.ts';

/** The labels of the rows that are named as a whole, and of those that are partly. */
async function read(question: string, ...rows: string[][]): Promise<{ named: string[]; partly: string[] }> {
  const weighed = rows.map((cells) => ({ passage: { language: 'en' }, unit: rowOf(cells) }));
  const weights = weigh(question, fewOfEach);
  const { named, partlyNamed } = await namedRows(weights, question, weighed, createCoverage(weights));
  const labels = (units: ReadonlySet<Unit>) => [...units].map(({ row }) => row?.cells[0] ?? '');
  return { named: labels(named), partly: labels(partlyNamed) };
}

/** `parent > label` is a row below a label. */
function rowOf([first = '', ...figures]: string[]): Unit {
  const [label = '', parent] = first.split(' > ').reverse();
  const cells = [label, ...figures];
  const row = { header: null, cells, ...(parent !== undefined && { parents: [parent] }) };
  return { text: cells.join(' | '), block: 0, start: 0, end: 1, page: null, heading: '', row };
}

test('a row that is named as a whole goes before those that have a part of the name, or more', async () => {
  const rows = [
    ['Change in statutory tax rate', '10'],
    ['Statutory income tax rate (1)', '21 %'],
    ['Income tax', '300'],
  ];
  expect(await read('What was the change in the statutory income tax rate from 2018 to 2019?', ...rows)).toEqual({
    named: ['Statutory income tax rate (1)'],
    partly: ['Change in statutory tax rate', 'Income tax'],
  });
});

test('the order of the words and what stands over a row are of its name', async () => {
  expect((await read('What was the goodwill impairment in 2019?', ['Impairment of goodwill', '7'])).named).toEqual([
    'Impairment of goodwill',
  ]);
  expect(
    await read('What was the service revenue in 2019?', ['Revenue > Service', '7'], ['Cost > Service', '4']),
  ).toEqual({
    named: ['Service'],
    partly: ['Service'],
  });
});

test('rows that are asked for together are both named', async () => {
  const rows = [
    ['Audit fees', '58'],
    ['Tax fees', '12'],
    ['Total', '70'],
  ];
  expect(await read('What is the sum of audit fees and tax fees in 2019?', ...rows)).toEqual({
    named: ['Audit fees', 'Tax fees'],
    partly: [],
  });
});

test('none is where no amount is asked for, or the row has none', async () => {
  expect((await read('What does working capital consist of?', ['Working capital', '12'])).named).toEqual([]);
  expect((await read('Where is the discussion of operating income?', ['Operating income', '12'])).named).toEqual([]);
  expect((await read('How much is the rent?', ['Rent', '', '0.00'], ['Rent', '900'])).named).toEqual(['Rent']);
});
