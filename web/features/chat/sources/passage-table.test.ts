import { expect, test } from 'vitest';
import { tableIn } from './passage-table.ts';

test('a table is found with the words before it, and shown by its first rows', () => {
  const text =
    'Hotels\nPer night.\nCity | Limit\nBerlin | 145 euros\nMunich | 165 euros\nZürich | 220 francs\nMore words.';
  expect(tableIn(text)).toEqual({
    before: 'Hotels Per night.',
    rows: [
      ['City', 'Limit'],
      ['Berlin', '145 euros'],
      ['Munich', '165 euros'],
    ],
  });
});

test('an empty cell before the first words leaves no bar there', () => {
  const text = '| | Salaries | Fees\nMemberships | Grants\nSponsorships | Training';
  expect(tableIn(text)?.before).toBe('Salaries · Fees');
});

test('an empty cell in the corner keeps its place, and the titles beside it are the first row', () => {
  const text = '| Jan - Mar | Apr - Jun\nSupplies | 89.90 | \nTravel |  | 118.60';
  expect(tableIn(text)).toEqual({
    before: '',
    rows: [
      ['', 'Jan - Mar', 'Apr - Jun'],
      ['Supplies', '89.90', ''],
      ['Travel', '', '118.60'],
    ],
  });
});

test('many columns and long cells are cut', () => {
  const row = Array.from({ length: 9 }, (_, at) => `${at} ${'word '.repeat(20)}`).join(' | ');
  const [first = []] = tableIn(`${row}\n${row}`)?.rows ?? [];
  expect(first).toHaveLength(5);
  expect(first[0]).toMatch(/^0 word .{0,40} …$/);
});

test.each([['Plain words.\nMore of them.'], ['One line | alone'], ['Two | cells\nThree | other | cells'], ['']])(
  '%j has none',
  (text) => {
    expect(tableIn(text)).toBeNull();
  },
);
