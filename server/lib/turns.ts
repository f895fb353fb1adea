/** So many at once; the others wait in the order in which they came. */
export interface Turns {
  /** @returns what gives the turn back; calling it again does nothing. Rejects with the signal's reason. */
  take(signal?: AbortSignal): Promise<() => void>;
  /** The same where a turn is free; null where not. */
  takeNow(): (() => void) | null;
  /** Does the work when there is a turn for it, and gives the turn back when it has ended, whichever way. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** How many wait. */
  readonly waiting: number;
}

/** @param count turns that are taken at once, 1 or more */
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

  const turns: Turns = {
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

    async inTurn(work) {
      const giveBack = await turns.take();
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
  return turns;
}
