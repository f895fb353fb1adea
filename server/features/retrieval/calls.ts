import type { Handlers } from '#server/calls/handlers.ts';
import type { Database } from '#server/db/db.ts';
import { countKeyUse } from '#server/features/api-keys/use.ts';
import { streamSafe } from '#server/lib/stream-safe.ts';
import { withoutPlanted } from './planted-orders.ts';
import { allowedFilters, type Retrieval, wirePassage } from './retrieval.ts';

const usualLimit = 10;

export function retrievalCalls({ db, retrieval }: { db: Database; retrieval: Retrieval }) {
  return {
    searchPassages: async ({ query, limit = usualLimit, filters }, { actor, signal }) => {
      const request = { text: streamSafe(query), limit, filters: allowedFilters(actor.entitlements, filters) };
      const { passages } = await retrieval.find(actor, request, signal);
      await countKeyUse(db, actor, 'searched');
      // Other programs give what they find to models of their own.
      const safe = await withoutPlanted(passages.map((passage) => ({ passage })));
      return { passages: safe.map(({ passage }) => wirePassage(passage)) };
    },
  } satisfies Partial<Handlers>;
}
