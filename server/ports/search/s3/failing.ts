import type { Telling } from '#server/ports/files/s3/telling.ts';

/** What the engine says where the store did not answer, or not well: it tells its errors apart by their words alone. */
const ofStore = /error performing|non-2xx|error sending request|retry_timeout|credentials|dispatch failure/i;
const missing = /not found|no such file|does not exist/i;

/** The store failed the engine. */
class StoreFailed extends Error {
  /** As the network's own errors are called. */
  readonly code = 'TimeoutError';
}

/** Runs work of the engine on the store; where the store fails, that is `unavailable`. */
export function onStore<T>(telling: Telling, name: string, work: () => Promise<T>): Promise<T> {
  return telling(name, async () => {
    try {
      return await work();
    } catch (cause) {
      if (!ofStore.test(String(cause)) || isMissing(cause)) throw cause;
      throw new StoreFailed(firstLine(cause), { cause });
    }
  });
}

/** Something that a table consists of is not there. */
export function isMissing(error: unknown): boolean {
  return missing.test(String(error)) && !/NoSuchBucket/.test(String(error));
}

/** The engine repeats itself over many lines. */
export function firstLine(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return (said.split('\n')[0] ?? '').slice(0, 300);
}
