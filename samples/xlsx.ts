import { parseCsv } from 'hucre/csv';
import { writeXlsx } from 'hucre/xlsx';
import { stableZip } from './zip.ts';

export interface Sheet {
  name: string;
  /** The first row names the columns. */
  csv: string;
}

/** A workbook of plain sheets; what looks like a number in the source is a number in its cell. */
export async function buildXlsx(sheets: readonly Sheet[]): Promise<Uint8Array> {
  const bytes = await writeXlsx({
    sheets: sheets.map(({ name, csv }) => {
      const rows = parseCsv(csv.trim(), { delimiter: ';' }).map((row) => row.map((cell) => value(String(cell ?? ''))));
      const widths = (rows[0] ?? []).map((_, column) =>
        Math.max(...rows.map((row) => String(row[column] ?? '').length)),
      );
      return {
        name,
        rows,
        columns: widths.map((width) => ({ width: Math.min(width + 3, 60) })),
        freezePane: { rows: 1 },
      };
    }),
  });
  return stableZip(bytes, (_name, text) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T08:00:00Z'));
}

function value(cell: string): string | number {
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}
