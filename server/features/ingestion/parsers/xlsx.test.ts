import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { parseBytes, roomyLimits } from '../fixtures.ts';
import { parseXlsx } from './xlsx.ts';

describe('Excel', () => {
  test('sheets, headers and values', async () => {
    const workbook = await writeXlsx({
      sheets: [
        {
          name: 'Prices',
          rows: [
            ['Price list 2026', null, null],
            ['Item', 'Price', 'From'],
            ['Chair', 0.1 + 0.2, new Date(Date.UTC(2026, 0, 31))],
            [null, null, null],
            ['Desk', true, new Date(Date.UTC(2026, 1, 1, 13, 30))],
          ],
        },
        { name: 'Secret', hidden: true, rows: [['hidden']] },
        { name: 'Empty', rows: [] },
        {
          name: 'Places',
          rows: [
            ['Town', 'Rooms'],
            ['Ulm', 3],
          ],
        },
      ],
    });
    const { blocks, unreadable } = await parseBytes(parseXlsx, workbook);
    expect(unreadable).toEqual([]);
    expect(blocks).toEqual([
      { kind: 'row', text: 'Price list 2026', cells: ['Price list 2026'], part: 'Prices' },
      { kind: 'row', text: 'Item | Price | From', cells: ['Item', 'Price', 'From'], header: true },
      { kind: 'row', text: 'Chair | 0.3 | 2026-01-31', cells: ['Chair', '0.3', '2026-01-31'] },
      { kind: 'row', text: 'Desk | true | 2026-02-01 13:30', cells: ['Desk', 'true', '2026-02-01 13:30'] },
      { kind: 'row', text: 'Town | Rooms', cells: ['Town', 'Rooms'], header: true, part: 'Places' },
      { kind: 'row', text: 'Ulm | 3', cells: ['Ulm', '3'] },
    ]);
  });

  test('rows beyond the limit are reported, not lost in silence', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => [`Row ${index}`, index]);
    const workbook = await writeXlsx({ sheets: [{ name: 'Long', rows }] });
    const { blocks, unreadable } = await parseBytes(parseXlsx, workbook, { ...roomyLimits, rows: 20 });
    expect(blocks).toHaveLength(20);
    expect(unreadable).toEqual([{ why: expect.stringContaining('"Long" was read only to row 20:') }]);
  });
});
