import { readFile } from 'node:fs/promises';
import { type CellValue, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { withOfficePackage } from './opc.ts';
import type { Parser, Sink } from './parser.ts';
import { type SheetRow, writeSheet } from './sheet.ts';
import { fillMerges, type Merge, readExtras } from './xlsx-extras.ts';

/** Excel: the visible sheets, their rows as values, formulas as their last result; comments and text boxes after them. */
export const parseXlsx: Parser = async ({ path, limits }, sink) => {
  const extras = await withOfficePackage(path, limits, readExtras);
  const shown = extras.filter(({ isHidden }) => !isHidden);
  const bytes = new Uint8Array(await readFile(path));
  const indices = await sheetIndices(bytes);
  let left = limits.rows;
  for (const [done, { name, isChart, merges, blocks }] of shown.entries()) {
    const index = isChart ? undefined : indices.get(name);
    const rows = index === undefined ? 0 : await writeRows(bytes, { index, name, merges, maxRows: left }, sink);
    left -= rows;
    for (const [place, block] of blocks.entries())
      sink.block({ ...block, ...(rows === 0 && place === 0 && { part: name }) });
    sink.progress(done + 1, shown.length);
  }
};

function writeRows(
  bytes: Uint8Array,
  { index, name, merges, maxRows }: { index: number; name: string; merges: Merge[]; maxRows: number },
  sink: Sink,
): Promise<number> {
  return writeSheet(fillMerges(parseSheet(bytes, index), merges), { name, maxRows }, sink);
}

/** The rows of one sheet. The library behind it is young: nothing else may depend on it. */
async function* parseSheet(bytes: Uint8Array, sheet: number): AsyncGenerator<SheetRow> {
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
    const cells = values.map(cellText);
    if (cells.some((cell) => cell !== '')) yield { index, cells };
  }
}

async function sheetIndices(bytes: Uint8Array): Promise<Map<string, number>> {
  const indices = new Map<string, number>();
  await readXlsx(bytes, {
    sheets: ({ name, index }) => {
      indices.set(name, index);
      return false;
    },
  });
  return indices;
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
