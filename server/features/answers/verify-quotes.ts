import { inArray, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
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

/**
 * Which of the documents are live with this version as the one that answers. They stay so until the transaction ends:
 * a deletion comes before or after the answer that is stored with it, never in between.
 */
export async function stillCurrent(
  tx: Tx,
  cited: { documentId: string; version: number }[],
): Promise<(of: { documentId: string; version: number }) => boolean> {
  if (cited.length === 0) return () => false;
  const known = await tx
    .select({ id: documents.id, version: documents.currentVersion, deletedAt: documents.deletedAt })
    .from(documents)
    .where(inArray(documents.id, [...new Set(cited.map(({ documentId }) => documentId))]))
    // In one order, or two answers at once could wait for each other.
    .orderBy(documents.id)
    .for('share');
  const current = new Map(
    known.flatMap(({ id, version, deletedAt }) => (deletedAt === null ? [[id, version] as const] : [])),
  );
  return ({ documentId, version }) => current.get(documentId) === version;
}

/** The quotes whose words stand at the place that they name, in their order. Nothing else may be cited. */
export async function quotesThatHold<Q extends PlacedQuote>(tx: Tx, quotes: Q[]): Promise<Q[]> {
  const places = quotes.map(
    ({ documentId, version, block }) => sql`(${documentId}::uuid, ${version}::int, ${block}::int)`,
  );
  if (places.length === 0) return [];
  const named = await tx
    .select({
      documentId: blocks.documentId,
      version: blocks.version,
      block: blocks.index,
      start: blocks.start,
      text: blocks.text,
    })
    .from(blocks)
    .where(sql`(${blocks.documentId}, ${blocks.version}, ${blocks.index}) in (${sql.join(places, sql`, `)})`);
  return quotes.filter(({ documentId, version, block, start, end, text }) => {
    if (text === '' || text.length > maxQuoteLength || end - start !== text.length) return false;
    const found = named.find(
      (each) => each.documentId === documentId && each.version === version && each.block === block,
    );
    return found?.text.slice(start - found.start, end - found.start) === text && start >= found.start;
  });
}
