import { type Options, parse } from 'csv-parse/sync';
import { readText } from '../encoding.ts';
import { ParseFailure } from '../reasons.ts';
import type { Parser } from './parser.ts';
import { writeSheet } from './sheet.ts';
import type { SheetRow } from './sheet-row.ts';

const delimiters = [',', ';', '\t', '|'];
/** Lines that are looked at to tell the delimiter. */
const sampleLines = 50;

/** A table as text, with whatever separates its cells. */
export const parseCsv: Parser = async ({ path, limits }, sink) => {
  const text = await readText(path, limits);
  const declared = /^sep=(.)\r?\n/.exec(text)?.[1];
  const delimiter = declared ?? delimiterOf(text);
  const body = declared === undefined ? text : text.slice(text.indexOf('\n') + 1);
  const records = readRecords(body, delimiter, limits.rows + 1);
  const rows: SheetRow[] = records
    .map((cells, index) => ({ index, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  await writeSheet(rows, { name: 'The table', maxRows: limits.rows, opensPart: false }, sink);
};

/** The one that divides the first lines most alike, and most often. */
function delimiterOf(text: string): string {
  const sample = text.split(/\r\n|\r|\n/, sampleLines).join('\n');
  const scored = delimiters.map((delimiter) => {
    const counts = readRecords(sample, delimiter, sampleLines)
      .map((cells) => cells.length)
      .filter((count) => count > 0);
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 1;
    const alike = counts.filter((count) => count === usual).length / Math.max(counts.length, 1);
    return { delimiter, score: usual > 1 ? alike * 10 + Math.min(usual, 10) / 10 : 0 };
  });
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).delimiter;
}

function readRecords(text: string, delimiter: string, to: number): string[][] {
  const options = { delimiter, to, bom: true, relax_column_count: true, skip_empty_lines: false } satisfies Options;
  try {
    return parse(text, { ...options, relax_quotes: true });
  } catch {
    // A quote that is never closed is a sign of inches.
    try {
      return parse(text, { ...options, quote: null });
    } catch {
      throw ParseFailure.of('damaged');
    }
  }
}
