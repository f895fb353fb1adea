import { createHash } from 'node:crypto';

/** The same UUID for the same text, and never one that `randomUUID` gives: version 8 (RFC 9562, section 5.8). */
export function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
