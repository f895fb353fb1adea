import { brotliCompressSync, deflateRawSync, deflateSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inflateAtOnce } from './inflate-at-once.ts';

const before = Object.getOwnPropertyDescriptor(globalThis, 'DecompressionStream');
const text = 'Parking permits cost 40 euros a year. '.repeat(5000);

beforeEach(inflateAtOnce);
afterEach(() => {
  if (before) Object.defineProperty(globalThis, 'DecompressionStream', before);
});

/** As pdf.js does it. */
async function inflated(format: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { readable, writable } = new DecompressionStream(format as CompressionFormat);
  const writer = writable.getWriter();
  await writer.ready;
  writer.write(bytes).then(() => writer.close());
  const pieces: Uint8Array[] = [];
  for await (const piece of readable) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('a part of a file comes out as it was', async () => {
  expect(await inflated('deflate', deflateSync(text))).toBe(text);
  expect(await inflated('brotli', brotliCompressSync(text))).toBe(text);
});

test('what follows a part is not looked at', async () => {
  const bytes = new Uint8Array(Buffer.concat([deflateSync(text), Buffer.from('\r\nendstream')]));
  expect(await inflated('deflate', bytes)).toBe(text);
});

test('what is damaged, or packed in another way, is left to pdf.js', async () => {
  const bytes = new Uint8Array(deflateSync(text));
  await expect(inflated('deflate', bytes.slice(0, 60))).rejects.toThrow('unexpected end of file');
  await expect(inflated('deflate', new Uint8Array(100))).rejects.toThrow('unknown compression method');
  await expect(inflated('deflate-raw', deflateRawSync(text))).rejects.toThrow(TypeError);
});
