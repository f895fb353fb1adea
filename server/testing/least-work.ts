/** The least of five: what the machine does beside it, and code that is not compiled yet, only add. */
const tries = 5;

/** The processor time, in milliseconds, that this thread takes for work that waits for nothing. */
export function leastWorkMs(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries; i++) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
