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

  test('a head of two lines, years as names, and tables of words alone', async () => {
    const headsOf = async (text: string) => {
      const { blocks } = await parseBytes(parseCsv, text);
      const heads = blocks.filter(({ header }) => header);
      return { names: heads[0]?.table?.columns ?? heads[0]?.cells ?? [], lines: heads.length };
    };
    expect(await headsOf('Region,2023,,2024,\n,Q1,Q2,Q1,Q2\nNorth,1,2,3,4\nSouth,5,6,7,8\n')).toEqual({
      names: ['Region', '2023 Q1', '2023 Q2', '2024 Q1', '2024 Q2'],
      lines: 2,
    });
    expect(await headsOf('Item,Weight,Price\n,kg,EUR\nDesk,20,199.50\n')).toEqual({
      names: ['Item', 'Weight kg', 'Price EUR'],
      lines: 2,
    });
    expect(await headsOf('Region,2023,2024\nNorth,1,2\n')).toEqual({ names: ['Region', '2023', '2024'], lines: 1 });
    expect(await headsOf('Name,Role,Town\nAda,Head,Ulm\nBen,Clerk,Bonn\n')).toEqual({
      names: ['Name', 'Role', 'Town'],
      lines: 1,
    });
    expect(await headsOf('Name,Role,Age\nAda,Head,41\nBen,Clerk,33\n')).toEqual({
      names: ['Name', 'Role', 'Age'],
      lines: 1,
    });
    expect(await headsOf('North,1,2\nSouth,3,4\n')).toEqual({ names: [], lines: 0 });
    expect(await headsOf('Task,Owner,Due\nPlan,Ada,\nBuild,,2026-05-01\n')).toEqual({
      names: ['Task', 'Owner', 'Due'],
      lines: 1,
    });
  });
});
