/**
 * Does the same for many, one after the other, also where it fails for some: nobody waits for what keeps another from
 * it.
 * @throws the signal's reason at once; AggregateError at the end, of all that failed, so that the job is tried again
 */
export async function eachByItself<One>(
  all: readonly One[],
  work: (one: One) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const one of all) {
    signal?.throwIfAborted();
    try {
      await work(one);
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `failed for ${failures.length} of ${all.length}`);
}
