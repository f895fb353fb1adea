import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { describe, expect, test } from 'vitest';
import { type SealingKey, seal, unseal } from './sealed-file.ts';

const chunk = 64 * 1024;
const sizes = [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 200_000];

async function newKey(): Promise<SealingKey> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Pieces as a disk or a network gives them, which end anywhere. */
function inPieces(bytes: Uint8Array, size = 10_007): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    Buffer.from(bytes.subarray(i * size, (i + 1) * size)),
  );
  return Readable.from(pieces, { objectMode: false });
}

const sealed = async (bytes: Uint8Array, key: SealingKey) => buffer(await seal(inPieces(bytes), key));
const opened = async (bytes: Uint8Array, { identity }: SealingKey, size?: number) =>
  buffer(await unseal(inPieces(bytes, size), identity));

test.each(sizes)('%i bytes are opened by the library, and what the library seals is opened', async (size) => {
  const key = await newKey();
  const bytes = randomBytes(size);
  const decrypter = new Decrypter();
  decrypter.addIdentity(key.identity);
  expect(Buffer.from(await decrypter.decrypt(await sealed(bytes, key))).equals(bytes)).toBe(true);
  const encrypter = new Encrypter();
  encrypter.addRecipient(key.recipient);
  expect((await opened(await encrypter.encrypt(bytes), key)).equals(bytes)).toBe(true);
});

test('the same content is never sealed alike, and may come byte by byte', async () => {
  const key = await newKey();
  const [one, two] = [await sealed(Buffer.from('the key'), key), await sealed(Buffer.from('the key'), key)];
  expect(one.equals(two)).toBe(false);
  expect(String(await opened(one, key, 1))).toBe('the key');
});

describe('not taken for the content:', () => {
  const bytes = randomBytes(2 * chunk);
  test.each<[string, (file: Buffer) => Buffer]>([
    ['a file of which a bit was turned', (file) => turned(file, file.length - 100)],
    ['a header of which a bit was turned', (file) => turned(file, 60)],
    ['a file without its last chunk', (file) => file.subarray(0, -(chunk + 16))],
    ['a file that ends within a chunk', (file) => file.subarray(0, -1000)],
    ['a file that ends within its last tag', (file) => file.subarray(0, -(chunk + 10))],
    ['a file with bytes behind it', (file) => Buffer.concat([file, Buffer.alloc(1)])],
    ['a header alone', (file) => file.subarray(0, file.indexOf('\n--- ') + 20)],
    ['what is no sealed file', () => randomBytes(100_000)],
    ['nothing', () => Buffer.alloc(0)],
  ])('%s', async (_, change) => {
    const key = await newKey();
    await expect(opened(change(await sealed(bytes, key)), key)).rejects.toThrow();
  });

  test('a file that was sealed for another', async () => {
    await expect(opened(await sealed(bytes, await newKey()), await newKey())).rejects.toThrow('no identity matched');
  });
});

function turned(file: Buffer, at: number): Buffer {
  const changed = Buffer.from(file);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
