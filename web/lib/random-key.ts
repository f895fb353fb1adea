/** 128 random bits. Not `crypto.randomUUID`, which browsers hide from pages served without TLS on another machine. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
