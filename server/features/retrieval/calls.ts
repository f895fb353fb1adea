import type { Database } from '#server/db/db.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { allowedFilters, type Retrieval, wirePassage } from './retrieval.ts';

const usualLimit = 10;

export function retrievalCalls({ db, retrieval }: { db: Database; retrieval: Retrieval }) {
  return {
    searchPassages: ({ query, limit = usualLimit, filters }, { actor }) =>
      db.asCompany(actor.companyId, async (tx) => {
        const allowed = allowedFilters(actor.entitlements, filters);
        const request = { text: query, limit, filters: allowed };
        const { passages } = await retrieval.search(tx, actor.companyId, request);
        return { passages: passages.map(wirePassage) };
      }),
  } satisfies Partial<Handlers>;
}
