import { LRUCache } from 'lru-cache';
import type { Audience } from '#server/db/audience.ts';
import type { CompanyFiles } from '../company-files.ts';
import type { RecentChanges } from './recent-changes.ts';

/** Enough for what many pages of one process are told at about the same time. */
const maxKept = 1000;

/**
 * Reads a file once for all who see the same and are to be told of the same change, however many pages are open: a
 * change is heard after its commit, so what is read then has it.
 */
export function createSharedReads(find: CompanyFiles['find'], recent: Pick<RecentChanges, 'lastOf'>) {
  const reads = new LRUCache<string, { change: string; file: ReturnType<CompanyFiles['find']> }>({ max: maxKept });

  return (audience: Audience, documentId: string): ReturnType<CompanyFiles['find']> => {
    const change = recent.lastOf(documentId);
    if (change === null) return find(audience, documentId);
    const key = `${audience.key} ${documentId}`;
    const known = reads.get(key);
    if (known?.change === change) return known.file;
    const file = find(audience, documentId);
    reads.set(key, { change, file });
    // Whoever waits for it hears of it; the next one tries again.
    file.catch(() => reads.delete(key));
    return file;
  };
}

export type ReadShared = ReturnType<typeof createSharedReads>;
