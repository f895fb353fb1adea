import type { Tx } from '#server/db/db.ts';
import { type SQL, sql } from '#server/db/drizzle.ts';
import { keptStatement, valueList } from '#server/db/kept-statement.ts';
import { blocks } from '#server/db/schema.ts';
import type { RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { createPause } from '#server/lib/pause.ts';
import type { QuotableBlock, Unit } from './unit.ts';
import { isGreeting, isMark } from './unit-shape.ts';
import { unitsOf } from './units.ts';

/** Of one passage. It has some dozens; thousands of full stops would be measured for seconds. */
const maxUnits = 300;
/** Rows at the beginning of a table that may name its columns. */
const maxHeaderRows = 8;

/** What belongs to a passage: its own blocks, */
const ownBlocks = statementFor('blocks-inside', sql`${blocks.index} between places.first and places.last`);
/** the first rows of a table that it goes on with, */
const headerBlocks = statementFor(
  'blocks-above',
  sql`${blocks.index} between places.first and places.first + ${sql.raw(String(maxHeaderRows))}
    and ${blocks.tableStart} = places.first and (${blocks.header} or ${blocks.index} = places.first)`,
);
/** and of versions that were read before rows knew their table, which have the header's text in every heading path. */
const earlierHeaderBlocks = statementFor(
  'blocks-above-earlier',
  sql`${blocks.header} and ${blocks.index} < places.first and starts_with(${blocks.text}, places.heading)`,
);

/** What may be quoted of each passage. */
export async function unitsOfPassages(tx: Tx, passages: RetrievedPassage[]): Promise<Unit[][]> {
  const inside = await blocksOf(tx, ownBlocks, passages);
  // A long table is cut into several passages; its header stands in the first.
  const goOn = passages.map((passage, i) => (lacksHeader(inside[i]?.[0]) ? passage : null));
  const start = (i: number) => inside[i]?.[0]?.tableStart;
  const above = await blocksOf(
    tx,
    headerBlocks,
    goOn.map((passage, i) => (passage && start(i) != null ? { ...passage, firstBlock: start(i) ?? 0 } : null)),
  );
  const old = await blocksOf(
    tx,
    earlierHeaderBlocks,
    goOn.map((passage, i) => (passage && start(i) == null && passage.headingPath.at(-1) ? passage : null)),
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
      (unit) => unit.start >= passage.start && unit.end <= passage.end && !isMark(unit.text) && !isGreeting(unit),
    );
    units.push(own.slice(0, maxUnits));
    await pause();
  }
  return units;
}

function lacksHeader(first: QuotableBlock | undefined): boolean {
  return first?.kind === 'row' && !first.header && first.tableStart !== first.index;
}

/** One list for each column of the places that are looked at. */
interface Places {
  passages: number[];
  documents: string[];
  versions: number[];
  first: number[];
  last: number[];
  headings: string[];
}

/**
 * One look at the primary key for each place: of a plain join PostgreSQL may well read every block of the company,
 * which `offset 0` prevents.
 */
function statementFor(name: string, which: SQL) {
  return keptStatement<Places & Record<string, unknown>, QuotableBlock & { passage: number } & Record<string, unknown>>(
    name,
    sql`
      select places.passage, found.*
      from unnest(${valueList('passages', 'int')}, ${valueList('documents', 'uuid')}, ${valueList('versions', 'int')},
        ${valueList('first', 'int')}, ${valueList('last', 'int')}, ${valueList('headings', 'text')})
        as places (passage, document_id, version, first, last, heading)
      cross join lateral (
        select ${blocks.index}, ${blocks.kind}, ${blocks.text}, ${blocks.start}, ${blocks.page}, ${blocks.cells},
          ${blocks.header}, ${blocks.box}, ${blocks.parents}, ${blocks.tableStart} as "tableStart",
          ${blocks.table} as "table"
        from ${blocks}
        where ${blocks.documentId} = places.document_id and ${blocks.version} = places.version and ${which}
        offset 0
      ) as found
      order by places.passage, found.index`,
  );
}

/** The blocks that belong to each passage, in their order; none where there is no passage. */
async function blocksOf(
  tx: Tx,
  statement: ReturnType<typeof statementFor>,
  passages: (RetrievedPassage | null)[],
): Promise<QuotableBlock[][]> {
  const found: QuotableBlock[][] = passages.map(() => []);
  const looked = passages.flatMap((passage, at) => (passage ? [{ passage, at }] : []));
  if (looked.length === 0) return found;
  const rows = await statement.run(tx, {
    passages: looked.map(({ at }) => at),
    documents: looked.map(({ passage }) => passage.documentId),
    versions: looked.map(({ passage }) => passage.version),
    first: looked.map(({ passage }) => passage.firstBlock),
    last: looked.map(({ passage }) => passage.lastBlock),
    headings: looked.map(({ passage }) => passage.headingPath.at(-1) ?? ''),
  });
  for (const { passage, ...block } of rows) found[passage]?.push(block);
  return found;
}
