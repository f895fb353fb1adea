import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
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

/**
 * Those of the chunks that belong to a document's current version: this is what makes a deletion immediate. The limit
 * makes PostgreSQL look up each chunk's document by its key: of a plain join it may well read every document of the
 * company.
 */
export async function liveChunks(tx: Tx, ids: string[]): Promise<Map<string, LiveChunk>> {
  if (ids.length === 0) return new Map();
  const document = tx
    .select({ name: documents.name, uploadedAt: versions.uploadedAt })
    .from(documents)
    .innerJoin(versions, and(eq(versions.documentId, documents.id), eq(versions.version, documents.currentVersion)))
    .where(
      and(
        eq(documents.id, chunks.documentId),
        eq(documents.currentVersion, chunks.version),
        isNull(documents.deletedAt),
      ),
    )
    .limit(1)
    .as('document');
  const found = await tx
    .select({
      chunkId: chunks.id,
      documentId: chunks.documentId,
      name: document.name,
      uploadedAt: document.uploadedAt,
      version: chunks.version,
      page: chunks.page,
      lastPage: chunks.lastPage,
      headingPath: chunks.headingPath,
      text: chunks.text,
      start: chunks.start,
      end: chunks.end,
      firstBlock: chunks.firstBlock,
      lastBlock: chunks.lastBlock,
      language: chunks.language,
    })
    .from(chunks)
    .crossJoinLateral(document)
    .where(inArray(chunks.id, ids));
  return new Map(found.map((chunk) => [chunk.chunkId, chunk]));
}
