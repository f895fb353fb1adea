import { analyze } from './analyze.ts';

/** The terms of a sentence, an item or a table row. */
export interface TermLine {
  terms: readonly string[];
  /** Of a table row the number of its terms that are its first cell, which says what the row is about; else 0. */
  label: number;
}

const cellGap = ' | ';
const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** A text as its terms, joined by blanks: a line for each sentence, and a tab behind the first cell of a row. */
export function toTermLines(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line.includes(cellGap)) lines.push(rowLine(line));
    else for (const { segment } of segmenter.segment(line)) lines.push(analyze(segment).join(' '));
  }
  return lines.filter((line) => line.trim() !== '').join('\n');
}

/** What `toTermLines` wrote, read again. */
export function readTermLines(lines: string): TermLine[] {
  return lines.split('\n').map((line) => {
    const tab = line.indexOf('\t');
    const label = tab === -1 ? [] : splitTerms(line.slice(0, tab));
    return { terms: [...label, ...splitTerms(line.slice(tab + 1))], label: label.length };
  });
}

function rowLine(line: string): string {
  const [first = '', ...others] = line.split(cellGap).filter((cell) => analyze(cell).length > 0);
  return `${analyze(first).join(' ')}\t${analyze(others.join(cellGap)).join(' ')}`;
}

/** Terms that were joined by blanks. */
export function splitTerms(terms: string): string[] {
  return terms === '' ? [] : terms.split(' ');
}
