import type { CallOutput } from '#contract/calls.ts';
import type { Database } from '#server/db/db.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Retrieval, RetrievedPassage } from './retrieval.ts';

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

/** A passage as the contract has it. */
export function wirePassage(passage: RetrievedPassage): CallOutput<'searchPassages'>['passages'][number] {
  const page = passage.page ?? undefined;
  return {
    documentId: passage.documentId,
    name: passage.name,
    version: passage.version,
    page,
    heading: passage.headingPath.join(' › ') || undefined,
    text: passage.text,
    score: passage.score,
    url: `/documents/${passage.documentId}/${passage.version}${page === undefined ? '' : `?page=${page}`}`,
  };
}
