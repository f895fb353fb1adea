import { expect, test } from 'vitest';
import { contentsRows } from './contents-rows.ts';
import type { Unit } from './unit.ts';

function row(...cells: string[]): Unit {
  const text = cells.join(' | ');
  return { text, block: 0, start: 0, end: text.length, page: 2, heading: '', row: { header: null, cells } };
}

const entries = (...units: Unit[]) => [...contentsRows(units)].map(({ text }) => text);
const contents = [
  row('Chairman', '02'),
  row('Fellows', '04'),
  row('Item 7.', 'Management report', '35'),
  row('Accounts', ''),
  row('Balance sheet', '48'),
];

test('labels with numbers that rise are entries of a table of contents, also below the name of a chapter', () => {
  expect(entries(...contents)).toEqual([
    'Chairman | 02',
    'Fellows | 04',
    'Item 7. | Management report | 35',
    'Balance sheet | 48',
  ]);
});

test('rows whose figures fall are none, nor are years, amounts, or a few rows', () => {
  expect(entries(row('Chairs', '12'), row('Tables', '40'), row('Lamps', '7'), row('Beds', '9'))).toEqual([]);
  expect(entries(row('A', '2019'), row('B', '2020'), row('C', '2021'), row('D', '2022'))).toEqual([]);
  expect(entries(row('A', '1,000'), row('B', '2,000'), row('C', '3,000'), row('D', '4,000'))).toEqual([]);
  expect(
    entries(row('A', '1', '2', '5'), row('B', '2', '3', '6'), row('C', '3', '4', '7'), row('D', '4', '5', '8')),
  ).toEqual([]);
  expect(entries(row('Fellows', '4'), row('Accounts', '12'), row('Notes', '15'))).toEqual([]);
});

test('what stands between two tables parts them', () => {
  const sentence: Unit = { text: 'See below.', block: 0, start: 0, end: 10, page: 2, heading: '' };
  expect(entries(row('A', '1'), row('B', '2'), sentence, row('C', '3'), row('D', '4'))).toEqual([]);
});
