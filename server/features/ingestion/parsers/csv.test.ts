import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { parseBytes, roomyLimits } from '../fixtures.ts';
import { parseCsv } from './csv.ts';

const rowsOf = async (csv: string | Uint8Array) => (await parseBytes(parseCsv, csv)).blocks.map(({ cells }) => cells);

describe('CSV', () => {
  test.each([
    ['commas', 'Zone,Fee\n"A, inner",12\n'],
    ['semicolons', 'Zone;Fee\r\n"A, inner";12\r\n'],
    ['tabs', 'Zone\tFee\rA, inner\t12'],
    ['bars', 'Zone|Fee\nA, inner|12'],
    ['what it says itself', 'sep=;\nZone;Fee\nA, inner;12'],
    ['commas in UTF-16', iconv.encode('Zone,Fee\n"A, inner",12', 'utf-16le', { addBOM: true })],
  ])('cells are parted by %s', async (_name, csv) => {
    expect(await rowsOf(csv)).toEqual([
      ['Zone', 'Fee'],
      ['A, inner', '12'],
    ]);
  });

  test('names of columns are a header; rows of other lengths, line ends in cells, and signs of inches are read', async () => {
    const { blocks } = await parseBytes(parseCsv, 'Name,Text\nx,"one\ntwo",more\n\ny\n');
    expect(blocks).toMatchObject([
      { text: 'Name | Text', header: true },
      { text: 'x | one two | more' },
      { text: 'y' },
    ]);
    expect(await rowsOf('Size;Pipe\n5 m;3" wide\n"6 m;x')).toEqual([
      ['Size', 'Pipe'],
      ['5 m', '3" wide'],
      ['"6 m', 'x'],
    ]);
  });

  test('rows and bytes beyond the limits are told', async () => {
    const csv = Array.from({ length: 30 }, (_, index) => `row ${index},1`).join('\n');
    const { blocks, unreadable } = await parseBytes(parseCsv, csv, { ...roomyLimits, rows: 20 });
    expect(blocks).toHaveLength(20);
    expect(unreadable).toEqual([{ why: expect.stringContaining('read only to row 20') }]);
    await expect(parseBytes(parseCsv, csv, { ...roomyLimits, textBytes: 100 })).rejects.toMatchObject({
      code: 'too-much-text',
    });
  });
});
