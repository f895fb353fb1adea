import type { Tx } from '#server/db/db.ts';
import { and, asc, eq, exists, gte, lt } from '#server/db/drizzle.ts';
import { blocks, chunks, companies, documents } from '#server/db/schema.ts';
import { aboutBlocks, aboutOf } from '#server/features/ingestion/about.ts';
import type { SearchChunk } from '#server/ports/search/port.ts';

/** Of a book's chunks: all of them at once would hold up everybody else. */
const readAtOnce = 1000;

/** The chunks of a version as the search store takes them, in the order of the text. */
export async function searchChunks(
  tx: Tx,
  companyId: string,
  of: { documentId: string; version: number },
): Promise<SearchChunk[]> {
  const first = await tx
    .select({ kind: blocks.kind, text: blocks.text, page: blocks.page, part: blocks.part })
    .from(blocks)
    .where(
      and(
        eq(blocks.companyId, companyId),
        eq(blocks.documentId, of.documentId),
        eq(blocks.version, of.version),
        lt(blocks.index, aboutBlocks),
      ),
    )
    .orderBy(asc(blocks.index));
  const found: Omit<SearchChunk, 'about'>[] = [];
  for (let from = 0; ; from += readAtOnce) {
    const rows = await tx
      .select({
        id: chunks.id,
        headingPath: chunks.headingPath,
        text: chunks.text,
        page: chunks.page,
        language: chunks.language,
        name: documents.name,
        collectionId: documents.collectionId,
      })
      .from(chunks)
      .innerJoin(documents, and(eq(documents.companyId, chunks.companyId), eq(documents.id, chunks.documentId)))
      .where(
        and(
          eq(chunks.companyId, companyId),
          eq(chunks.documentId, of.documentId),
          eq(chunks.version, of.version),
          gte(chunks.index, from),
          lt(chunks.index, from + readAtOnce),
        ),
      )
      .orderBy(asc(chunks.index));
    for (const { id, name, headingPath, text, page, language, collectionId } of rows) {
      const heading = headingPath.join(' › ');
      found.push({
        id,
        ...of,
        title: name,
        heading,
        body: text,
        page: page ?? undefined,
        language,
        collectionId,
      });
    }
    if (rows.length < readAtOnce) break;
  }
  const about = aboutOf(
    first.map(({ page, part, ...block }) => ({
      ...block,
      ...(page !== null && { page }),
      ...(part !== null && { part }),
    })),
    found,
  );
  return found.map((chunk) => ({ ...chunk, about }));
}

/** The companies that have something to be searched. */
export function companiesWithText(tx: Tx) {
  const some = tx.select({ id: chunks.id }).from(chunks).where(eq(chunks.companyId, companies.id));
  return tx.select({ companyId: companies.id, name: companies.name }).from(companies).where(exists(some));
}
