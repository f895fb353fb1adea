import type { ParsedPage } from '@llamaindex/liteparse';
import { expect, test } from 'vitest';
import { hasFalseTable } from './pdf-false-tables.ts';

const prose = 'Whoever has a question about leave asks the office first';
const width = (text: string) => text.length * 5;

/**
 * A page whose lines begin where a table does, which has an edge between two columns at 300.
 * @param read what the first cell of each row has been read as
 */
function page(lines: string[][], rows: number, read: string[] = lines.map(([text = '']) => text)): ParsedPage {
  const cell = (x: number, i: number) => ({
    text: x === 50 ? (read[i] ?? '') : '',
    bbox: { x, y: 100 + i * 14, width: 240, height: 14 },
  });
  return {
    textItems: lines.flatMap((texts, i) =>
      texts.map((text, k) => ({ text, x: 60 + k * 260, y: 101 + i * 14, width: width(text), height: 11, words: [] })),
    ),
    blocks: [
      {
        kind: 'table',
        bbox: { x: 50, y: 100, width: 500, height: lines.length * 14 },
        rows: Array.from({ length: rows }, (_, i) => [cell(50, i), cell(300, i)]),
      },
    ],
  } as unknown as ParsedPage;
}

const row = ['Leave of absence', 'Office'];
const times = (count: number, line: string[]) => Array.from({ length: count }, () => line);

test('a table is none whose columns are crossed by many of its lines', () => {
  expect(hasFalseTable(page(times(10, [prose]), 10))).toBe(true);
  expect(hasFalseTable(page([...times(4, [prose]), ...times(6, row)], 10))).toBe(true);
});

test('nor where a few lines cross, and each row has many lines', () => {
  const lines = [...times(3, [prose]), ...times(13, ['Leave'])];
  expect(hasFalseTable(page(lines, 4))).toBe(true);
  expect(hasFalseTable(page(lines, 5))).toBe(false);
});

test('nor where a paragraph is read in pieces among its rows', () => {
  const lines = [...times(3, [prose]), ...times(7, row)];
  const pieces = ['Whoever has a Whoever has a Whoever has a', 'question about question about'];
  expect(hasFalseTable(page(lines, 10, pieces))).toBe(true);
  expect(hasFalseTable(page(lines, 10, [`${prose} ${prose} ${prose}`, 'Leave of absence']))).toBe(false);
  expect(hasFalseTable(page([...times(2, [prose]), ...times(7, row)], 9, pieces))).toBe(false);
});

test('a table is one with cells beside each other, a title over its columns, and few such lines', () => {
  expect(hasFalseTable(page(times(10, row), 10))).toBe(false);
  expect(hasFalseTable(page([...times(3, ['Leave of the year 2024']), ...times(2, row)], 5))).toBe(false);
  expect(hasFalseTable(page([...times(3, [prose]), ...times(7, row)], 10))).toBe(false);
  expect(hasFalseTable(page([...times(2, [prose]), ...times(1, row)], 3))).toBe(false);
  expect(hasFalseTable({ textItems: [], blocks: [] })).toBe(false);
});
