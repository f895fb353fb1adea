import type { TextItem } from '@llamaindex/liteparse';
import { expect, test } from 'vitest';
import { linesOf } from './pdf-lines.ts';
import { findWordTables } from './pdf-word-tables.ts';

type Line = [top: number, ...pieces: [left: number, text: string][]];

/** Letters are five points wide and ten high. */
function tablesOf(lines: Line[], bold: number[] = []): string[][][] {
  const items: TextItem[] = lines.flatMap(([top, ...pieces]) =>
    pieces.map(([x, text]) => ({
      text,
      x,
      y: top,
      width: text.length * 5,
      height: 10,
      words: [],
      ...(bold.includes(top) && { fontName: 'Helvetica-Bold' }),
    })),
  );
  return findWordTables(linesOf(items)).map(({ rows }) =>
    rows.map(({ cells, header }) => [...(header ? ['head'] : []), ...cells]),
  );
}

test('a glossary: what stands together is a row, also where the term has a second line', () => {
  expect(
    tablesOf([
      [20, [50, 'Terms that this document uses are the ones of the law, but for these.']],
      [50, [50, 'agency'], [150, 'Any department of the government, with all that']],
      [62, [50, '(A-130)'], [150, 'belongs to it.']],
      [90, [50, 'audit log'], [150, 'A record of what a system did.']],
      [118, [50, 'audit record'], [150, 'An entry in an audit log, with its']],
      [130, [150, 'date and its user.']],
      [158, [50, 'firmware'], [150, 'Programs that are kept in hardware.']],
    ]),
  ).toEqual([
    [
      ['agency (A-130)', 'Any department of the government, with all that belongs to it.'],
      ['audit log', 'A record of what a system did.'],
      ['audit record', 'An entry in an audit log, with its date and its user.'],
      ['firmware', 'Programs that are kept in hardware.'],
    ],
  ]);
});

test('codes line by line, under the names of their columns', () => {
  expect(
    tablesOf(
      [
        [40, [50, 'Code'], [170, 'Part'], [330, 'Control']],
        [52, [50, 'BOX-BLACK'], [170, 'Metal box, coated'], [330, 'A.6.1']],
        [64, [50, 'CABLE-USB'], [170, 'Cable for power and data'], [330, 'A.9.2']],
        [76, [50, 'KEYB-PS2'], [170, 'Keyboard that also knows'], [330, 'A.9.4']],
        [88, [170, 'the older plug']],
        [100, [50, 'WIRE-10'], [170, 'Ten wires'], [330, 'none']],
      ],
      [40],
    ),
  ).toEqual([
    [
      ['head', 'Code', 'Part', 'Control'],
      ['BOX-BLACK', 'Metal box, coated', 'A.6.1'],
      ['CABLE-USB', 'Cable for power and data', 'A.9.2'],
      ['KEYB-PS2', 'Keyboard that also knows the older plug', 'A.9.4'],
      ['WIRE-10', 'Ten wires', 'none'],
    ],
  ]);
});

test('two columns of prose, lists with their marks, numbered clauses and boxes beside each other are no tables', () => {
  const tops = [0, 1, 2, 3, 4, 5].map((i) => 40 + i * 30);
  const beside = (left: string, right: string, at = 300) =>
    tablesOf(tops.map((top): Line => [top, [50, left], [at, right]]));
  expect(beside('It was said in the year before that', 'all of them would come back to us.')).toEqual([]);
  expect(beside('•', 'An item of a list that is a line long', 70)).toEqual([]);
  expect(beside('3.1.4', 'Separate the duties of individuals', 100)).toEqual([]);
  expect(beside('Threshold: 2 %', 'Floor: 3 dollars')).toEqual([]);
  expect(beside('Planning ahead', 'the sentence goes on from the one above it')).toEqual([]);
});

test('a page with thousands of pieces is left to what knows rules', () => {
  const many = Array.from(
    { length: 400 },
    (_, i): Line => [i * 12, [50, 'a'], [100, 'word'], [200, 'more'], [300, 'of it']],
  );
  expect(tablesOf(many)).toEqual([]);
});
