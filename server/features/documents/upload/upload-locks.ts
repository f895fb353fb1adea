import type { ServerOptions } from '@tus/server';
import type { SessionLocks } from '#server/db/session-locks.ts';

type Locker = Exclude<ServerOptions['locker'], Promise<unknown> | ((...args: never[]) => unknown)>;

interface Held {
  /** Asks whoever holds it to let go. */
  release: () => void;
  next: (() => void)[];
}

const timeoutMs = 30_000;
const busy = { status_code: 500, body: 'The upload is busy.' };

/** Locks of uploads, and a way to do something with one that nobody is busy with. */
export type UploadLocks = Locker & {
  /** Does the work under the upload's lock; not at all where somebody has it. */
  ifFree(id: string, work: () => Promise<void>): Promise<void>;
};

/**
 * One lock for each upload, given in the order in which it is asked for within a process, and to one process at a time.
 * A client that comes back, here or at another process, does not wait until the connection that it has lost is found
 * dead: whoever holds the lock is asked to end. The library's own locks ask again at every turn of the event loop, so
 * that one stuck connection and one request that waits for it keep a core busy.
 */
export function createUploadLocks(between: SessionLocks): UploadLocks {
  const held = new Map<string, Held>();
  const nameOf = (id: string) => `upload:${id}`;

  /** The turn among the requests of this process. */
  async function takeTurn(id: string, release: () => void, signal: AbortSignal): Promise<void> {
    const holder = held.get(id);
    if (!holder) {
      held.set(id, { release, next: [] });
      return;
    }
    const mine = Promise.withResolvers<void>();
    const got = () => {
      holder.release = release;
      mine.resolve();
      // Somebody waits already: this one, too, must end soon.
      if (holder.next.length > 0) release();
    };
    holder.next.push(got);
    holder.release();
    const giveUp = () => {
      const place = holder.next.indexOf(got);
      if (place < 0) return;
      holder.next.splice(place, 1);
      mine.reject(busy);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await mine.promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  function endTurn(id: string): void {
    const next = held.get(id)?.next.shift();
    if (next) next();
    else held.delete(id);
  }

  return {
    newLock(id) {
      let giveBack: (() => Promise<void>) | undefined;
      return {
        async lock(signal, requestRelease) {
          const release = () => void requestRelease();
          const waiting = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
          await takeTurn(id, release, waiting);
          try {
            giveBack = await between.acquire(nameOf(id), release, waiting);
          } catch {
            endTurn(id);
            throw busy;
          }
        },

        async unlock() {
          // Where the connection is gone, so is the lock.
          await giveBack?.().catch(() => {});
          endTurn(id);
        },
      };
    },

    async ifFree(id, work) {
      if (held.has(id)) return;
      held.set(id, { release: () => {}, next: [] });
      try {
        const giveBack = await between.tryAcquire(nameOf(id), () => {});
        if (!giveBack) return;
        try {
          await work();
        } finally {
          await giveBack().catch(() => {});
        }
      } finally {
        endTurn(id);
      }
    },
  };
}
