import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, Index, type Table } from '@lancedb/lancedb';
import { Field, FixedSizeList, Float32, Int32, Schema, Utf8 } from 'apache-arrow';
import type { Logger } from 'pino';
import { arrowTable } from './arrow-table.ts';
import { addCollectionColumn, checkedId, collectionCell, conditionOf, idList, retried } from './lance-rows.ts';
import { LanceTables } from './lance-tables.ts';
import { type ChunkVector, type VectorCandidate, versionKey, type Within } from './port.ts';

/** A row as the table has it; what is read back has the engine's own type of vector. */
type Row = Record<string, unknown> & {
  id: string;
  document_id: string;
  version: number;
  vector: Iterable<number>;
  collection: string;
};

/**
 * Below so many rows comparing with each is fast enough; above, a graph is searched (HNSW, Malkov and Yashunin 2016).
 */
const minIndexed = 5000;
/** Each row outside the graph is compared with; taking them in costs seconds in a large table. */
const unindexedLimit = 1000;
const indexName = 'vector_idx';
/** Made anew for each table: the engine refuses to use one twice. */
const graph = () => Index.hnswSq({ distanceType: 'dot', numPartitions: 1 });
/** How many of the graph's rows are looked at, for each that is wanted. */
const breadth = 3;
/** Versions of a table older than this are removed; younger ones may still be read by another process. */
const keptMs = 10 * 60_000;

/**
 * Vectors of one embedding model, a table per company, in a folder that is named for the model: vectors of two models
 * can't be compared. Those of other models are removed; it throws nothing away that can't be made again.
 */
export async function openVectors(
  root: string,
  { model, openTables, log }: { model: string | undefined; openTables: number; log: Logger },
) {
  const name = model === undefined ? null : createHash('sha256').update(model).digest('hex').slice(0, 16);
  for (const folder of await readdir(root).catch(() => []))
    if (folder !== name) await rm(join(root, folder), { recursive: true, force: true });
  if (name === null) return null;
  const folder = join(root, name);
  await mkdir(folder, { recursive: true });
  const connection = await connect(folder, { readConsistencyInterval: 0 });
  const tables = new LanceTables(connection, { root: folder, limit: openTables, prepare: addCollectionColumn });

  return {
    async add(companyId: string, vectors: ChunkVector[]): Promise<void> {
      const [first] = vectors;
      if (!first) return;
      const table = await tables.make(companyId, schemaOf(first.vector.length));
      const wanted = await dimensionsOf(table);
      // The engine takes them, and cuts or fills them.
      for (const { vector } of vectors)
        if (vector.length !== wanted) throw new Error(`a vector has ${vector.length} dimensions, not ${wanted}`);
      await retried(async () => {
        await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(vectors.map(toRow));
      });
    },

    async search(companyId: string, vector: Float32Array, limit: number, within: Within) {
      const table = await tables.open(companyId);
      if (!table || within.documentIds?.length === 0) return [];
      const query = table
        .vectorSearch(vector)
        .distanceType('dot')
        .ef(limit * breadth)
        .limit(limit);
      const condition = conditionOf(within);
      if (condition !== undefined) query.where(condition);
      const rows = await query.select(['id', 'document_id', '_distance']).toArrow();
      const column = (name: string) => rows.getChild(name)?.toArray() ?? [];
      const [ids, documents, distances] = ['id', 'document_id', '_distance'].map(column);
      return Array.from(
        { length: rows.numRows },
        (_, i): VectorCandidate => ({
          id: String(ids?.[i]),
          documentId: String(documents?.[i]),
          // The engine gives the distance: one less the product.
          similarity: 1 - Number(distances?.[i]),
        }),
      );
    },

    async counts(companyId: string): Promise<Map<string, number>> {
      const counts = new Map<string, number>();
      const table = await tables.open(companyId);
      if (!table) return counts;
      const rows = await table.query().select(['document_id', 'version']).toArrow();
      const [documents, versions] = ['document_id', 'version'].map((name) => rows.getChild(name)?.toArray() ?? []);
      for (let i = 0; i < rows.numRows; i++) {
        const key = versionKey({ documentId: String(documents?.[i]), version: Number(versions?.[i]) });
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return counts;
    },

    async lacking(companyId: string, ids: string[]): Promise<string[]> {
      const table = await tables.open(companyId);
      if (!table || ids.length === 0) return ids;
      const rows: Row[] = await table
        .query()
        .where(`id IN (${idList(ids)})`)
        .select(['id'])
        .toArray();
      const there = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !there.has(id));
    },

    async remove(companyId: string, where: string): Promise<void> {
      const table = await tables.open(companyId);
      if (table) await retried(() => table.delete(where));
    },

    async update(companyId: string, where: string, values: Record<string, string>): Promise<void> {
      const table = await tables.open(companyId);
      if (table) await retried(() => table.update({ where, values }));
    },

    /** Makes the graph where there are enough vectors for it, and takes those in that are outside. */
    async optimize(companyId: string): Promise<void> {
      const table = await tables.open(companyId);
      if (!table) return;
      const stats = await table.indexStats(indexName);
      const started = performance.now();
      if (stats ? stats.numUnindexedRows >= unindexedLimit : (await table.countRows()) >= minIndexed) {
        if (!stats) await retried(() => table.createIndex('vector', { config: graph(), name: indexName }));
        await retried(() => table.optimize({ cleanupOlderThan: new Date(Date.now() - keptMs) }));
        log.debug({ companyId, ms: Math.round(performance.now() - started) }, 'vector table optimized');
      }
    },

    /** Rewrites the table with the vectors of these chunks alone. */
    async erase(companyId: string, live: ReadonlySet<string>): Promise<void> {
      const table = await tables.open(companyId);
      if (!table) return;
      async function* kept() {
        for await (const batch of table?.query() ?? [])
          for (const row of batch) {
            const { id, document_id, version, vector, collection } = row.toJSON() as Row;
            if (live.has(id)) yield { id, document_id, version, vector: [...vector], collection };
          }
      }
      await tables.rewrite(companyId, await arrowTable(schemaOf(await dimensionsOf(table)), kept()));
    },

    drop: (companyId: string): Promise<void> => tables.drop(companyId),

    close: () => connection.close(),
  };
}

async function dimensionsOf(table: Table): Promise<number> {
  const type = (await table.schema()).fields.find(({ name }) => name === 'vector')?.type;
  return type instanceof FixedSizeList ? type.listSize : Number(/\[(\d+)\]/.exec(String(type))?.[1]);
}

function toRow({ id, documentId, version, vector, collectionId }: ChunkVector): Row {
  const collection = collectionCell(collectionId);
  return { id: checkedId(id), document_id: checkedId(documentId), version, vector: [...vector], collection };
}

function schemaOf(dimensions: number): Schema {
  return new Schema([
    new Field('id', new Utf8(), false),
    new Field('document_id', new Utf8(), false),
    new Field('version', new Int32(), false),
    new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), false),
    new Field('collection', new Utf8(), true),
  ]);
}
