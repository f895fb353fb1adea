import type { Handlers } from '#server/calls/handlers.ts';
import { allowedFilters, type Retrieval, wirePassage } from './retrieval.ts';

const usualLimit = 10;

export function retrievalCalls({ retrieval }: { retrieval: Retrieval }) {
  return {
    searchPassages: async ({ query, limit = usualLimit, filters }, { actor, signal }) => {
      const request = { text: query, limit, filters: allowedFilters(actor.entitlements, filters) };
      const { passages } = await retrieval.find(actor.companyId, request, signal);
      return { passages: passages.map(wirePassage) };
    },
  } satisfies Partial<Handlers>;
}
