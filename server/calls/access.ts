import type { Database } from '#server/db/db.ts';

/** Whose access it is: all of a person's, or what they have in one session, or by one key. */
export interface Holder {
  userId: string;
  /** Absent where it is not known in which. */
  sessionId?: string | undefined;
  key?: { id: string } | undefined;
}

/** Calls back when the access ends while something of theirs is open; returns how to stop. */
export type WatchAccess = (holder: Holder, ended: () => void) => () => void;

/**
 * Hears of every person who is removed or changed, and of sessions and keys that are ended, in any process. A bearer is only looked at when a request begins, so
 * without this a stream or an upload that is already running would go on.
 */
export async function openAccess(db: Database): Promise<WatchAccess> {
  const watching = new Map<string, Set<Watcher>>();
  await db.listen('people', ({ userId, sessionId, exceptSessionId, keyId }) => {
    for (const watcher of [...(watching.get(String(userId)) ?? [])]) {
      const isOther = sessionId !== undefined && watcher.sessionId !== sessionId;
      const isOtherKey = keyId !== undefined && watcher.keyId !== keyId;
      // Keys are no sessions: they do not end with them.
      const isKept =
        exceptSessionId !== undefined && (watcher.keyId !== undefined || watcher.sessionId === exceptSessionId);
      if (!isOther && !isOtherKey && !isKept) watcher.ended();
    }
  });

  return ({ userId, sessionId, key }, ended) => {
    const ofPerson = watching.get(userId) ?? new Set();
    const watcher = { sessionId, keyId: key?.id, ended };
    watching.set(userId, ofPerson.add(watcher));
    return () => {
      ofPerson.delete(watcher);
      if (ofPerson.size === 0 && watching.get(userId) === ofPerson) watching.delete(userId);
    };
  };
}

interface Watcher {
  sessionId: string | undefined;
  keyId: string | undefined;
  ended: () => void;
}
