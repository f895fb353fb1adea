/** A measured figure beside what it should be. */
export type Row = [what: string, figure: string, goal: string];

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}

/** @param share 0.5 is the median */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The median and the time that nineteen of twenty stay within. @param times in milliseconds */
export function both(times: number[]): string {
  return [0.5, 0.95].map((share) => milliseconds(percentile(times, share))).join(', ');
}

/** @returns in milliseconds */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
