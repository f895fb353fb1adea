import { inArray } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { chunks, documents } from '#server/db/schema.ts';

/** A chunk of a document's current version, with all that is needed to quote from it. */
export interface LiveChunk {
  chunkId: string;
  documentId: string;
  name: string;
  version: number;
  page: number | null;
  headingPath: string[];
  text: string;
  /** Offsets into the version's text, end exclusive. */
  start: number;
  end: number;
  firstBlock: number;
  lastBlock: number;
}

/**
 * Those of the chunks that belong to a document's current version: this is what makes a deletion immediate. Two queries
 * by key alone: of a join, or with a condition on the deletion, PostgreSQL may well read every document of the company.
 */
export async function liveChunks(tx: Tx, ids: string[]): Promise<Map<string, LiveChunk>> {
  if (ids.length === 0) return new Map();
  const found = await tx
    .select({
      chunkId: chunks.id,
      documentId: chunks.documentId,
      version: chunks.version,
      page: chunks.page,
      headingPath: chunks.headingPath,
      text: chunks.text,
      start: chunks.start,
      end: chunks.end,
      firstBlock: chunks.firstBlock,
      lastBlock: chunks.lastBlock,
    })
    .from(chunks)
    .where(inArray(chunks.id, ids));
  if (found.length === 0) return new Map();
  const documentIds = [...new Set(found.map(({ documentId }) => documentId))];
  const known = await tx
    .select({
      id: documents.id,
      name: documents.name,
      version: documents.currentVersion,
      deletedAt: documents.deletedAt,
    })
    .from(documents)
    .where(inArray(documents.id, documentIds));
  const documentOf = new Map(known.flatMap((each) => (each.deletedAt === null ? [[each.id, each]] : [])));
  return new Map(
    found.flatMap((chunk) => {
      const document = documentOf.get(chunk.documentId);
      return document?.version === chunk.version ? [[chunk.chunkId, { ...chunk, name: document.name }]] : [];
    }),
  );
}
