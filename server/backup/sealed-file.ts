import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Decrypter, Encrypter } from 'age-encryption';

/**
 * Files in the age format (https://age-encryption.org/v1). What a file is sealed for is its header, and the library's;
 * what follows is a stream of chunks, which the engine's own cipher does in a quarter of the time.
 */
const cipher = 'chacha20-poly1305';
const chunkBytes = 64 * 1024;
const nonceBytes = 16;
const tagBytes = 16;
/** The last line of a header begins with it. */
const headerEnd = '\n--- ';
/** More than ours has, whose only recipient takes some 200 bytes. */
const maxHeaderBytes = 16 * 1024;

/** Something that is sealed for, and opened with. */
export interface SealingKey {
  recipient: string;
  identity: string;
}

/** The content as a sealed file: `age -d` opens it. */
export async function seal(content: Readable, { recipient, identity }: SealingKey): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  // Of nothing: behind its header are a nonce and one empty chunk.
  const empty = await encrypter.encrypt(new Uint8Array(0));
  const header = Buffer.from(empty.subarray(0, empty.length - nonceBytes - tagBytes));
  const nonce = randomBytes(nonceBytes);
  const key = await streamKey(header, nonce, identity);
  return Readable.from(sealed(content, Buffer.concat([header, nonce]), key), { objectMode: false });
}

/**
 * What is in a sealed file; its end is an error where a chunk is damaged or missing.
 * @throws Error where the file was not sealed for this identity, or its header is damaged
 */
export async function unseal(content: Readable, identity: string): Promise<Readable> {
  const pieces: AsyncIterator<Buffer> = content[Symbol.asyncIterator]();
  const { header, rest } = await readHeader(pieces);
  const key = await streamKey(header, rest.subarray(0, nonceBytes), identity);
  async function* payload() {
    yield rest.subarray(nonceBytes);
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  }
  return Readable.from(opened(payload(), key), { objectMode: false });
}

async function streamKey(header: Buffer, nonce: Buffer, identity: string): Promise<Buffer> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return Buffer.from(hkdfSync('sha256', await decrypter.decryptHeader(header), nonce, 'payload', 32));
}

/** The header, and what of the file was read with it: at least the nonce. */
async function readHeader(pieces: AsyncIterator<Buffer>): Promise<{ header: Buffer; rest: Buffer }> {
  let read = Buffer.alloc(0);
  while (true) {
    const last = read.indexOf(headerEnd);
    const end = last < 0 ? -1 : read.indexOf('\n', last + headerEnd.length);
    if (end >= 0 && read.length > end + nonceBytes)
      return { header: read.subarray(0, end + 1), rest: read.subarray(end + 1) };
    const next = await pieces.next();
    if (next.done || (end < 0 && read.length > maxHeaderBytes)) throw new Error('no header of the age format');
    read = Buffer.concat([read, next.value]);
  }
}

async function* sealed(content: AsyncIterable<Buffer>, head: Buffer, key: Buffer): AsyncGenerator<Buffer> {
  yield head;
  for await (const { chunk, nonce } of chunksOf(content, chunkBytes)) {
    const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
    yield Buffer.concat([sealing.update(chunk), sealing.final(), sealing.getAuthTag()]);
  }
}

async function* opened(content: AsyncIterable<Buffer>, key: Buffer): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const { chunk, nonce } of chunksOf(content, chunkBytes + tagBytes)) {
    const at = chunk.length - tagBytes;
    // An empty chunk stands in an empty file only: else bytes were cut off before it.
    if (at < 0 || (at === 0 && !isFirst)) throw new Error('the file is cut off');
    isFirst = false;
    const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
    opening.setAuthTag(chunk.subarray(at));
    yield Buffer.concat([opening.update(chunk.subarray(0, at)), opening.final()]);
  }
}

/** The content in pieces of the size, each with its nonce: its number, and whether it is the last. */
async function* chunksOf(
  content: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; nonce: Buffer }> {
  let number = 0;
  const nonceOf = (isLast: boolean) => {
    const nonce = Buffer.alloc(12);
    // Eleven bytes of number; six of them are more than any file has chunks.
    nonce.writeUIntBE(number++, 5, 6);
    nonce[11] = isLast ? 1 : 0;
    return nonce;
  };
  const held = Buffer.alloc(size);
  let used = 0;
  for await (const piece of content) {
    for (let at = 0; at < piece.length; ) {
      // Whether it is the last is known by the next byte.
      if (used === size) {
        yield { chunk: held, nonce: nonceOf(false) };
        used = 0;
      }
      const taken = piece.copy(held, used, at, at + size - used);
      used += taken;
      at += taken;
    }
  }
  yield { chunk: held.subarray(0, used), nonce: nonceOf(true) };
}
