import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { blocks, documents } from '#server/db/schema.ts';
import { maxQuoteLength } from './unit.ts';

/** A quote with the place it claims to stand at. */
export interface Claim {
  documentId: string;
  version: number;
  start: number;
  end: number;
  text: string;
}

/**
 * The claims that hold now: the document is live, the version is the one that answers, and the words stand there, one
 * for one. The documents stay as they are until the transaction ends, so a deletion comes before or after the answer
 * that is stored with it, never in between.
 */
export async function claimsThatHold<C extends Claim>(tx: Tx, claims: C[]): Promise<C[]> {
  if (claims.length === 0) return [];
  const live = await tx
    .select({ id: documents.id, version: documents.currentVersion })
    .from(documents)
    .where(
      and(inArray(documents.id, [...new Set(claims.map((claim) => claim.documentId))]), isNull(documents.deletedAt)),
    )
    // In one order, or two answers at once could wait for each other.
    .orderBy(documents.id)
    .for('share');
  const current = new Map(live.map(({ id, version }) => [id, version]));
  const held: C[] = [];
  for (const claim of claims) {
    if (current.get(claim.documentId) === claim.version && (await standsThere(tx, claim))) held.push(claim);
  }
  return held;
}

async function standsThere(tx: Tx, { documentId, version, start, end, text }: Claim): Promise<boolean> {
  if (text === '' || text.length > maxQuoteLength || end - start !== text.length) return false;
  const [block] = await tx
    .select({ start: blocks.start, text: blocks.text })
    .from(blocks)
    .where(
      and(
        eq(blocks.documentId, documentId),
        eq(blocks.version, version),
        sql`${blocks.start} <= ${start}`,
        sql`${blocks.end} >= ${end}`,
      ),
    );
  return block?.text.slice(start - block.start, end - block.start) === text;
}
