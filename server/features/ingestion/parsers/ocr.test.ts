import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addRemark,
  makePicture,
  makePng,
  makeScan,
  type PdfLine,
  parseBytes,
  pictureOf,
  roomyLimits,
} from '../fixtures.ts';
import { gaps } from '../reasons.ts';
import { findOcrLanguages, unpackOcrData } from '../sandbox/ocr-data.ts';
import { parseImage } from './image.ts';
import { textLines } from './ocr-layout.ts';
import type { ParserLimits } from './parser.ts';
import { parsePdf } from './pdf.ts';

/** Two lines that run upwards. */
const lying = readFileSync(new URL('./lying.jpg', import.meta.url));

/** A JPEG with a note of its camera on how it was held (EXIF). */
function withOrientation(jpeg: Uint8Array, value: number): Uint8Array {
  const exif = `ffe1 0022 457869660000 49492a0008000000 0100 1201 0300 01000000 0${value}000000 00000000`;
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from(exif.replaceAll(' ', ''), 'hex'), jpeg.subarray(2)]);
}

function expectAbout(box: readonly number[] | undefined, place: readonly number[]): void {
  for (const [side, value] of place.entries()) expect(Math.abs((box?.[side] ?? 9) - value)).toBeLessThan(0.06);
}

const letter: PdfLine[] = [
  ['Parking permits', 20],
  '',
  ['A permit for the garage costs 40 euros a year and', 14],
  ['is valid for one car only.', 14],
];

describe('text in pictures', { timeout: 120_000 }, () => {
  let dataPath: string;
  let limits: ParserLimits;
  beforeAll(async () => {
    dataPath = await mkdtemp(join(tmpdir(), 'footnote-ocr-'));
    await unpackOcrData(dataPath, findOcrLanguages(['eng', 'deu']));
    limits = { ...roomyLimits, ocr: { languages: ['eng', 'deu'], dataPath, pageMs: 60_000, totalMs: 120_000 } };
  });
  afterAll(() => rm(dataPath, { recursive: true }));

  test('scanned pages are read, and only those; each word has its place', async () => {
    const scan = await PDFDocument.load(await makeScan([letter]));
    scan.insertPage(0).drawText('This page is text, and it is read as that.', { x: 60, y: 700, size: 12 });
    scan.addPage();
    const { blocks, unreadable, pages } = await parseBytes(parsePdf, await scan.save(), limits);
    expect(pages).toBe(3);
    expect(unreadable).toEqual([]);
    expect(blocks.map(({ text, page }) => [page, text])).toEqual([
      [1, 'This page is text, and it is read as that.'],
      [2, 'Parking permits'],
      [2, 'A permit for the garage costs 40 euros a year and is valid for one car only.'],
    ]);
    const [left, top, right, bottom] = blocks[2]?.box ?? [0, 0, 0, 0];
    expect(left).toBeCloseTo(60 / 595, 1);
    expect(top).toBeGreaterThan(0.15);
    expect(right).toBeGreaterThan(left);
    expect(bottom).toBeLessThan(0.4);
  });

  // Where the title lies: at the top on the left of the page, before it is turned.
  test.each([
    [90, [0.83, 0.1, 0.85, 0.35]],
    [180, [0.65, 0.83, 0.9, 0.85]],
    [270, [0.15, 0.65, 0.17, 0.9]],
  ])('a page that lies turned by %i degrees; each word has its place on it', async (turned, place) => {
    const { blocks } = await parseBytes(parsePdf, await makeScan([letter], turned), limits);
    expect(blocks.map(({ text }) => text)).toEqual([
      'Parking permits',
      'A permit for the garage costs 40 euros a year and is valid for one car only.',
    ]);
    expectAbout(blocks[0]?.box, place);
  });

  test.each([
    ['as it lies', 1, [0.1, 0.39, 0.2, 0.88]],
    ['upright', 6, [0.12, 0.1, 0.61, 0.2]],
    ['upside down', 8, [0.39, 0.8, 0.88, 0.9]],
    ['turned by half', 3, [0.8, 0.12, 0.9, 0.61]],
  ])(
    'a picture that lies on its side, and is shown %s: words have their place as it is shown',
    async (_, value, place) => {
      const { blocks } = await parseBytes(parseImage, withOrientation(lying, value), limits, 'input.jpeg');
      expect(blocks.map(({ text }) => text)).toEqual(['Parking permits', 'A permit costs 40 euros a year.']);
      expectAbout(blocks[0]?.box, place);
    },
  );

  test('a layer of words that are none, as scanners write under a page that lay upside down, is not what is read', async () => {
    const scan = await PDFDocument.load(await makeScan([letter], 180));
    const layer = `
      Aluo 1e> auo JoJ pljeA si pue 1eaA e sojna Ov s3sod a8eJe6 a4} Jo} jluu4ad V
      sjluuJad 6upjJed spuels a43 03 p3>l)0| aq 3snuu pue 'a6Jeu> Jo aaJ} 'pJeA a43 ul p3>lJed aJe sap)Aq
      >lsap 3uoJJ a43 3e Jo} pa!ldde s! 3l`;
    for (const [index, line] of layer.trim().split('\n').entries())
      scan.getPage(0).drawText(line.trim(), { x: 60, y: 200 - index * 20, size: 8, opacity: 0 });
    const { blocks, unreadable } = await parseBytes(parsePdf, await scan.save(), limits);
    expect(unreadable).toEqual([]);
    expect(blocks.map(({ text }) => text)).toEqual([
      'Parking permits',
      'A permit for the garage costs 40 euros a year and is valid for one car only.',
    ]);
  });

  test('where the recognised words are none, the page is named, and the sure ones are kept', async () => {
    const printed = await PDFDocument.create();
    const page = printed.addPage([595, 842]);
    const greek = await printed.embedFont(StandardFonts.Symbol);
    page.drawText('Parking permits for the garage', { x: 60, y: 700, size: 16 });
    for (let line = 0; line < 12; line++)
      page.drawText('Ψηφισμα του δημου περι ξενων και φυλακων', { x: 60, y: 660 - line * 24, size: 14, font: greek });
    const scan = await PDFDocument.create();
    const picture = await scan.embedPng(await pictureOf(await printed.save()));
    scan.addPage([595, 842]).drawImage(picture, { x: 0, y: 0, width: 595, height: 842 });
    const { blocks, unreadable } = await parseBytes(parsePdf, await scan.save(), limits);
    expect(unreadable).toEqual([{ page: 1, why: gaps['few-words'] }]);
    expect(blocks.map(({ text }) => text).join(' ')).toContain('Parking permits for the garage');
  });

  test('a stamp on a scan does not keep it from being read', async () => {
    const scan = await PDFDocument.load(await makeScan([letter]));
    scan.getPage(0).drawText('Received 12 March', { x: 350, y: 40, size: 10 });
    const text = (await parseBytes(parsePdf, await scan.save(), limits)).blocks.map((block) => block.text).join(' ');
    expect(text).toContain('costs 40 euros a year');
    expect(text.match(/Received 12 March/g)).toHaveLength(1);
  });

  test('what was typed on a scan, and a note on it, stand behind what is printed', async () => {
    const scan = await PDFDocument.load(await makeScan([letter]));
    addRemark(scan, 'FreeText', 'Granted until 2027');
    addRemark(scan, 'Text', 'Ask the garage first.');
    const { blocks } = await parseBytes(parsePdf, await scan.save(), limits);
    expect(blocks.map(({ text }) => text).slice(-3)).toEqual([
      'A permit for the garage costs 40 euros a year and is valid for one car only.',
      'Granted until 2027',
      'Comment: Ask the garage first.',
    ]);
  });

  test('a picture file', async () => {
    const { blocks, pages } = await parseBytes(parseImage, await makePicture(letter), limits, 'input.png');
    expect(pages).toBe(1);
    expect(blocks.map(({ text }) => text).join(' ')).toContain('costs 40 euros a year');
  });

  test('without time, the pages are named that were not read', async () => {
    const scan = await PDFDocument.load(await makeScan([letter, letter]));
    scan.insertPage(0).drawText('This page is text.', { x: 60, y: 700, size: 12 });
    const ocr = { languages: ['eng'], dataPath, pageMs: 60_000, totalMs: 0 };
    const { blocks, unreadable } = await parseBytes(parsePdf, await scan.save(), { ...limits, ocr });
    expect(blocks).toHaveLength(1);
    expect(unreadable).toEqual([2, 3].map((page) => ({ page, why: expect.stringContaining('scanned pages') })));
  });

  test('a photograph is no reason to take long; a page of it is named, and what is written on it as text is read', async () => {
    const pdf = await PDFDocument.create();
    // Hills before a sky, with grain.
    const picture = makePng(600, 800, (x, y) => {
      const hill = 500 + 60 * Math.sin(x / 90) + 30 * Math.sin(x / 37);
      return (y < hill ? 210 - y / 8 : 60 + (y - hill) / 6) + ((x * 7919 + y * 104_729) % 13);
    });
    const photograph = await pdf.embedPng(picture);
    for (let page = 0; page < 2; page++) pdf.addPage([595, 842]).drawImage(photograph, { width: 595, height: 842 });
    pdf.getPage(1).drawText('Annual report', { x: 60, y: 700, size: 30 });
    const { blocks, unreadable, isSlow } = await parseBytes(parsePdf, await pdf.save(), limits);
    expect(isSlow).toBeUndefined();
    expect(blocks.map(({ text, page }) => [page, text])).toEqual([[2, 'Annual report']]);
    expect(unreadable).toEqual([1, 2].map((page) => ({ page, why: gaps['no-words'] })));
    expect(await parseBytes(parsePdf, await makeScan([letter]), limits)).toHaveProperty('isSlow', true);
  });

  test('a picture without words has no text, and one that is none is damaged', async () => {
    await expect(parseBytes(parseImage, await makePicture(['']), limits, 'input.png')).rejects.toMatchObject({
      code: 'no-text',
    });
    await expect(parseBytes(parseImage, 'no picture', limits, 'input.png')).rejects.toThrow();
  });
});

test('words of a line are put together in their order, whatever the height of their boxes', () => {
  const word = (text: string, x: number, y: number, height: number) => ({ text, x, y, width: text.length * 5, height });
  const items = [word('Invoice', 192, 72, 5), word('Doe', 46, 92, 13), word('John', 24, 97, 4), word('#:', 229, 73, 4)];
  expect(textLines(items).map(({ text }) => text)).toEqual(['Invoice #:', 'John Doe']);
});

test('a language without data is named with what to install', () => {
  expect(() => findOcrLanguages(['eng', 'xyz'])).toThrow(/xyz.*Install @tesseract\.js-data\/xyz/);
  expect(() => findOcrLanguages(['../../etc'])).toThrow('No data');
});
