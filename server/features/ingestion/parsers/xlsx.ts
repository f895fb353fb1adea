import { readFile } from 'node:fs/promises';
import { type CellValue, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { checkArchive } from '../archive.ts';
import type { Parser } from './parser.ts';
import { type SheetRow, writeSheet } from './sheet.ts';

/** Excel: the visible sheets, their rows as values; formulas as their last result. */
export const parseXlsx: Parser = async ({ path, limits }, sink) => {
  await checkArchive(path, limits);
  const bytes = new Uint8Array(await readFile(path));
  const sheets = await visibleSheets(bytes);
  let left = limits.rows;
  for (const [done, { index, name }] of sheets.entries()) {
    left -= await writeSheet(parseSheet(bytes, index), { name, maxRows: left }, sink);
    sink.progress(done + 1, sheets.length);
  }
};

/** The rows of one sheet. The library behind it is young: nothing else may depend on it. */
async function* parseSheet(bytes: Uint8Array, sheet: number): AsyncGenerator<SheetRow> {
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
    const cells = values.map(cellText);
    if (cells.some((cell) => cell !== '')) yield { index, cells };
  }
}

async function visibleSheets(bytes: Uint8Array): Promise<{ index: number; name: string }[]> {
  const sheets: { index: number; name: string }[] = [];
  await readXlsx(bytes, {
    sheets: ({ name, index, hidden, veryHidden }) => {
      if (!hidden && !veryHidden) sheets.push({ index, name });
      return false;
    },
  });
  return sheets;
}

function cellText(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return dateText(value);
  // 15 digits are what a spreadsheet keeps: 0.1 + 0.2 is 0.3 there.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)));
  return String(value).trim();
}

/** ISO 8601, without the time when it is midnight, and without the day when there is none. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', time = ''] = date.toISOString().split('T');
  const clock = time.startsWith('00:00:00') ? '' : time.replace(/(:00)?\.\d+Z$/, '');
  if (day <= '1899-12-31') return clock || '00:00';
  return clock ? `${day} ${clock}` : day;
}
