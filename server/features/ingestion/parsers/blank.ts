import { inflateSync } from 'node:zlib';
import { LiteParse } from '@llamaindex/liteparse';

/** Pixels of the longer side of a page when it is looked at: a letter of common print still darkens one. */
const longSide = 420;
/** Of each side: what a scanner shows there is the edge of the paper. */
const margin = 0.04;
/** Of 255: how far a pixel differs from the paper to be ink. Grain of paper and of a scanner differs less. */
const contrast = 48;
/** Of all pixels. A page number alone has more. */
const maxInk = 0.0001;
/** In a picture in which no words were found: specks, a punched hole, the shadow of a fold. */
const maxSpecks = 0.003;

/**
 * Whether nothing is drawn on a page but its paper, of whatever colour.
 * @param page 1-based; `width` and `height` in points
 * @param wordless no words were recognised in it: what little there is on it is none
 */
export async function isBlankPage(
  path: string,
  { pageNum, width, height }: { pageNum: number; width: number; height: number },
  { wordless = false } = {},
): Promise<boolean> {
  const dpi = Math.max(1, Math.round((longSide / Math.max(width, height, 1)) * 72));
  const reader = new LiteParse({ ocrEnabled: false, dpi, quiet: true, numWorkers: 1, maxPages: 1_000_000 });
  const [picture] = await reader.screenshot(path, [pageNum]).catch(() => []);
  const shades = picture && shadesOf(picture.imageBuffer);
  return shades !== undefined && inkOf(shades) <= (wordless ? maxSpecks : maxInk);
}

interface Shades {
  columns: number;
  rows: number;
  /** A byte for each pixel. */
  values: Uint8Array;
}

/** Share of pixels that differ from most of them. */
function inkOf({ columns, rows, values }: Shades): number {
  const [side, top] = [Math.ceil(columns * margin), Math.ceil(rows * margin)];
  const counts = new Uint32Array(256);
  for (let row = top; row < rows - top; row++)
    for (let column = side; column < columns - side; column++) {
      const shade = values[row * columns + column] ?? 0;
      counts[shade] = (counts[shade] ?? 0) + 1;
    }
  const paper = counts.indexOf(Math.max(...counts));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const ink = counts.reduce((sum, count, shade) => sum + (Math.abs(shade - paper) > contrast ? count : 0), 0);
  return all === 0 ? 0 : ink / all;
}

/** The shades of grey of a PNG with four bytes a pixel, as the reader draws it; undefined of any other. */
function shadesOf(png: Uint8Array): Shades | undefined {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.length);
  const [columns, rows] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  // Eight bits, colours with transparency, rows in their order.
  if (bytes.toString('hex', 24, 29) !== '0806000000') return undefined;
  const packed: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const lines = inflateSync(Buffer.concat(packed));
  const width = columns * 4;
  const values = new Uint8Array(columns * rows);
  let above = new Uint8Array(width);
  for (let row = 0; row < rows; row++) {
    const start = row * (width + 1);
    const line = unfiltered(lines.subarray(start + 1, start + 1 + width), lines[start] ?? 0, above);
    for (let column = 0, at = 0; column < columns; column++, at += 4)
      values[row * columns + column] = Math.round(((line[at] ?? 0) + (line[at + 1] ?? 0) + (line[at + 2] ?? 0)) / 3);
    above = line;
  }
  return { columns, rows, values };
}

/** A line of a PNG as it was before it was filtered (ISO/IEC 15948, 9.2). */
function unfiltered(filtered: Uint8Array, filter: number, above: Uint8Array): Uint8Array<ArrayBuffer> {
  const line = new Uint8Array(filtered.length);
  for (let at = 0; at < line.length; at++) {
    const a = at < 4 ? 0 : (line[at - 4] ?? 0);
    const b = above[at] ?? 0;
    const c = at < 4 ? 0 : (above[at - 4] ?? 0);
    const guess = filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : filter === 4 ? paeth(a, b, c) : 0;
    line[at] = (filtered[at] ?? 0) + guess;
  }
  return line;
}

function paeth(a: number, b: number, c: number): number {
  const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
}
