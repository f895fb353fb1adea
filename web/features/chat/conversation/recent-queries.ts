import { useSyncExternalStore } from 'react';
import { createChanges } from '#web/lib/store.ts';

const maxQueries = 10;

/** Newest first, no repeats, at most 10. */
export function withQuery(queries: readonly string[], query: string): string[] {
  return [query, ...queries.filter((each) => each !== query)].slice(0, maxQueries);
}

/** What a store of the browser holds may have been written by anybody. */
export function readQueries(stored: string | null): string[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(list)) return [];
    const texts = list.filter((each): each is string => typeof each === 'string' && each.trim() !== '');
    return [...new Set(texts)].slice(0, maxQueries);
  } catch {
    return [];
  }
}

const changes = createChanges((tell) => {
  // Another tab has asked something.
  window.addEventListener('storage', tell);
  return () => window.removeEventListener('storage', tell);
});

/** A person's last questions, kept in this browser, also after sign-out. */
export function useRecentQueries(userId: string): string[] {
  const stored = useSyncExternalStore(changes.subscribe, () => localStorage.getItem(keyOf(userId)));
  return readQueries(stored);
}

export function rememberQuery(userId: string, query: string): void {
  const queries = withQuery(readQueries(localStorage.getItem(keyOf(userId))), query);
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(queries));
  } catch (error) {
    console.warn('The question could not be remembered: this browser has no room.', error);
  }
  changes.tell();
}

function keyOf(userId: string): string {
  return `footnote.recent-queries.${userId}`;
}
