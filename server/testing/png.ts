import { deflateSync } from 'node:zlib';
import { pngChunk } from '#server/lib/png-chunk.ts';

/** A PNG for tests, right or wrong. */
export function png({
  width,
  height,
  interlace = 0,
  text,
  data,
}: {
  width: number;
  height: number;
  interlace?: number;
  /** Of a chunk of words. */
  text?: string;
  /** In place of the pixels. */
  data?: Buffer;
}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    ...(text === undefined ? [] : [pngChunk('tEXt', Buffer.from(text))]),
    pngChunk('IDAT', data ?? deflateSync(Buffer.alloc(height * (1 + width * 4)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
