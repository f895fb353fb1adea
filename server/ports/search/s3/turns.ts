import type { SessionLocks } from '#server/db/session-locks.ts';

/**
 * Runs work under a name by one at a time: of all processes by a lock in PostgreSQL, which ends with its process, and
 * in this one in the order in which it is asked for. Where the connection of the lock breaks two may work at once, and
 * a conditional write has one of them try again.
 */
export function openTurns(locks: Pick<SessionLocks, 'acquire'>, kind: string, closing: AbortSignal) {
  const last = new Map<string, Promise<unknown>>();

  async function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
    const release = await locks.acquire(`${kind}:${name}`, () => {}, closing);
    try {
      return await work();
    } finally {
      // Where the database is out of reach the lock has ended with the connection.
      await release().catch(() => {});
    }
  }

  return async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const mine = (last.get(name) ?? Promise.resolve()).then(
      () => locked(name, work),
      () => locked(name, work),
    );
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
