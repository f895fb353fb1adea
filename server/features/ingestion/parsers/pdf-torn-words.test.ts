import { LiteParse } from '@llamaindex/liteparse';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { expect, test } from 'vitest';
import { withFile } from '../fixtures.ts';
import { config, PageLayout } from './pdf-layout.ts';
import { openPdfText } from './pdf-text.ts';

/** Of the size of letters. */
const blankWithin = 0.15;
const size = 11;

/** `|` stands within a word, where its letters are apart. */
async function makeLetters(lines: string[], within: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([595, 842]);
  for (const [row, line] of lines.entries()) {
    let x = 60;
    for (const word of line.split(' ')) {
      for (const part of word.split('|')) {
        page.drawText(part, { x, y: 700 - row * 16, size, font });
        x += font.widthOfTextAtSize(part, size) + size * within;
      }
      x += size * (0.3 - within);
    }
  }
  return document.save();
}

const torn = [
  't|he right of t|he c|hild to education is t|hat of t|he State',
  'and of t|he person who c|laims it under t|his artic|le of t|he law',
];

/** The page as the layout reader has it, and as it is laid out where pdf.js reads another file in its place. */
async function layOut(drawn: Uint8Array, said: Uint8Array) {
  return withFile(drawn, async (path) => {
    const { pages } = await new LiteParse(config).parse(path);
    const [page] = pages;
    if (!page) throw new Error('no page');
    return withFile(said, async (other) => {
      const text = await openPdfText(other);
      const layout = new PageLayout(async () => text);
      const { blocks = [] } = await layout.of(page);
      await text.close();
      return {
        read: page.textItems.map((item) => item.text).join(' '),
        laidOut: blocks.map((block) => block.text).join(' '),
      };
    });
  });
}

test('words that the layout reader has torn are those of pdf.js, where it has them whole', async () => {
  const { read, laidOut } = await layOut(await makeLetters(torn, blankWithin), await makeLetters(torn, 0));
  expect(read).toContain('t he right of t he c hild');
  expect(laidOut).toBe(torn.join(' ').replaceAll('|', ''));
});

test('where pdf.js has no others they stay, as they do where few letters stand alone', async () => {
  const both = await makeLetters(torn, blankWithin);
  expect((await layOut(both, both)).laidOut).toContain('t he right of t he c hild');
  const few = await layOut(await makeLetters(torn.slice(1, 2), blankWithin), await makeLetters(torn, 0));
  expect(few.laidOut).toContain('t he person who c laims');
});
