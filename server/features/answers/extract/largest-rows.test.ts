import { expect, test } from 'vitest';
import { largestRows } from './largest-rows.ts';
import type { Unit } from './unit.ts';

function row(page: number | null, ...cells: string[]) {
  const unit: Unit = {
    text: cells.join(' | '),
    block: 0,
    start: 0,
    end: 1,
    page,
    heading: '',
    row: { header: null, cells },
  };
  return { passage: { documentId: 'a' }, unit };
}

function largest(...rows: ReturnType<typeof row>[]): string[] {
  return [...largestRows(rows)].map(({ text }) => text);
}

test('of equal rows on several pages, the one of the whole has the largest amount', () => {
  expect(
    largest(
      row(13, '8000 Meetings', '5,166.71', '1.07 %'),
      row(10, '8000  meetings', '', '10,165.04', '23,352.37'),
      row(21, '8000 Meetings', '8.00', '100.00 %'),
    ),
  ).toEqual(['8000  meetings |  | 10,165.04 | 23,352.37']);
  expect(largest(row(25, 'Personal', '-3.095.159 €'), row(29, 'Personal', '-179.321 €'))).toEqual([
    'Personal | -3.095.159 €',
  ]);
});

test('a date is no amount', () => {
  const [dated, large] = [row(1, 'Lease', '31.12.2024', '500'), row(2, 'Lease', '01.06.2023', '900,000')];
  expect(largest(dated, large)).toEqual(['Lease | 01.06.2023 | 900,000']);
  expect(largest(row(1, 'Rent', '2025-01-31', '900'), row(2, 'Rent', '1,800'))).toEqual(['Rent | 1,800']);
});

test('words with a number in them are no amount', () => {
  expect(largest(row(3, 'Radio', 'transmits, see Table 6'), row(4, 'Radio', 'install 12 m up, see Table 8'))).toEqual(
    [],
  );
});

test('rows below other labels are of another kind, whatever theirs is', () => {
  const below = (parent: string, each: ReturnType<typeof row>) => {
    if (each.unit.row) each.unit.row.parents = [parent];
    return each;
  };
  expect(largest(below('Assets', row(4, 'Total', '100')), below('Liabilities', row(5, 'Total', '200')))).toEqual([]);
  expect(
    largest(
      below('Assets', row(4, 'Total', '100')),
      below('Liabilities', row(5, 'Total', '200')),
      below('Assets', row(6, 'Total', '150')),
      row(7, 'Total', '120'),
    ),
  ).toEqual(['Total | 150', 'Total | 200']);
});

test('rows of one page, of no page, or with the same amount are told apart by other signs', () => {
  expect(largest(row(4, 'Travel', '100'), row(4, 'Travel', '200'))).toEqual([]);
  expect(largest(row(null, 'Widget A', '100'), row(null, 'Widget A', '200'))).toEqual([]);
  expect(largest(row(4, 'Travel', '100.00'), row(5, 'Travel', '100'))).toEqual([]);
  expect(largest(row(4, 'Travel', '100'), { ...row(5, 'Travel', '200'), passage: { documentId: 'b' } })).toEqual([]);
});
