import { setImmediate } from 'node:timers/promises';

/** Long enough that giving way costs nothing to speak of, short enough that nobody notices. */
const usualSliceMs = 10;

/**
 * For work whose size a stranger decides: called between two steps of it, it lets everything else have its turn as soon
 * as the work has held the process for a slice. What is done between two calls must be bounded by itself.
 */
export function createPause(sliceMs = usualSliceMs): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}

/** Items between two looks at the time: a chunk of short paragraphs is made of hundreds of them. */
const itemsAtOnce = 8;

/** The items of a long list that is made one after the other, with a pause whenever the making has taken its slice. */
export async function collected<T>(items: Iterable<T>, pause = createPause()): Promise<T[]> {
  const all: T[] = [];
  for (const item of items) {
    all.push(item);
    if (all.length % itemsAtOnce === 0) await pause();
  }
  return all;
}
