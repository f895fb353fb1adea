import type { Database } from '#server/db/db.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { type Retrieval, wirePassage } from './retrieval.ts';

const usualLimit = 10;

export function retrievalCalls({ db, retrieval }: { db: Database; retrieval: Retrieval }) {
  return {
    searchPassages: ({ query, limit = usualLimit, filters }, { actor }) =>
      db.asCompany(actor.companyId, async (tx) => {
        const { passages } = await retrieval.search(tx, actor.companyId, {
          text: query,
          limit,
          documentIds: filters?.documentIds,
        });
        return { passages: passages.map(wirePassage) };
      }),
  } satisfies Partial<Handlers>;
}
