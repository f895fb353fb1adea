import { and, asc, between, eq, lt, or } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { blocks } from '#server/db/schema.ts';
import type { RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import type { Unit } from './unit.ts';
import { unitsOf } from './units.ts';

type BlockRow = typeof blocks.$inferSelect;

/**
 * What may be quoted of each passage. A query for each: of one for all, PostgreSQL may well read every block of the
 * company.
 */
export async function unitsOfPassages(tx: Tx, passages: RetrievedPassage[]): Promise<Unit[][]> {
  const units: Unit[][] = [];
  for (const passage of passages) {
    const rows = await tx
      .select()
      .from(blocks)
      .where(and(eq(blocks.documentId, passage.documentId), eq(blocks.version, passage.version), inPassage(passage)))
      .orderBy(asc(blocks.index));
    const inside = rows.filter((row) => row.index >= passage.firstBlock);
    const header = rows.findLast((row) => isHeaderAbove(row, passage));
    // A long block may be in several chunks; only what stands in this one counts for it.
    units.push(
      unitsOf(header ? [header, ...inside] : inside).filter(
        (unit) => unit.start >= passage.start && unit.end <= passage.end,
      ),
    );
  }
  return units;
}

/** A long table is cut into several passages; its header row stands in the first, its text in every heading path. */
function inPassage({ firstBlock, lastBlock, headingPath }: RetrievedPassage) {
  const inside = between(blocks.index, firstBlock, lastBlock);
  return headingPath.length === 0 ? inside : or(inside, and(eq(blocks.header, true), lt(blocks.index, firstBlock)));
}

function isHeaderAbove(row: BlockRow, { headingPath, firstBlock }: RetrievedPassage): boolean {
  const path = headingPath.at(-1);
  return row.header && row.index < firstBlock && path !== undefined && path !== '' && row.text.startsWith(path);
}
