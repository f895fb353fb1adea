import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { blocks } from '#server/db/schema.ts';
import type { RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { createPause } from '#server/lib/pause.ts';
import type { QuotableBlock, Unit } from './unit.ts';
import { unitsOf } from './units.ts';

/** Of one passage. It has some dozens; thousands of full stops would be measured for seconds. */
const maxUnits = 300;
/** Rows at the beginning of a table that may name its columns. */
const maxHeaderRows = 8;

/** What may be quoted of each passage. */
export async function unitsOfPassages(tx: Tx, passages: RetrievedPassage[]): Promise<Unit[][]> {
  const inside = await blocksOf(tx, passages, sql`${blocks.index} between places.first and places.last`);
  // A long table is cut into several passages; its header stands in the first.
  const goOn = passages.map((passage, i) => (lacksHeader(inside[i]?.[0]) ? passage : null));
  const start = (i: number) => inside[i]?.[0]?.tableStart;
  const above = await blocksOf(
    tx,
    goOn.map((passage, i) => (passage && start(i) != null ? { ...passage, firstBlock: start(i) ?? 0 } : null)),
    sql`${blocks.index} between places.first and places.first + ${maxHeaderRows}
      and ${blocks.tableStart} = places.first and (${blocks.header} or ${blocks.index} = places.first)`,
  );
  // Versions that were read before rows knew their table have the header's text in every heading path.
  const old = await blocksOf(
    tx,
    goOn.map((passage, i) => (passage && start(i) == null && passage.headingPath.at(-1) ? passage : null)),
    sql`${blocks.header} and ${blocks.index} < places.first and starts_with(${blocks.text}, places.heading)`,
  );
  const pause = createPause();
  const units: Unit[][] = [];
  for (const [i, passage] of passages.entries()) {
    const header = [
      ...(old[i]?.slice(-1) ?? []),
      ...(above[i] ?? []).filter(({ index }) => index < passage.firstBlock),
    ];
    // A long block may be in several chunks; only what stands in this one counts for it.
    const own = unitsOf([...header, ...(inside[i] ?? [])]).filter(
      (unit) => unit.start >= passage.start && unit.end <= passage.end,
    );
    units.push(own.slice(0, maxUnits));
    await pause();
  }
  return units;
}

function lacksHeader(first: QuotableBlock | undefined): boolean {
  return first?.kind === 'row' && !first.header && first.tableStart !== first.index;
}

/**
 * The blocks that belong to each passage, in their order; none where there is no passage. One look at the primary key
 * for each: of a plain join PostgreSQL may well read every block of the company, which `offset 0` prevents.
 */
async function blocksOf(tx: Tx, passages: (RetrievedPassage | null)[], which: SQL): Promise<QuotableBlock[][]> {
  const found: QuotableBlock[][] = passages.map(() => []);
  const places = passages.flatMap((passage, i) => {
    if (!passage) return [];
    const { documentId, version, firstBlock, lastBlock, headingPath } = passage;
    const heading = headingPath.at(-1) ?? '';
    return [sql`(${i}::int, ${documentId}::uuid, ${version}::int, ${firstBlock}::int, ${lastBlock}::int, ${heading})`];
  });
  if (places.length === 0) return found;
  const { rows } = await tx.execute<Record<string, unknown> & QuotableBlock & { passage: number }>(sql`
    select places.passage, found.*
    from (values ${sql.join(places, sql`, `)}) as places (passage, document_id, version, first, last, heading)
    cross join lateral (
      select ${blocks.index}, ${blocks.kind}, ${blocks.text}, ${blocks.start}, ${blocks.page}, ${blocks.cells}, ${blocks.header},
        ${blocks.box}, ${blocks.parents}, ${blocks.tableStart} as "tableStart", ${blocks.table} as "table"
      from ${blocks}
      where ${blocks.documentId} = places.document_id and ${blocks.version} = places.version and ${which}
      offset 0
    ) as found
    order by places.passage, found.index`);
  for (const { passage, ...block } of rows) found[passage]?.push(block);
  return found;
}
