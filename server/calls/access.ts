import type { Database } from '#server/db/db.ts';

/** Calls back when a person's access ends while something of theirs is open; returns how to stop. */
export type WatchAccess = (userId: string, ended: () => void) => () => void;

/**
 * Hears of every person who is removed or changed, in any process. A bearer is only looked at when a request begins, so
 * without this a stream or an upload that is already running would go on.
 */
export async function openAccess(db: Database): Promise<WatchAccess> {
  const watching = new Map<string, Set<() => void>>();
  await db.listen('people', ({ userId }) => {
    for (const ended of [...(watching.get(String(userId)) ?? [])]) ended();
  });

  return (userId, ended) => {
    const ofPerson = watching.get(userId) ?? new Set();
    watching.set(userId, ofPerson.add(ended));
    return () => {
      ofPerson.delete(ended);
      if (ofPerson.size === 0 && watching.get(userId) === ofPerson) watching.delete(userId);
    };
  };
}
