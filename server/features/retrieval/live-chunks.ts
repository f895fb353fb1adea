import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { keptStatement, valueList } from '#server/db/kept-statement.ts';
import { chunks, documents, versions } from '#server/db/schema.ts';

/** A chunk of a document's current version, with all that is needed to quote from it. */
export interface LiveChunk {
  chunkId: string;
  documentId: string;
  name: string;
  version: number;
  /** When this version was uploaded. */
  uploadedAt: Date;
  page: number | null;
  /** The page on which it ends, where that is another one. */
  lastPage?: number | null;
  headingPath: string[];
  text: string;
  /** Offsets into the version's text, end exclusive. */
  start: number;
  end: number;
  firstBlock: number;
  lastBlock: number;
  /** What it is written in (ISO 639-1); null where that is not known. */
  language: string | null;
}

type Row = Omit<LiveChunk, 'uploadedAt'> & { uploadedAt: string };

const theChunks = keptStatement<{ ids: string[] }, Row>(
  'live-chunks',
  sql`
    select ${chunks.id} as "chunkId", ${chunks.documentId} as "documentId", document.name, ${chunks.version},
      document.uploaded_at as "uploadedAt", ${chunks.page}, ${chunks.lastPage} as "lastPage",
      ${chunks.headingPath} as "headingPath", ${chunks.text}, ${chunks.start}, ${chunks.end},
      ${chunks.firstBlock} as "firstBlock", ${chunks.lastBlock} as "lastBlock", ${chunks.language}
    from ${chunks}
    cross join lateral (
      select ${documents.name}, ${versions.uploadedAt}
      from ${documents}
      join ${versions} on ${versions.documentId} = ${documents.id} and ${versions.version} = ${documents.currentVersion}
      where ${documents.id} = ${chunks.documentId} and ${documents.currentVersion} = ${chunks.version}
        and ${documents.deletedAt} is null
      limit 1
    ) as document
    where ${chunks.id} = any(${valueList('ids', 'uuid')})`,
);

/**
 * Those of the chunks that belong to a document's current version: this is what makes a deletion immediate. The limit
 * makes PostgreSQL look up each chunk's document by its key: of a plain join it may well read every document of the
 * company.
 */
export async function liveChunks(tx: Tx, ids: string[]): Promise<Map<string, LiveChunk>> {
  if (ids.length === 0) return new Map();
  const found = await theChunks.run(tx, { ids });
  return new Map(found.map((chunk) => [chunk.chunkId, { ...chunk, uploadedAt: new Date(chunk.uploadedAt) }]));
}
