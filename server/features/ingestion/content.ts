import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import yauzl from 'yauzl';

/** A whole file, wherever it lies. */
export interface Content {
  /** In bytes. */
  size: number;
  /** Bytes from `start` on: `length` of them, or as many as there are. */
  read(start: number, length: number): Promise<Buffer>;
}

/**
 * Read at once, since what looks into a zip file asks for a few bytes at a time, and a store that is far has its pace.
 */
const blockBytes = 256 * 1024;

/** Content for what looks into zip files. */
export function contentReader(content: Content): yauzl.RandomAccessReader {
  return new ContentReader(content);
}

class ContentReader extends yauzl.RandomAccessReader {
  readonly #content: Content;
  #block: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(content: Content) {
    super();
    this.#content = content;
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#bytes(position, length).then(
      (bytes) => {
        if (bytes.length < length) return done(new Error('unexpected end of file'));
        bytes.copy(into, offset);
        done(null, length);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#range(start, end));
  }

  override close(done: (error: Error | null) => void): void {
    done(null);
  }

  async *#range(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; at += blockBytes) yield await this.#content.read(at, Math.min(blockBytes, end - at));
  }

  async #bytes(start: number, length: number): Promise<Buffer> {
    const { start: first, bytes } = this.#block;
    if (start < first || start + length > first + bytes.length)
      this.#block = { start, bytes: await this.#content.read(start, Math.max(length, blockBytes)) };
    const from = start - this.#block.start;
    return this.#block.bytes.subarray(from, from + length);
  }
}

/** Does something with the content of a local file. @throws what opening it throws */
export async function withContent<T>(path: string, use: (content: Content) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await use({ size: (await file.stat()).size, read: (start, length) => bytesOf(file, start, length) });
  } finally {
    await file.close();
  }
}

async function bytesOf(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
