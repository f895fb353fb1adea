import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { FileStore } from '#server/ports/files/port.ts';
import type { Line } from './rows.ts';

/** What the zip has to know of bytes. */
export interface Measured {
  size: number;
  storedSize: number;
  crc32: number;
}

/** Size and checksum of a stream, in constant memory. */
export async function measure(content: Readable, signal?: AbortSignal): Promise<{ size: number; crc32: number }> {
  let [size, sum] = [0, 0];
  for await (const piece of content) {
    signal?.throwIfAborted();
    size += piece.length;
    sum = crc32(piece, sum);
  }
  return { size, crc32: sum };
}

/** Stores a text under the key, deflated as it comes: it is never whole in memory. */
export async function storeDeflated(
  store: FileStore,
  key: string,
  text: AsyncIterable<string | Buffer> | Iterable<string | Buffer>,
): Promise<Measured> {
  let [size, storedSize, sum] = [0, 0, 0];
  const before = new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length;
      sum = crc32(piece, sum);
      done(null, piece);
    },
  });
  const after = new PassThrough();
  after.on('data', (piece: Buffer) => {
    storedSize += piece.length;
  });
  // Counting has set it going, and it is the store that reads it.
  after.pause();
  const stored = store.put(key, after);
  const filled = pipeline(Readable.from(text, { objectMode: false }), before, createDeflateRaw(), after);
  const [fill, put] = await Promise.allSettled([filled, stored]);
  // A full disk ends both, and is what the store tells.
  if (put.status === 'rejected') throw put.reason;
  if (fill.status === 'rejected') throw fill.reason;
  return { size, storedSize, crc32: sum };
}

/** Lines of JSON, some of them at a time. */
export async function* linesOf(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  let waiting = '';
  for await (const line of lines) {
    waiting += `${JSON.stringify(line)}\n`;
    if (waiting.length < 65_536) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}
