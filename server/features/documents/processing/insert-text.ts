import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { blocks, chunks } from '#server/db/schema.ts';
import type { Chunk, PlacedBlock } from '#server/features/ingestion/document.ts';

/** A version of a document, whose text is stored. */
export interface TextOf {
  companyId: string;
  documentId: string;
  version: number;
}

/**
 * Turning 1,000 rows into JSON holds up everybody else for some milliseconds; as parameters, each would take ten times
 * as long.
 */
const rowsPerInsert = 500;

/** Stores the blocks of a version. */
export async function insertBlocks(tx: Tx, of: TextOf, placed: readonly PlacedBlock[]): Promise<void> {
  for (const run of runs(placed)) {
    await tx.execute(sql`insert into ${blocks} (company_id, document_id, version, index, kind, level, text, start, "end", page, cells, header,
        parents, table_start, table_head, running, part, box)
      select ${of.companyId}::uuid, ${of.documentId}::uuid, ${of.version}::int, index, kind, level, text, start, "end", page,
        cells, coalesce(header, false), parents, "tableStart", "table", coalesce(running, false), part, box
      from jsonb_to_recordset(${JSON.stringify(run)}::jsonb) as block (index int, kind text, level int, text text, start int,
        "end" int, page int, cells jsonb, header boolean, parents jsonb, "tableStart" int, "table" jsonb, running boolean,
        part text, box real[])`);
  }
}

/** Stores the chunks of a version, each with its id. */
export async function insertChunks(tx: Tx, of: TextOf, made: readonly (Chunk & { id: string })[]): Promise<void> {
  for (const run of runs(made)) {
    await tx.execute(sql`insert into ${chunks} (company_id, document_id, version, id, index, heading_path, page, last_page, start, "end",
        first_block, last_block, text, language)
      select ${of.companyId}::uuid, ${of.documentId}::uuid, ${of.version}::int, id, index, "headingPath", page, "lastPage",
        start, "end", "firstBlock", "lastBlock", text, language
      from jsonb_to_recordset(${JSON.stringify(run)}::jsonb) as chunk (id uuid, index int, "headingPath" text[], page int,
        "lastPage" int, start int, "end" int, "firstBlock" int, "lastBlock" int, text text, language text)`);
  }
}

function* runs<T>(items: readonly T[]): Generator<T[]> {
  for (let i = 0; i < items.length; i += rowsPerInsert) yield items.slice(i, i + rowsPerInsert);
}
