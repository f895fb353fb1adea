import { neutralizeMarkers } from '#contract/citations.ts';
import type { Wording } from './agent/wording.ts';
import type { Emphasis } from './extract/short-answer.ts';
import type { Unit } from './extract/unit.ts';
import type { PlacedQuote } from './verify-quotes.ts';

/** A checked quote with its number in the answer and its id in the link to the passage. */
export interface CitedQuote extends PlacedQuote, Unit {
  id: string;
  n: number;
  name: string;
  /** The short answer in it. */
  emphasis?: Emphasis;
  /** Of a row with many cells, those that are shown. */
  columns?: number[];
  /** It was found beside those that answer: not part of the answer's text. */
  isSupporting?: boolean;
}

/** An answer made of quotes alone, said to be that. Each stands on its own with its number behind it. */
export function writeAnswer(cited: CitedQuote[], { oneQuote, quotes }: Pick<Wording, 'oneQuote' | 'quotes'>): string {
  const lead = cited.length === 1 ? oneQuote : quotes;
  return [lead, ...cited.map((quote) => `> ${neutralizeMarkers(shown(quote))} [${quote.n}]`)].join('\n\n');
}

/**
 * The words of the quote; of a table row each cell with the name of its column, and of a wide one those that are asked
 * for.
 */
function shown({ text, row, columns }: CitedQuote): string {
  if (row?.isMailHead && row.cells.length === 2) return row.cells.join(': ');
  if (!row?.header || row.cells.length < 2) return text;
  const { header, cells, unit } = row;
  const some = cells
    .map((cell, i) => ({ name: header[i]?.trim() ?? '', cell: cell.trim(), isShown: columns?.includes(i) ?? true }))
    .filter(({ cell, isShown }) => cell !== '' && isShown)
    .map(({ name, cell }) => (name === '' ? cell : `${name}: ${cell}`));
  // What the figures count stands above the table, and not in what is quoted of it.
  const counted = unit !== undefined && !header.some((name) => name.includes(unit)) ? ` (${unit})` : '';
  return `${some.join(' · ')}${counted}`;
}
