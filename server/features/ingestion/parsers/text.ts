import type { Block } from '../document.ts';
import { readText } from '../encoding.ts';
import { splitText } from '../split.ts';
import type { Parser } from './parser.ts';

/** A paragraph longer than this is cut at the ends of sentences: a file may be one line. */
const maxParagraph = 2000;

/** Plain text: a paragraph ends at a blank line, and where every line stands for itself, at each line. */
export const parseText: Parser = async ({ path, limits }, sink) => {
  for (const block of textBlocks(await readText(path, limits))) sink.block(block);
};

export function* textBlocks(text: string): Generator<Block> {
  for (const paragraph of text.replace(/\r\n?|\f/g, '\n').split(/\n[^\S\n]*\n+/)) {
    for (const piece of pieces(paragraph)) yield { kind: 'paragraph', text: piece };
  }
}

function* pieces(paragraph: string): Generator<string> {
  const lines = paragraph.split('\n').filter((line) => line.trim() !== '');
  for (const text of areWrapped(lines) ? [lines.join('\n')] : lines) {
    for (const { start, end } of splitText(text, maxParagraph)) yield text.slice(start, end);
  }
}

/** Whether lines are one paragraph that was wrapped at a width, and not a list, an address or a log. */
function areWrapped(lines: string[]): boolean {
  if (lines.length < 2) return true;
  if (lines.filter((line) => /^\s*([-*•–+]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/i.test(line)).length >= 2) return false;
  const width = Math.max(...lines.map((line) => line.length));
  if (width > 200) return false;
  const full = lines.slice(0, -1).filter((line) => line.length >= width * 0.6).length;
  return width >= 40 && full >= (lines.length - 1) * 0.7;
}
