import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiKeyStart } from '#contract/api-keys.ts';

/**
 * `fn_<id>_<secret><checksum>`: 12 letters and digits that name the key, 32 that are its secret (190 bits), and 6 that
 * are the CRC-32 of all before them. Whoever looks through code and logs for secrets knows a key by its beginning and
 * its checksum, and what has been cut off or mistyped is refused without asking the database.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^(fn_([0-9A-Za-z]{12})_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const idLength = 12;
const secretLength = 32;
const checksumLength = 6;

/** A new key: all of it for whoever asked, and what is kept of it. */
export function newKey(): { key: string; publicId: string; hash: Buffer } {
  const publicId = randomText(idLength);
  const body = `${apiKeyStart}${publicId}_${randomText(secretLength)}`;
  const key = body + checksumOf(body);
  return { key, publicId, hash: hashOf(key) };
}

/** The id in a key; null for what is no key, or has another checksum. */
export function publicIdIn(bearer: string): string | null {
  const [, body, publicId, checksum] = shape.exec(bearer) ?? [];
  if (body === undefined || publicId === undefined || checksum !== checksumOf(body)) return null;
  return publicId;
}

/** Whether it is the key that was hashed; takes the same time wherever they differ. */
export function isKeyOf(bearer: string, hash: Buffer): boolean {
  return timingSafeEqual(hashOf(bearer), hash);
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet[rest % alphabet.length] + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
