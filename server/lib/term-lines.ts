import { analyze } from './analyze.ts';

type Language = IndexedText['language'];

/** A chunk as its terms are made of it. */
export interface IndexedText {
  /** The file's name. */
  title: string;
  /** What the document says of itself on its first page: its title, whose it is, its year. */
  about: string;
  heading: string;
  body: string;
  /** 1-based, where the format has pages. */
  page?: number | undefined;
  /** What it is written in (ISO 639-1); null or absent where that is not known. */
  language?: string | null;
}

/**
 * A chunk's terms as one text, which a search engine keeps and gives back, so that nothing need be analysed again: a
 * line with its page (which no question has as a term), one for its title, one for what its document is about, one for
 * its headings, then one for each sentence, item or row. Terms have a blank between them; a tab stands behind those of
 * a row's first cell, and behind those of a title but for what is in brackets at its end.
 * @returns the lines of title, with what it is about, and headings by themselves, too
 */
export function toTermLines(chunk: IndexedText) {
  const { language } = chunk;
  const title = titleLine(chunk.title, language);
  const about = [...new Set(analyze(splitName(chunk.about), language))].join(' ');
  const heading = analyze(chunk.heading, language).join(' ');
  const page = chunk.page === undefined ? '' : `#${chunk.page}`;
  return {
    title: `${title} ${about}`,
    heading,
    terms: [page, title, about, heading, ...bodyLines(chunk.body, language)].join('\n'),
  };
}

/** The terms of a chunk's document, of what `toTermLines` wrote: its name, and what it says of itself. */
export function documentTermsOf(terms: string): ReadonlySet<string> {
  const [, title = '', about = ''] = terms.split('\n', 3);
  return new Set(`${title} ${about}`.split(/\s+/));
}

/**
 * The words of a name that are glued together: `2018FinancialReport` is also `2018 Financial Report`. A name is given
 * whole, too, since people ask for it as they see it.
 */
export function splitName(name: string): string {
  const words = name
    .replace(/[_+~]+/g, ' ')
    .replace(gluedWords, ' ')
    .replace(/(?<=\p{L}{2})-(?=\d)|(?<=\d)-(?=\p{L}{2})|(?<=\p{L}{2})\.(?=\p{L}{2})/gu, ' ');
  return words === name ? name : `${name} ${words}`;
}

/** Between a small and a capital letter, before the last of several capitals, between letters and a number. */
const gluedWords =
  /(?<=\p{Ll})(?=\p{Lu}\p{Ll})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}{2})(?=\d)|(?<=\d{2})(?=\p{L}{2})/gu;

const cellGap = ' | ';
/** Without one a line is one sentence, which the segmenter takes a hundred times as long to say. */
const sentenceEnd = /[\p{Sentence_Terminal}\u2028\u2029\u0085\r]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** A name without its extension, and what stands in brackets at its end (`Handbook (draft)`) apart. */
function titleLine(name: string, language: Language): string {
  const [main = '', rest = ''] = name.replace(/(?<=.)\.[a-z0-9]{2,5}$/i, '').split(/(?=\s\([^()]*\)$)/);
  return `${[...new Set(analyze(splitName(main), language))].join(' ')}\t${analyze(rest, language).join(' ')}`;
}

function bodyLines(text: string, language: Language): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line.includes(cellGap)) lines.push(rowLine(line, language));
    else if (!sentenceEnd.test(line)) lines.push(analyze(line, language).join(' '));
    else for (const { segment } of segmenter.segment(line)) lines.push(analyze(segment, language).join(' '));
  }
  return lines.filter((line) => line.trim() !== '');
}

function rowLine(line: string, language: Language): string {
  const [first = '', ...others] = line.split(cellGap).filter((cell) => analyze(cell).length > 0);
  return `${analyze(first, language).join(' ')}\t${analyze(others.join(cellGap), language).join(' ')}`;
}
