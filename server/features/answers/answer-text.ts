import type { Source } from '#contract/calls/answers.ts';
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
function shown(quote: CitedQuote): string {
  const { text, row } = quote;
  if (row?.isMailHead && row.cells.length === 2) return row.cells.join(': ');
  const shownRow = shownRowOf(quote);
  if (!shownRow) return text;
  const { cells, unit } = shownRow;
  const words = cells.map(({ head, text: cell }) => (head === '' ? cell : `${head}: ${cell}`)).join(' · ');
  return unit === undefined ? words : `${words} (${unit})`;
}

/** The cells that are shown of a row below named columns; undefined of anything else. */
export function shownRowOf({ text, row, columns, emphasis }: CitedQuote): ShownRow | undefined {
  if (row?.isMailHead || !row?.header || row.cells.length < 2) return undefined;
  const { header, cells, unit } = row;
  let from = 0;
  const placed = cells.map((cell, i) => {
    const start = text.indexOf(cell, from);
    if (start >= 0) from = start + cell.length;
    const isAsked = emphasis !== undefined && start >= 0 && emphasis.start >= start && emphasis.end <= from;
    return { head: header[i]?.trim() ?? '', text: cell.trim(), isAsked, isShown: columns?.includes(i) ?? true };
  });
  const some = placed.filter((cell) => cell.text !== '' && cell.isShown);
  const asked = some.findIndex(({ isAsked }) => isAsked);
  return {
    cells: some.map(({ head, text: cell }) => ({ head, text: cell })),
    // What the figures count stands above the table, and not in what is quoted of it.
    ...(unit !== undefined && !header.some((name) => name.includes(unit)) ? { unit } : {}),
    ...(asked < 0 ? {} : { asked }),
  };
}

type ShownRow = NonNullable<Source['row']>;
