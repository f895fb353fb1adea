import { readFile } from 'node:fs/promises';
import type { PageInput, TextItem } from '@llamaindex/liteparse';
import { getDocument, Util } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { ParseFailure } from '../reasons.ts';
import { inflateAtOnce } from './inflate-at-once.ts';
import { plainLetters } from './pdf-letters.ts';

/** The text of a PDF without its layout. */
export interface PdfText {
  readonly pages: number;
  /** @param page 1-based */
  paragraphs(page: number): Promise<string[]>;
  /** Its runs of text with their places, for the layout reader. */
  layout(page: number): Promise<PageInput>;
  close(): Promise<void>;
}

interface Line {
  text: string;
  /** Baseline, growing upwards. */
  y: number;
  height: number;
}

/** Of the size of letters, what is above the line they stand on. */
const ascent = 0.8;

/** @throws ParseFailure `password`, `damaged` */
export async function openPdfText(path: string): Promise<PdfText> {
  inflateAtOnce();
  const task = getDocument({
    data: new Uint8Array(await readFile(path)),
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
  });
  const document = await task.promise.catch((error: unknown) => {
    throw ParseFailure.of(error instanceof Error && error.name === 'PasswordException' ? 'password' : 'damaged');
  });
  return {
    pages: document.numPages,
    async paragraphs(number) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      page.cleanup();
      const lines: Line[] = [];
      let line: Line | null = null;
      for (const item of items) {
        if (!('str' in item)) continue;
        line ??= { text: '', y: Number(item.transform[5]), height: item.height };
        line.text += item.str;
        line.height = Math.max(line.height, item.height);
        if (!item.hasEOL) continue;
        lines.push(line);
        line = null;
      }
      if (line) lines.push(line);
      return joinLines(lines.filter(({ text }) => text.trim() !== ''));
    },
    async layout(number) {
      const page = await document.getPage(number);
      const { width, height, transform } = page.getViewport({ scale: 1 });
      const { items } = await page.getTextContent();
      page.cleanup();
      const textItems = items.flatMap((item): TextItem[] => {
        if (!('str' in item) || item.str.trim() === '') return [];
        const [a, b, c, d, x, y] = Util.transform(transform, item.transform).map(Number);
        const size = Math.hypot(c ?? 0, d ?? 0);
        const rotation = (Math.round((Math.atan2(b ?? 0, a ?? 1) * 180) / Math.PI) + 360) % 360;
        return [
          {
            text: item.str,
            x: x ?? 0,
            y: (y ?? 0) - size * ascent,
            width: item.width,
            height: size,
            fontName: item.fontName,
            fontSize: size,
            words: [],
            ...(rotation !== 0 && { rotation }),
          },
        ];
      });
      return { pageNumber: number, pageWidth: width, pageHeight: height, textItems };
    },
    close: () => task.destroy(),
  };
}

/**
 * Lines of one size that follow each other closely are one paragraph; a word broken at a line's end is put together.
 */
function joinLines(lines: readonly Line[]): string[] {
  const paragraphs: string[] = [];
  let above: Line | undefined;
  for (const line of lines) {
    const text = plainLetters(line.text.trim());
    const gap = above ? above.y - line.y : 0;
    const height = Math.max(line.height, 1);
    const goesOn =
      above && gap > -height * 0.5 && gap < height * 1.8 && Math.abs(above.height - height) < height * 0.25;
    const before = goesOn ? paragraphs.pop() : undefined;
    if (before === undefined) paragraphs.push(text);
    else if (/\p{L}-$/u.test(before) && /^\p{Ll}/u.test(text)) paragraphs.push(before.slice(0, -1) + text);
    else paragraphs.push(`${before} ${text}`);
    above = line;
  }
  return paragraphs;
}
