import { parse } from 'csv-parse/sync';
import { parseCsv } from 'hucre/csv';
import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { toCsv } from './csv.ts';

/** As spreadsheets read it, by two readers that share nothing: without a delimiter the second finds out what it is. */
function read(csv: string, delimiter?: string): string[][] {
  const rows: string[][] = parse(csv, { bom: true, record_delimiter: '\r\n' });
  const asSpreadsheet = parseCsv(csv, { ...(delimiter !== undefined && { delimiter }) }).map((row) =>
    row.map((cell) => String(cell ?? '')),
  );
  expect(asSpreadsheet).toEqual(rows);
  return rows;
}

test('begins with the mark by which spreadsheets know UTF-8', () => {
  const bytes = Buffer.from(toCsv(['Frage'], [['Wie groß ist das Büro in 北京?']]));
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(read(bytes.toString('utf8'))).toEqual([['Frage'], ['Wie groß ist das Büro in 北京?']]);
});

test.each([
  'a, b; c\td',
  'He said "no", twice',
  'first line\nsecond line\r\nthird',
  ' blanks around ',
  '',
  '،שלום, مرحبا',
  "it's",
])('%j is read as it was written', (text) => {
  expect(read(toCsv(['a', 'b'], [[text, 1]]))).toEqual([
    ['a', 'b'],
    [text, '1'],
  ]);
});

test.each([
  '=1+1',
  '=HYPERLINK("https://evil.example";"click")',
  '+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\n=1',
  '\u00a0=1',
  '＝1+1',
])('%j is no formula', (text) => {
  expect(read(toCsv(['a'], [[text]]))[1]).toEqual([`'${text}`]);
});

test.each([
  '007',
  '00:30',
  '1e10',
  '12E-5',
  '1/2',
  '3-4',
  '1,5',
  '1.234,56',
  '0'.repeat(64),
  '12345678901234567',
  '50%',
  'True',
])('%j stays a text, letter for letter', (text) => {
  expect(read(toCsv(['a', 'b'], [[text, '']]))[1]).toEqual([`'${text}`, '']);
});

test.each(['2026', '0', '2026-11-22', '2026-11-22T10:00:00.000Z', '203.0.113.7', '12 cranes', 'Nr. 007'])(
  '%j says the same as a number, a day or a text',
  (text) => {
    expect(read(toCsv(['a', 'b'], [[text, '']]))[1]).toEqual([text, '']);
  },
);

test('numbers stay numbers, also below zero, and what is missing is empty', () => {
  expect(toCsv(['a', 'b'], [[-3, null]])).toBe('\ufeffa,b\r\n-3,\r\n');
});

test('any table comes back whole, and no cell of it begins a formula', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 10 }), (rows) => {
      // What is random enough looks as if something else parted it.
      const [header, ...back] = read(toCsv(['a', 'b'], rows), ',');
      expect(header).toEqual(['a', 'b']);
      expect(back).toEqual(
        rows.map((row, i) => row.map((cell, j) => (back[i]?.[j] === `'${cell}` ? `'${cell}` : cell))),
      );
      expect(back.flat().some((cell) => /^\s*[=+@-]/.test(cell))).toBe(false);
    }),
  );
});
