import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { keptStatement, valueList } from '#server/db/kept-statement.ts';
import { blocks, documents } from '#server/db/schema.ts';
import { maxQuoteLength } from './extract/unit.ts';

/** A quote with the place it claims to stand at. */
export interface PlacedQuote {
  documentId: string;
  version: number;
  /** Index of the block that it is a part of. */
  block: number;
  start: number;
  end: number;
  text: string;
}

interface DocumentVersion {
  documentId: string;
  version: number;
}

interface Found extends Record<string, unknown>, DocumentVersion {
  /** Null where no quote of the document is looked up, or where there is no such block. */
  block: number | null;
  start: number;
  text: string;
}

/**
 * The documents that are live, and the blocks of them that quotes name. They are locked in one order, or two answers at
 * once could wait for each other, and as one statement, since the reader waits for each round trip.
 */
const theLive = keptStatement<Record<'ids' | 'documents' | 'versions' | 'blocks', unknown[]>, Found>(
  'live-with-blocks',
  sql`
    with live as (
      select ${documents.id}, ${documents.currentVersion} as version from ${documents}
      where ${documents.id} = any(${valueList('ids', 'uuid')}) and ${documents.deletedAt} is null
      order by ${documents.id} for share
    )
    select live.id as "documentId", live.version, found.block, found.start, found.text
    from live left join lateral (
      select named.block, quoted.start, quoted.text
      from unnest(${valueList('documents', 'uuid')}, ${valueList('versions', 'int')},
        ${valueList('blocks', 'int')}) as named (document_id, version, block)
      cross join lateral (
        select ${blocks.start}, ${blocks.text} from ${blocks}
        where ${blocks.documentId} = named.document_id and ${blocks.version} = named.version
          and ${blocks.index} = named.block
        offset 0
      ) as quoted
      where named.document_id = live.id and named.version = live.version
    ) as found on true`,
);

/**
 * Looks once more at what an answer comes from. What is live stays so until the transaction ends: a deletion comes
 * before or after the answer that is stored with it, never in between.
 * @param read all documents of the answer, those of the quotes among them
 * @returns which of them are live with this version as the one that answers, and the quotes of these whose words stand
 * at the place that they name, in their order. Nothing else may be cited.
 */
export async function whatHolds<Q extends PlacedQuote>(
  tx: Tx,
  read: readonly DocumentVersion[],
  quotes: readonly Q[],
): Promise<{ isCurrent: (of: DocumentVersion) => boolean; held: Q[] }> {
  if (read.length === 0) return { isCurrent: () => false, held: [] };
  const found = await theLive.run(tx, {
    ids: [...new Set(read.map(({ documentId }) => documentId))],
    documents: quotes.map(({ documentId }) => documentId),
    versions: quotes.map(({ version }) => version),
    blocks: quotes.map(({ block }) => block),
  });
  const current = new Map(found.map(({ documentId, version }) => [documentId, version]));
  const isCurrent = ({ documentId, version }: DocumentVersion) => current.get(documentId) === version;
  const held = quotes.filter((quote) => {
    const { documentId, block, start, end, text } = quote;
    if (!isCurrent(quote) || text === '' || text.length > maxQuoteLength || end - start !== text.length) return false;
    const named = found.find((each) => each.documentId === documentId && each.block === block);
    return (
      named !== undefined && start >= named.start && named.text.slice(start - named.start, end - named.start) === text
    );
  });
  return { isCurrent, held };
}

/** Whether all of the documents are live with this version as the one that answers, until the transaction ends. */
export async function areCurrent(tx: Tx, read: readonly DocumentVersion[]): Promise<boolean> {
  return read.every((await whatHolds(tx, read, [])).isCurrent);
}
