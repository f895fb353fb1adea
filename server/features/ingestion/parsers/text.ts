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
    const lines = paragraph.split('\n').filter((line) => line.trim() !== '');
    const heading = headingOf(lines);
    if (heading) {
      yield heading.block;
      lines.splice(0, heading.lines);
    }
    for (const line of joinLines(lines)) {
      const kind = bullet.test(line) ? 'item' : 'paragraph';
      for (const { start, end } of splitText(line, maxParagraph)) yield { kind, text: line.slice(start, end) };
    }
  }
}

/** What begins an item of a list. */
const bullet = /^\s*([-*•–+]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/i;
const maxHeadingLength = 70;

/** A line that is underlined, or stands alone in capitals or with a number of more than one part. */
function headingOf([first = '', second, ...rest]: string[]): { block: Block; lines: number } | null {
  const text = first.trim();
  if (text.length > maxHeadingLength) return null;
  const underline = /^\s*(=|-|~)\1{2,}\s*$/.exec(second ?? '')?.[1];
  if (underline) return { block: { kind: 'heading', level: underline === '=' ? 1 : 2, text }, lines: 2 };
  if (second !== undefined || rest.length > 0) return null;
  const isCapitals = /^(?=.*\p{Lu}{3})[\p{Lu}\s,:&-]+$/u.test(text);
  const parts = /^(\d{1,2}(?:\.\d{1,2})+)\.?\s+\p{Lu}[^.!?;]*$/u.exec(text)?.[1]?.split('.').length;
  const level = isCapitals ? 2 : parts && Math.min(parts, 6);
  return level ? { block: { kind: 'heading', level, text }, lines: 1 } : null;
}

/** The lines of a paragraph as it was before it was wrapped; what follows a bullet goes on to the next one. */
function joinLines(lines: readonly string[]): string[] {
  const width = Math.max(0, ...lines.map((line) => line.length));
  const bullets = lines.filter((line) => bullet.test(line)).length;
  if (bullets < 2 && bullets < lines.length && areWrapped(lines, width))
    return lines.length > 0 ? [lines.join('\n')] : [];
  const joined: string[] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1] ?? '';
    const last = joined.at(-1);
    const goesOn =
      last !== undefined &&
      bullet.test(last) &&
      !bullet.test(line) &&
      (indentOf(line) > indentOf(last) || (width >= 40 && before.length >= width * 0.8));
    if (goesOn) joined[joined.length - 1] = `${last}\n${line}`;
    else joined.push(line);
  }
  return joined;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether lines are one paragraph that was wrapped at a width, and not a list, an address or a log. */
function areWrapped(lines: readonly string[], width: number): boolean {
  if (lines.length < 2) return true;
  if (width > 200) return false;
  const full = lines.slice(0, -1).filter((line) => line.length >= width * 0.6).length;
  return width >= 40 && full >= (lines.length - 1) * 0.7;
}
