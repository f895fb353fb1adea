import { and, eq, exists } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { chunks, companies, documents } from '#server/db/schema.ts';
import type { SearchChunk } from '#server/ports/search/port.ts';

/** The chunks of a version as the search store takes them. */
export async function searchChunks(
  tx: Tx,
  companyId: string,
  of: { documentId: string; version: number },
): Promise<SearchChunk[]> {
  const rows = await tx
    .select({ id: chunks.id, headingPath: chunks.headingPath, text: chunks.text, name: documents.name })
    .from(chunks)
    .innerJoin(documents, and(eq(documents.companyId, chunks.companyId), eq(documents.id, chunks.documentId)))
    .where(and(eq(chunks.companyId, companyId), eq(chunks.documentId, of.documentId), eq(chunks.version, of.version)));
  return rows.map((row) => ({
    id: row.id,
    ...of,
    title: row.name,
    heading: row.headingPath.join(' › '),
    body: row.text,
  }));
}

/** The companies that have something to be searched. */
export function companiesWithText(tx: Tx) {
  const some = tx.select({ id: chunks.id }).from(chunks).where(eq(chunks.companyId, companies.id));
  return tx.select({ companyId: companies.id, name: companies.name }).from(companies).where(exists(some));
}
