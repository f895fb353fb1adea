import type { ServerOptions } from '@tus/server';

type Locker = Exclude<ServerOptions['locker'], Promise<unknown> | ((...args: never[]) => unknown)>;

interface Held {
  /** Asks whoever holds it to let go. */
  release: () => void;
  next: (() => void)[];
}

const timeoutMs = 30_000;

/**
 * One lock for each upload of this process, given in the order in which it is asked for. The library's own asks again
 * at every turn of the event loop, so that one stuck connection and one request that waits for it keep a core busy.
 */
export function createUploadLocks(): Locker {
  const held = new Map<string, Held>();

  return {
    newLock: (id) => ({
      async lock(signal, requestRelease) {
        const release = () => void requestRelease();
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
          mine.reject({ status_code: 500, body: 'The upload is busy.' });
        };
        const timer = setTimeout(giveUp, timeoutMs);
        signal.addEventListener('abort', giveUp, { once: true });
        try {
          await mine.promise;
        } finally {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
        }
      },

      async unlock() {
        const next = held.get(id)?.next.shift();
        if (next) next();
        else held.delete(id);
      },
    }),
  };
}
