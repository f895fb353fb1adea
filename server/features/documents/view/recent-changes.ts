import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '#server/db/db.ts';

/** Documents whose last change is remembered; who comes back later than so many changes ago reads the whole list. */
const maxRemembered = 20_000;

/**
 * Which files changed lately, as this process has heard, so that a stream that is opened again is told what it missed
 * and no more. A cursor names this process's memory and a place in it: that of another process, of a time before a
 * restart, or of one before notifications were missed is not known, and its holder reads the whole list.
 */
export function createRecentChanges(db: Database, max = maxRemembered) {
  let memory = randomUUID();
  let sequence = 0;
  let forgotten = 0;
  /** The last change of each document. */
  const changes = new LRUCache<string, { companyId: string; at: number }>({
    max,
    dispose({ at }, _, reason) {
      if (reason === 'evict') forgotten = at;
    },
  });
  let listening: Promise<() => void> | undefined;

  /** When a company's whole list changed last. */
  const relisted = new LRUCache<string, number>({
    max,
    dispose(at, _, reason) {
      if (reason === 'evict') forgotten = at;
    },
  });

  function note(companyId: unknown, documentId: unknown): void {
    if (typeof companyId === 'string' && documentId === undefined) relisted.set(companyId, ++sequence);
    if (typeof companyId !== 'string' || typeof documentId !== 'string') return;
    changes.set(documentId, { companyId, at: ++sequence });
  }

  function forgetAll(): void {
    memory = randomUUID();
    changes.clear();
    relisted.clear();
    forgotten = sequence;
  }

  return {
    /** To be called before a cursor is given out. @throws where the database can't be reached */
    async listen(): Promise<void> {
      listening ??= db.listen('files', ({ companyId, documentId }) => note(companyId, documentId), forgetAll);
      try {
        await listening;
      } catch (error) {
        listening = undefined;
        throw error;
      }
    },

    /** The place after all that has been heard. */
    cursor: () => `${memory}.${sequence}`,

    /** Names the last change of a document that was heard of; null where that is not known. */
    lastOf(documentId: string): string | null {
      const change = changes.get(documentId);
      return change ? `${memory}.${change.at}` : null;
    },

    /** Ids of the company's documents that changed after a cursor; null where that is not known. */
    since(companyId: string, cursor: string): string[] | null {
      const [id, place] = cursor.split('.');
      const from = Number(place);
      if (id !== memory || !(from >= forgotten && from <= sequence)) return null;
      if ((relisted.get(companyId) ?? 0) > from) return null;
      const since: string[] = [];
      // The oldest first.
      changes.rforEach((change, documentId) => {
        if (change.at > from && change.companyId === companyId) since.push(documentId);
      });
      return since;
    },
  };
}

export type RecentChanges = ReturnType<typeof createRecentChanges>;
