import type { CallOutput } from '#contract/calls.ts';
import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { analyticsDocuments, documents } from '#server/db/schema.ts';
import { isInCollection, type Range, sourcesOf } from './sources.ts';

type Cited = Pick<CallOutput<'getAnalytics'>, 'documents' | 'documentsCited' | 'documentsNotCited'>;

/**
 * The documents that can be cited, by how often they were.
 * @param limit of those that were cited, and of those that were not
 */
export async function documentsCited(tx: Tx, range: Range, limit: number): Promise<Cited> {
  const { rows } = await tx.execute<{
    documentId: string;
    name: string;
    citations: number;
    last: string | null;
    all: number;
  }>(sql`
    with cited as materialized (
      select document_id, sum(citations)::int as citations, max(last_cited_at) as last
      from ${sourcesOf(range).documents} as documents group by document_id
    ),
    placed as (
      select ${documents.id} as id, ${documents.name} as name, coalesce(cited.citations, 0) as citations, cited.last,
        row_number() over (
          partition by cited.citations is null order by cited.citations desc, ${documents.name}
        ) as place,
        count(*) over (partition by cited.citations is null)::int as "all"
      from ${documents} left join cited on cited.document_id = ${documents.id}
      where ${documents.deletedAt} is null and ${documents.currentVersion} is not null
        and ${isInCollection(range.collectionId)}
    )
    select id as "documentId", name, citations, "all", coalesce(last, (
      select max(last_cited_at) from ${analyticsDocuments} where document_id = placed.id
    )) as last
    from placed where place <= ${limit} order by citations desc, place`);
  const countWhere = (isCited: boolean) => rows.find(({ citations }) => citations > 0 === isCited)?.all ?? 0;
  return {
    documents: rows.map(({ documentId, name, citations, last }) => ({
      documentId,
      name,
      citations,
      ...(last !== null && { lastCitedAt: new Date(last).toISOString() }),
    })),
    documentsCited: countWhere(true),
    documentsNotCited: countWhere(false),
  };
}
