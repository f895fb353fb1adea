import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse';
import { expect, test } from 'vitest';
import { layoutTable } from './pdf-layout-table.ts';

const page = { pageNum: 3, width: 600, height: 800, textItems: [] } as unknown as ParsedPage;
const cells = (y: number, ...texts: string[]) =>
  texts.map((text, i) => ({ text, bbox: { x: 60 + i * 200, y, width: 180, height: 12 } }));

test('the lines of a row are one row, whose place holds them all', () => {
  const table = {
    kind: 'table',
    header: cells(100, 'integrity', 'Guarding against improper modi-'),
    rows: [
      cells(116, '[44 USC 3552]', 'fication of information or against its'),
      cells(132, '', 'destruction.'),
      cells(148, 'privacy', 'The right to be left alone.'),
    ],
  } as unknown as LayoutBlock;
  expect(layoutTable(table, page, new Set(['modi']))).toEqual([
    {
      kind: 'row',
      text: 'integrity [44 USC 3552] | Guarding against improper modification of information or against its destruction.',
      cells: [
        'integrity [44 USC 3552]',
        'Guarding against improper modification of information or against its destruction.',
      ],
      page: 3,
      box: [0.1, 0.125, 0.7333, 0.18],
    },
    {
      kind: 'row',
      text: 'privacy | The right to be left alone.',
      cells: ['privacy', 'The right to be left alone.'],
      page: 3,
      box: [0.1, 0.185, 0.7333, 0.2],
    },
  ]);
});

test('a header that says nothing further stays one', () => {
  const table = {
    kind: 'table',
    header: cells(100, 'Term', 'Meaning'),
    rows: [cells(116, 'privacy', 'The right to be left alone.')],
  } as unknown as LayoutBlock;
  expect(layoutTable(table, page, new Set()).map(({ header }) => header ?? false)).toEqual([true, false]);
});

/** Rows as the layout reader has them, which knows of the first line's place alone, and the words of the page. */
function stacked(...rows: string[][][]) {
  const places = (row: string[][], y: number) => row.map((_, i) => ({ x: 60 + i * 120, y, width: 100, height: 10 }));
  let y = 100;
  const items: unknown[] = [];
  const made = rows.map((row) => {
    const cells = row.map((lines, i) => ({
      text: lines.join(' '),
      ...(lines.length > 0 && { bbox: places(row, y)[i] }),
    }));
    for (const [i, lines] of row.entries())
      for (const [k, text] of lines.entries())
        if (text !== '') items.push({ text, x: 60 + i * 120, y: y + k * 12, width: 100, height: 10, words: [] });
    y += 12 * Math.max(...row.map(({ length }) => length));
    return cells;
  });
  const table = { kind: 'table', rows: made, bbox: { x: 60, y: 100, width: 340, height: y - 100 } };
  const read = layoutTable(table as unknown as LayoutBlock, { ...page, textItems: items } as ParsedPage, new Set());
  return read.map(({ cells: own }) => own);
}

test('rows that were put into one are parted where their figures stand below each other', () => {
  expect(
    stacked(
      [['Cash'], ['20'], ['11']],
      [
        ['Property taxes', 'Total cost'],
        ['459', '3,513'],
        ['-', '(40)'],
      ],
    ),
  ).toEqual([
    ['Cash', '20', '11'],
    ['Property taxes', '459', '-'],
    ['Total cost', '3,513', '(40)'],
  ]);
});

test('each line of a label that ends with a colon begins a row', () => {
  const rows = stacked([
    ['Dimensions:', 'Weight:', ''],
    ['225 x 172 mm', '1.24 lbs.', '0.56 kg'],
  ]);
  expect(rows).toEqual([
    ['Dimensions:', '225 x 172 mm'],
    ['Weight:', '1.24 lbs. 0.56 kg'],
  ]);
});

test('a label of two lines, and words below each other, are one row', () => {
  const wrapped = [['Taxes on', 'income'], ['459 of', 'all'], []];
  expect(stacked(wrapped)).toEqual([['Taxes on income', '459 of all', '']]);
  expect(stacked([['Taxes on income'], ['459', '12']])).toEqual([['Taxes on income', '459 12']]);
});

test('where the words of the page are not those of the row, it stays as it was read', () => {
  const item = (text: string, x: number, y: number) => ({ text, x, y, width: 100, height: 10, words: [] });
  const textItems = [
    item('Property taxes', 60, 100),
    item('459', 260, 100),
    item('Total costs', 60, 112),
    item('3,513', 260, 112),
  ];
  const read = (label: string) => {
    const table = {
      kind: 'table',
      rows: [cells(100, label, '459 3,513')],
      bbox: { x: 60, y: 100, width: 340, height: 30 },
    };
    return layoutTable(table as unknown as LayoutBlock, { ...page, textItems } as unknown as ParsedPage, new Set());
  };
  expect(read('Property taxes Total costs')).toHaveLength(2);
  expect(read('Property taxes Total cost')).toHaveLength(1);
});
