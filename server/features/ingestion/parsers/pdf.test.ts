import { PDFDocument } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { makePdf, type PdfLine, parseBytes } from '../fixtures.ts';
import { parsePdf } from './pdf.ts';
import { openPdfText } from './pdf-text.ts';

const blocksOf = async (pages: PdfLine[][]) =>
  (await parseBytes(parsePdf, await makePdf(pages))).blocks.map(({ box: _box, ...block }) => block);
const body = (subject: string) => [
  `This page is about ${subject}, which every employee of the company should know well.`,
  'Whoever has a question about it asks the office, which answers within two days.',
];

describe('PDF', () => {
  test('headings, paragraphs and lists, each on its page', async () => {
    const blocks = await blocksOf([
      [['Annual leave', 20], '', ...body('leave')],
      [['Sick leave', 20], '', ...body('illness'), '', '1. Call the office.', '2. See a doctor.'],
    ]);
    expect(blocks).toContainEqual({ kind: 'heading', level: expect.any(Number), text: 'Annual leave', page: 1 });
    expect(blocks).toContainEqual({ kind: 'heading', level: expect.any(Number), text: 'Sick leave', page: 2 });
    expect(blocks).toContainEqual({ kind: 'paragraph', text: body('leave').join(' '), page: 1 });
    expect(blocks).toContainEqual({ kind: 'item', text: '1. Call the office.', page: 2 });
  });

  test('the words are those of the page: no escapes, emphasis, entities or links of a markup', async () => {
    const line = 'Compute a*b*c + x_y_z, 5 < 6 & 7 > 2; [link](http://x.example/z), [36], `code`, &amp; and a\\b.';
    const text = (await blocksOf([[...body('signs'), line, 'The end of it.']])).map((block) => block.text).join(' ');
    expect(text).toContain(line);
  });

  test('a word that a line end broke is put together', async () => {
    const text = (
      await blocksOf([['The company pays for every single train jour-', 'ney in the second class, and for hotels.']])
    )[0]?.text;
    expect(text).toBe('The company pays for every single train journey in the second class, and for hotels.');
  });

  test('no content is taken for a running head; repeated ones stay once, page numbers go', async () => {
    const pages = Array.from({ length: 6 }, (_, index) => [
      'Handbook of the Example Company',
      '',
      [`Subject ${index + 1}`, 20] as const,
      '',
      ...body(`subject ${'ABCDEF'[index]}`),
    ]);
    const document = await PDFDocument.load(
      await makePdf(pages.map((page) => page.map((line) => (typeof line === 'string' ? line : [...line])))),
    );
    for (const [index, page] of document.getPages().entries())
      page.drawText(`Page ${index + 1} of 6`, { x: 270, y: 20, size: 9 });
    const { blocks } = await parseBytes(parsePdf, await document.save());
    const text = blocks.map((block) => block.text).join('\n');
    for (const letter of 'ABCDEF') expect(text).toContain(`This page is about subject ${letter}`);
    expect(text).toContain('Handbook of the Example Company');
    expect(text).not.toMatch(/Page \d of 6/);
  });

  test('a page that is only a picture is reported, a blank one is not', async () => {
    const document = await PDFDocument.load(await makePdf([body('words')]));
    document.addPage();
    document.addPage().drawRectangle({ x: 50, y: 50, width: 300, height: 300 });
    const { blocks, unreadable, pages } = await parseBytes(parsePdf, await document.save());
    expect(pages).toBe(3);
    expect(blocks.length).toBeGreaterThan(0);
    expect(unreadable).toEqual([{ page: 3, why: expect.stringContaining('scan') }]);
  });

  test('a document without any text is a scan, or empty', async () => {
    const blank = await PDFDocument.create();
    blank.addPage();
    await expect(parseBytes(parsePdf, await blank.save())).rejects.toMatchObject({ code: 'nothing-inside' });
    blank.addPage().drawRectangle({ x: 50, y: 50, width: 300, height: 300 });
    await expect(parseBytes(parsePdf, await blank.save())).rejects.toMatchObject({ code: 'no-text' });
  });

  test('what cannot be opened is damaged', async () => {
    await expect(parseBytes(parsePdf, '%PDF-1.7\nnothing more')).rejects.toMatchObject({ code: 'damaged' });
    await expect(openPdfText('/nowhere')).rejects.toThrow('ENOENT');
  });
});
