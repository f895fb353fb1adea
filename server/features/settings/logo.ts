import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';
import { AppError } from '#contract/errors.ts';
import { brandBounds } from '#contract/settings.ts';
import { pngChunk } from '#server/lib/png-chunk.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples of a pixel by the colour types that are taken: RGB, and RGB with alpha. */
const samples = new Map([
  [2, 3],
  [6, 4],
]);

/** Beside what the process does for others: pixels can be such that packing them takes a tenth of a second. */
const [pack, unpack] = [
  promisify<Buffer, Buffer>(deflate),
  promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
];

/**
 * Writes a picture anew from its pixels, so that nothing else of what was sent is ever shown: no text, no colour
 * profile, nothing behind its end.
 * @param base64 a PNG of 8 bits a channel, not interlaced
 * @throws AppError `invalid-logo`
 */
export async function writeLogo(base64: string): Promise<{ logo: Buffer; logoHash: string }> {
  try {
    const logo = await rewritten(Buffer.from(base64, 'base64'));
    return { logo, logoHash: createHash('sha256').update(logo).digest('hex').slice(0, 32) };
  } catch (error) {
    throw new AppError('invalid-logo', { cause: error });
  }
}

async function rewritten(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > brandBounds.logoBytes || !bytes.subarray(0, 8).equals(signature)) throw new Error('no PNG');
  let header: Buffer | null = null;
  const data: Buffer[] = [];
  for (const { type, content } of chunksOf(bytes)) {
    if (type === 'IHDR') header ??= content;
    if (type === 'IDAT') data.push(content);
    if (type === 'IEND') break;
  }
  if (header?.length !== 13) throw new Error('no header');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const perPixel = samples.get(header[9] ?? -1);
  const isPlain = header[8] === 8 && header[10] === 0 && header[11] === 0 && header[12] === 0;
  const fits = width > 0 && height > 0 && width <= brandBounds.logoWidth && height <= brandBounds.logoHeight;
  if (!isPlain || perPixel === undefined || !fits) throw new Error('another kind of PNG, or too large');
  const line = 1 + width * perPixel;
  // Never more than the pixels take, whatever the data would grow to.
  const pixels = await unpack(Buffer.concat(data), { maxOutputLength: line * height });
  if (pixels.length !== line * height) throw new Error('pixels are missing');
  for (let row = 0; row < height; row += 1) if ((pixels[row * line] ?? 5) > 4) throw new Error('no such filter');
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', await pack(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function* chunksOf(bytes: Buffer): Generator<{ type: string; content: Buffer }> {
  let at = 8;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) throw new Error('cut off');
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) throw new Error('damaged');
    yield { type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, end) };
    at = end + 4;
  }
}
