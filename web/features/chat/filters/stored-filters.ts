import { keep, kept } from '#web/api/kept-in-tab.ts';
import { type Filters, readFilters } from './filters.ts';

/** Keeps them in the tab's own store: after a reload the conversation goes on in the same documents. */
export function storeFilters(userId: string, filters: Filters): void {
  try {
    keep('filters', userId, filters);
  } catch {
    // A browser without room keeps them as long as the page lasts. They are seen wherever a question is written.
  }
}

export function storedFilters(userId: string): Filters {
  return readFilters(kept('filters', userId));
}
