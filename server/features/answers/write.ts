import { neutralizeMarkers } from '#contract/citations.ts';
import type { Claim } from './citation-check.ts';
import type { Emphasis } from './emphasis.ts';
import type { Unit } from './unit.ts';

/** A checked quote with its number in the answer and its id in the link to the passage. */
export interface CitedQuote extends Claim, Unit {
  id: string;
  n: number;
  name: string;
  /** The short answer in it. */
  emphasis?: Emphasis;
}

/** A row with more cells than this is shown as it stands: named one by one it would be longer than the table. */
const mostNamedCells = 8;

/** An answer made of quotes alone, said to be that. Each stands on its own with its number behind it. */
export function writeAnswer(cited: CitedQuote[]): string {
  const lead = cited.length === 1 ? 'Your documents say:' : 'Your documents say in these places:';
  return [lead, ...cited.map((quote) => `> ${neutralizeMarkers(shown(quote))} [${quote.n}]`)].join('\n\n');
}

/** The words of the quote; of a table row each cell with the name of its column. */
function shown({ text, row }: CitedQuote): string {
  if (!row?.header || row.cells.length > mostNamedCells || row.cells.length < 2) return text;
  const { header, cells } = row;
  return cells
    .map((cell, i) => ({ name: header[i]?.trim() ?? '', cell: cell.trim() }))
    .filter(({ cell }) => cell !== '')
    .map(({ name, cell }) => (name === '' ? cell : `${name}: ${cell}`))
    .join(' · ');
}
