import type { PDFFont } from 'pdf-lib';
import type { Run } from './markdown.ts';

export interface Fonts {
  regular: PDFFont;
  bold: PDFFont;
  italic: PDFFont;
}

/** A stretch of a line in one font. */
export interface Piece {
  text: string;
  font: PDFFont;
}

export type Line = Piece[];

/** Where words may break, from a list of words written with their breaks ("ware-house"). */
export type Breaks = ReadonlyMap<string, readonly number[]>;

export function readBreaks(list: string): Breaks {
  return new Map(
    list.split(/\s+/).map((entry) => {
      const points: number[] = [];
      let length = 0;
      for (const part of entry.split('-').slice(0, -1)) {
        length += part.length;
        points.push(length);
      }
      return [entry.replaceAll('-', ''), points];
    }),
  );
}

/** Fills lines of a width in points from the left, and breaks a word with a hyphen where it may break. */
export function breakLines(runs: readonly Run[], fonts: Fonts, size: number, width: number, breaks: Breaks): Line[] {
  const lines: Line[] = [];
  let line: Line = [];
  for (let word of wordsOf(runs, fonts)) {
    for (;;) {
      const longer = joined(line, word);
      if (widthOf(longer, size) <= width) {
        line = longer;
        break;
      }
      const [head, tail] = broken(word, (part) => widthOf(joined(line, part), size) <= width, breaks) ?? [];
      if (head && tail) {
        lines.push(joined(line, head));
        word = tail;
      } else if (line.length > 0) {
        lines.push(line);
      } else {
        lines.push(word);
        word = [];
      }
      line = [];
      if (word.length === 0) break;
    }
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

export function widthOf(line: Line, size: number): number {
  return line.reduce((sum, { text, font }) => sum + font.widthOfTextAtSize(text, size), 0);
}

function wordsOf(runs: readonly Run[], fonts: Fonts): Line[] {
  const words: Line[] = [[]];
  for (const { text, bold, italic } of runs) {
    const font = bold ? fonts.bold : italic ? fonts.italic : fonts.regular;
    for (const [index, part] of text.split(' ').entries()) {
      if (index > 0) words.push([]);
      if (part !== '') words.at(-1)?.push({ text: part, font });
    }
  }
  return words.filter((word) => word.length > 0);
}

/** Neighbours in one font become one piece, so that a line is drawn, and later read, as a whole. */
function joined(line: Line, word: Line): Line {
  const [first, ...rest] = word;
  const last = line.at(-1);
  if (!first || !last) return [...line, ...word];
  if (last.font === first.font)
    return [...line.slice(0, -1), { text: `${last.text} ${first.text}`, font: last.font }, ...rest];
  return [...line.slice(0, -1), { text: `${last.text} `, font: last.font }, ...word];
}

function broken(word: Line, fits: (part: Line) => boolean, breaks: Breaks): [Line, Line] | undefined {
  const [piece] = word;
  if (!piece || word.length > 1) return undefined;
  const { text, font } = piece;
  const letters = /\p{L}+/u.exec(text);
  const points = letters ? (breaks.get(letters[0].toLowerCase()) ?? []) : [];
  for (const point of points.toReversed()) {
    const at = point + (letters?.index ?? 0);
    const head = [{ text: `${text.slice(0, at)}-`, font }];
    if (fits(head)) return [head, [{ text: text.slice(at), font }]];
  }
  return undefined;
}
