/** Pages as their letters alone, so that words are found however a page spells and sets them. */

/** A part of one piece of text, in UTF-16 code units, end exclusive. */
export interface Span {
  item: number;
  start: number;
  end: number;
}

export interface Folded {
  /** The letters that count, of all pages. */
  letters: string;
  /** For each of them: where it comes from. */
  origin: { page: number; item: number; start: number; end: number }[];
  /** Those with a space before them. */
  spaced: Set<number>;
}

/** Runs of the folded text, end exclusive. */
export type Stretch = [from: number, to: number][];

/** Folds pages, each given as its pieces of text in reading order. */
export function fold(pages: readonly (readonly string[])[]): Folded {
  const origin: Folded['origin'] = [];
  const spaced: Folded['spaced'] = new Set();
  let text = '';
  for (const [page, items] of pages.entries()) {
    for (const [item, content] of items.entries()) {
      let start = 0;
      for (const character of content) {
        const end = start + character.length;
        const folded = letters(character);
        if (/\s/.test(character)) spaced.add(text.length);
        text += folded;
        for (let unit = 0; unit < folded.length; unit++) origin.push({ page, item, start, end });
        start = end;
      }
    }
  }
  return { letters: text, origin, spaced };
}

const variants: Record<string, string> = {
  '’': "'",
  '‘': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
};
/** Spaces and separators, hyphens and dashes, invisible characters, accents, and the bars between a table's cells. */
const ignored = /[\p{Z}\p{C}\p{M}\p{Pd}|−]/gu;

/** One character at a time, so that a quote and a page fold alike wherever a piece of text ends. */
export function letters(text: string): string {
  let folded = '';
  for (const character of text) {
    const plain = variants[character] ?? character;
    folded += plain.toLowerCase().normalize('NFKD').replace(ignored, '');
  }
  return folded;
}

/** For each page what the stretch covers of it, in order. */
export function spansOf(text: Folded, pages: readonly (readonly string[])[], stretch: Stretch): Span[][] {
  const marks: Span[][] = pages.map(() => []);
  for (const [from, to] of stretch) {
    const first = text.origin[from];
    const last = text.origin[to - 1];
    if (!first || !last) continue;
    for (let page = first.page; page <= last.page; page++) {
      const items = pages[page] ?? [];
      const lastItem = page === last.page ? last.item : items.length - 1;
      for (let item = page === first.page ? first.item : 0; item <= lastItem; item++) {
        const content = items[item] ?? '';
        const isFirst = page === first.page && item === first.item;
        const isLast = page === last.page && item === last.item;
        const start = isFirst ? first.start : content.length - content.trimStart().length;
        const end = isLast ? last.end : content.trimEnd().length;
        if (start < end) marks[page]?.push({ item, start, end });
      }
    }
  }
  return marks;
}
