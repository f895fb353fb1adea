import { analyze } from './analyze.ts';

/**
 * A chunk's terms as one text, which a search engine keeps and gives back, so that nothing need be analysed again: a
 * line for its title, one for its headings, then one for each sentence, item or row. Terms have a blank between them;
 * a tab stands behind those of a row's first cell, and behind those of a title but for what is in brackets at its end.
 * @returns the lines of title and headings by themselves, too
 */
export function toTermLines(chunk: { title: string; heading: string; body: string }) {
  const [title, heading] = [titleLine(chunk.title), analyze(chunk.heading).join(' ')];
  return { title, heading, terms: [title, heading, ...bodyLines(chunk.body)].join('\n') };
}

const cellGap = ' | ';
const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** A name without its extension, and what stands in brackets at its end (`Handbook (draft)`) apart. */
function titleLine(name: string): string {
  const [main = '', rest = ''] = name.replace(/(?<=.)\.[a-z0-9]{2,5}$/i, '').split(/(?=\s\([^()]*\)$)/);
  return `${analyze(main).join(' ')}\t${analyze(rest).join(' ')}`;
}

function bodyLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line.includes(cellGap)) lines.push(rowLine(line));
    else for (const { segment } of segmenter.segment(line)) lines.push(analyze(segment).join(' '));
  }
  return lines.filter((line) => line.trim() !== '');
}

function rowLine(line: string): string {
  const [first = '', ...others] = line.split(cellGap).filter((cell) => analyze(cell).length > 0);
  return `${analyze(first).join(' ')}\t${analyze(others.join(cellGap)).join(' ')}`;
}
