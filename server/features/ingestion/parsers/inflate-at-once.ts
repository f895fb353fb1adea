import { brotliDecompressSync, inflateSync } from 'node:zlib';

/** Of what is larger, pdf.js inflates itself as much as it needs. */
const limits = { chunkSize: 64 * 1024, maxOutputLength: 128 * 1024 * 1024 };
const inflates: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  deflate: (bytes) => inflateSync(bytes, limits),
  brotli: (bytes) => brotliDecompressSync(bytes, limits),
};

/** As much of the web's `DecompressionStream` as pdf.js makes use of: all of the bytes in one piece, and out again. */
class DecompressionAtOnce {
  #bytes = new Uint8Array();
  readonly #inflate: ((bytes: Uint8Array) => Uint8Array) | undefined;

  constructor(format: string) {
    this.#inflate = inflates[format];
  }

  readonly writable = {
    getWriter: () => ({
      ready: Promise.resolve(),
      write: async (bytes: Uint8Array<ArrayBuffer>) => {
        this.#bytes = bytes;
      },
      close: async () => {},
    }),
  };

  /** @throws where the bytes are damaged: pdf.js then inflates itself what can be */
  get readable(): AsyncIterable<Uint8Array> {
    const inflated = () => this.#inflate?.(this.#bytes);
    return {
      async *[Symbol.asyncIterator]() {
        const bytes = inflated();
        if (!bytes) throw new TypeError('A compression that is not known.');
        yield bytes;
      },
    };
  }
}

/**
 * Has pdf.js inflate each part of a file in one go, for this process. By Node's streams, whose bytes go through
 * another thread and eight queues, small parts take several times as long, and a page has a dozen.
 */
export function inflateAtOnce(): void {
  Object.defineProperty(globalThis, 'DecompressionStream', {
    value: DecompressionAtOnce,
    configurable: true,
    writable: true,
  });
}
