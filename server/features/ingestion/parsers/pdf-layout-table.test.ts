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
