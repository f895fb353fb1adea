/** The hash of a text and one character more (FNV-1a, beginning with 0). */
export function hashed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 16_777_619);
}
