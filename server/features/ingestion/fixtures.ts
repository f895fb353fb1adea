/** Small files that tests make, and what a parser finds in them. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import { LiteParse } from '@llamaindex/liteparse';
import { degrees, PDFDocument, PDFString, StandardFonts } from 'pdf-lib';
import type { Block } from './document.ts';
import { cleanBlock } from './parsers/clean.ts';
import type { Parser, ParserLimits, Unreadable } from './parsers/parser.ts';

export const roomyLimits: ParserLimits = {
  pages: 5000,
  rows: 100_000,
  entries: 10_000,
  unpackedBytes: 2 ** 27,
  textBytes: 2 ** 24,
  mailBytes: 2 ** 24,
};

export interface Found {
  blocks: Block[];
  unreadable: Unreadable[];
  attachments: { name: string; bytes: Uint8Array }[];
  pages?: number;
  /** It asked for the time that recognising text takes. */
  isSlow?: true;
}

/** Runs a parser in this process, on bytes that are known to be harmless. */
export async function parseBytes(
  parser: Parser,
  bytes: Uint8Array | string,
  limits = roomyLimits,
  name?: string,
): Promise<Found> {
  const found: Found = { blocks: [], unreadable: [], attachments: [] };
  const parse = (path: string) =>
    parser(
      { path, limits },
      {
        block: (block) => found.blocks.push(...cleanBlock(block)),
        unreadable: (place) => found.unreadable.push(place),
        attachment: (name, attached) => found.attachments.push({ name, bytes: attached }),
        async slow() {
          found.isSlow = true;
        },
        progress() {},
        pages(count) {
          found.pages = count;
        },
      },
    );
  await withFile(bytes, parse, name);
  return found;
}

/** A file for as long as `use` runs. */
export async function withFile<T>(
  bytes: Uint8Array | string,
  use: (path: string) => Promise<T>,
  name = 'input.pdf',
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-fixture-'));
  try {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What a reader types over the first page, or notes on it: no program has drawn it yet. */
export function addRemark(document: PDFDocument, Subtype: string, contents: string, by?: string): void {
  const remark = {
    Type: 'Annot',
    Subtype,
    Rect: [300, 700, 420, 720],
    Contents: PDFString.of(contents),
    ...(by !== undefined && { T: PDFString.of(by) }),
  };
  document.getPage(0).node.addAnnot(document.context.register(document.context.obj(remark)));
}

/** A line of a page: its text, and its size in points (11 when left out; 16 and more is bold). */
export type PdfLine = string | [text: string, size: number];

/** A PDF with the given lines on its pages, from the top; an empty string is a gap. */
export async function makePdf(pages: PdfLine[][]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const plain = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  for (const lines of pages) {
    const page = document.addPage([595, 842]);
    let y = 700;
    for (const line of lines) {
      const [text, size] = typeof line === 'string' ? ([line, 11] as const) : line;
      if (text) page.drawText(text, { x: 60, y, size, font: size >= 16 ? bold : plain });
      y -= text ? size * 1.4 : 24;
    }
  }
  return document.save();
}

/** A page as it looks, as a PNG of 150 dots an inch. */
export async function makePicture(lines: PdfLine[]): Promise<Uint8Array> {
  return pictureOf(await makePdf([lines]));
}

/** The first page of a PDF as it looks, as a PNG of 150 dots an inch. */
export async function pictureOf(pdf: Uint8Array): Promise<Uint8Array> {
  const reader = new LiteParse({ ocrEnabled: false, extractScreenshots: true, dpi: 150, quiet: true });
  const { screenshots } = await reader.parse(pdf);
  if (!screenshots[0]) throw new Error('the page was not drawn');
  return screenshots[0].imageBuffer;
}

/** A picture in shades of grey. */
export function makePng(width: number, height: number, shade: (x: number, y: number) => number): Buffer {
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = Math.round(shade(x, y));
  return pngOf(width, height, deflateSync(lines));
}

/** @param data the lines of a picture in shades of grey, each behind the number of its filter, as zlib packs them */
export function pngOf(width: number, height: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const chunk = (type: string, content: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), content]);
    const whole = Buffer.alloc(body.length + 8);
    whole.writeUInt32BE(content.length, 0);
    body.copy(whole, 4);
    whole.writeUInt32BE(crc32(body), body.length + 4);
    return whole;
  };
  const chunks = [chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

/** A PDF whose pages are pictures of pages. `turned`: how many degrees clockwise they lie. */
export async function makeScan(pages: PdfLine[][], turned = 0): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const lines of pages) {
    const picture = await document.embedPng(await makePicture(lines));
    const [width, height] = turned % 180 === 0 ? [595, 842] : [842, 595];
    const page = document.addPage([width, height]);
    const corner = { 0: [0, 0], 90: [0, 595], 180: [595, 842], 270: [842, 0] }[turned] ?? [0, 0];
    page.drawImage(picture, {
      x: corner[0] ?? 0,
      y: corner[1] ?? 0,
      width: 595,
      height: 842,
      rotate: degrees(-turned),
    });
  }
  return document.save();
}

interface ZipEntry {
  name: string;
  content: string | Uint8Array;
  /** Lies about its inflated size. */
  declaredSize?: number;
  /** Not compressed. */
  stored?: boolean;
}

/** A Word, Excel or PowerPoint file of the given parts; `main` is what it is about. */
export function makeOffice(main: string, parts: Record<string, string>): Buffer {
  const related = `<Relationship Id="r1" Type="x/officeDocument" Target="${main}"/>`;
  return makeZip([
    { name: '_rels/.rels', content: `<Relationships>${related}</Relationships>` },
    ...Object.entries(parts).map(([name, content]) => ({ name, content })),
  ]);
}

/**
 * A Word file of a sentence and of so many bytes that no reader looks at: reading it takes no time, and sending it
 * does.
 */
export function makeHeavy(bytes: number): Buffer {
  const text = '<w:document><w:body><w:p><w:r><w:t>Much of this is not text.</w:t></w:r></w:p></w:body></w:document>';
  return makeZip([
    { name: '_rels/.rels', content: makeRelations(['officeDocument', 'word/document.xml']) },
    { name: 'word/document.xml', content: text },
    { name: 'word/media/0.bin', content: randomBytes(bytes), stored: true },
  ]);
}

/** Relationships of a part: pairs of a type and a target; their ids are r1, r2 … */
export function makeRelations(...relations: [type: string, target: string][]): string {
  const each = relations.map(
    ([type, target], index) => `<Relationship Id="r${index + 1}" Type="x/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${each.join('')}</Relationships>`;
}

/** An OpenDocument or EPUB file: what it is stands first, uncompressed. */
export function makeContainer(mediaType: string, parts: Record<string, string>): Buffer {
  return makeZip([
    { name: 'mimetype', content: mediaType, stored: true },
    ...Object.entries(parts).map(([name, content]) => ({ name, content })),
  ]);
}

export function makeZip(entries: ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, declaredSize, stored = false } of entries) {
    const bytes = Buffer.from(content);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(stored ? 0 : 8, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(declaredSize ?? bytes.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), shared, rest, Buffer.from(name)]));
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, listed, Buffer.from('PK\x05\x06'), end]);
}
