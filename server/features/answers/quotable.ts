import { and, between, eq, lt, or } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Tx } from '#server/db/db.ts';
import { blocks } from '#server/db/schema.ts';
import type { RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import type { Unit } from './unit.ts';
import { unitsOf } from './units.ts';

/** What is read of a block; where it stands on its page takes no part. */
const columns = {
  documentId: blocks.documentId,
  version: blocks.version,
  index: blocks.index,
  kind: blocks.kind,
  text: blocks.text,
  start: blocks.start,
  page: blocks.page,
  cells: blocks.cells,
  header: blocks.header,
};
type BlockRow = Pick<typeof blocks.$inferSelect, keyof typeof columns>;

/**
 * What may be quoted of each passage. A select for each, put together: of one condition for all, PostgreSQL may well
 * read every block of the company.
 */
export async function unitsOfPassages(tx: Tx, passages: RetrievedPassage[]): Promise<Unit[][]> {
  const [first, second, ...others] = passages.map((passage) =>
    tx
      .select(columns)
      .from(blocks)
      .where(and(eq(blocks.documentId, passage.documentId), eq(blocks.version, passage.version), inPassage(passage))),
  );
  if (!first) return [];
  const read = await (second ? unionAll(first, second, ...others) : first);
  return passages.map((passage) => {
    const { documentId, version, firstBlock, lastBlock, start, end } = passage;
    const own = new Map<number, BlockRow>();
    for (const row of read) {
      if (row.documentId === documentId && row.version === version && row.index <= lastBlock) own.set(row.index, row);
    }
    const rows = [...own.values()].sort((one, other) => one.index - other.index);
    const inside = rows.filter((row) => row.index >= firstBlock);
    const header = rows.findLast((row) => isHeaderAbove(row, passage));
    // A long block may be in several chunks; only what stands in this one counts for it.
    return unitsOf(header ? [header, ...inside] : inside).filter((unit) => unit.start >= start && unit.end <= end);
  });
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
