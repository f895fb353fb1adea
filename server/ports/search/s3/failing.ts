import type { Telling } from '#server/ports/files/s3/telling.ts';
import { isMissing } from '../lance-rows.ts';

/** What the engine says where the store did not answer, or not well: it tells its errors apart by their words alone. */
const ofStore = /error performing|non-2xx|error sending request|retry_timeout|credentials|dispatch failure/i;

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

/** The engine repeats itself over many lines. */
export function firstLine(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return (said.split('\n')[0] ?? '').slice(0, 300);
}
