const kib = 1024;
const mib = 1024 * kib;

/** Bytes up to which a file goes in one request, and of the first chunk of a larger one. */
export const firstChunk = 256 * kib;
const limit = 32 * mib;

/** The size of the next chunk after one that went well: doubled, as long as it stays below 32 MB. */
export function nextChunk(bytes: number): number {
  return bytes * 2 < limit ? bytes * 2 : bytes;
}

/** Milliseconds before each new try of a failed upload: growing, 600 s in all. */
export const uploadRetryDelays: readonly number[] = plan(600_000);

function plan(total: number): number[] {
  const delays: number[] = [];
  let left = total;
  for (let delay = 1000; left > 0; delay = Math.min(delay * 2, 30_000)) {
    delays.push(Math.min(delay, left));
    left -= delay;
  }
  return delays;
}
