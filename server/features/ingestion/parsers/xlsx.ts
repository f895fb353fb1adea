import { readFile } from 'node:fs/promises';
import { type CellValue, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { checkArchive } from '../archive.ts';
import type { Parser, Sink } from './parser.ts';
import { looksLikeHeader } from './table.ts';

/** A row that is not empty. `index` is 0-based in its sheet. */
interface Row {
  index: number;
  cells: string[];
}

/** Excel: the visible sheets, their rows as values; formulas as their last result. */
export const parseXlsx: Parser = async ({ path, limits }, sink) => {
  await checkArchive(path, limits);
  const bytes = new Uint8Array(await readFile(path));
  const sheets = await visibleSheets(bytes);
  let left = limits.rows;
  for (const [done, { index, name }] of sheets.entries()) {
    left -= await readSheet(parseSheet(bytes, index), { name, maxRows: left }, sink);
    sink.progress(done + 1, sheets.length);
  }
};

/** The rows of one sheet. The library behind it is young: nothing else may depend on it. */
async function* parseSheet(bytes: Uint8Array, sheet: number): AsyncGenerator<Row> {
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
    const cells = values.map(cellText);
    if (cells.some((cell) => cell !== '')) yield { index, cells };
  }
}

/** @returns how many rows were read */
async function readSheet(
  rows: AsyncIterable<Row>,
  { name, maxRows }: { name: string; maxRows: number },
  sink: Sink,
): Promise<number> {
  let count = 0;
  let previous: Row | undefined;
  let startsTable = true;
  let part: string | undefined = name;

  // A row is written when the next one is known: whether it is a header depends on it.
  function write(row: Row, next: Row | undefined): void {
    const cells = row.cells.slice(0, row.cells.findLastIndex((cell) => cell !== '') + 1);
    const header = startsTable && looksLikeHeader(cells, next?.cells);
    sink.block({
      kind: 'row',
      text: cells.join(' | '),
      cells,
      ...(header && { header }),
      ...(part !== undefined && { part }),
    });
    part = undefined;
    // An empty row, or a title alone in its row, stands between tables.
    startsTable = next !== undefined && (next.index > row.index + 1 || cells.filter(Boolean).length === 1);
  }

  for await (const row of rows) {
    if (count >= maxRows) {
      sink.unreadable({ why: `Sheet "${name}" was read only to row ${row.index}: the workbook has too many rows.` });
      break;
    }
    if (previous) write(previous, row);
    previous = row;
    count++;
  }
  if (previous) write(previous, undefined);
  return count;
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
