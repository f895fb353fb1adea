/** So many at once; the others wait in the order in which they came. */
export interface Turns {
  /** @returns what gives the turn back; calling it again does nothing. Rejects with the signal's reason. */
  take(signal?: AbortSignal): Promise<() => void>;
  /** The same where a turn is free; null where not. */
  takeNow(): (() => void) | null;
  /** How many wait. */
  readonly waiting: number;
}

export function createTurns(count: number): Turns {
  const waiting: (() => void)[] = [];
  let free = count;

  function giver(): () => void {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = waiting.shift();
      if (next) next();
      else free++;
    };
  }

  return {
    get waiting() {
      return waiting.length;
    },

    takeNow() {
      if (free === 0) return null;
      free--;
      return giver();
    },

    async take(signal) {
      signal?.throwIfAborted();
      if (free > 0) {
        free--;
        return giver();
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = () => {
        const place = waiting.indexOf(resolve);
        // Its turn has come already: whoever waits takes it, and gives it back.
        if (place === -1) return;
        waiting.splice(place, 1);
        reject(signal?.reason);
      };
      waiting.push(resolve);
      signal?.addEventListener('abort', onAbort);
      await promise.finally(() => signal?.removeEventListener('abort', onAbort));
      return giver();
    },
  };
}
