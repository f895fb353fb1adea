import { createHash } from 'node:crypto';
import { Index, type Table } from '@lancedb/lancedb';
import { Field, FixedSizeList, Float32, Int32, Schema, Utf8 } from 'apache-arrow';
import type { Logger } from 'pino';
import { arrowPages, mapped } from './arrow-table.ts';
import { checkedId, collectionCell, conditionOf, idList } from './lance-rows.ts';
import { type ChunkVector, type VectorCandidate, versionKey, type Within } from './port.ts';
import { isScattered, type Tables, unchanged } from './tables.ts';

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

/** Where vectors of a model lie: those of two models can't be compared. */
export function vectorFolder(model: string): string {
  return createHash('sha256').update(model).digest('hex').slice(0, 16);
}

/** Vectors of one embedding model, a table per company. */
export function lanceVectors(tables: Tables, log: Logger) {
  return {
    async add(companyId: string, vectors: ChunkVector[]): Promise<void> {
      const [first] = vectors;
      if (!first) return;
      const schema = schemaOf(first.vector.length);
      const check = async (table: Table) => {
        const wanted = await dimensionsOf(table);
        // The engine takes them, and cuts or fills them.
        for (const { vector } of vectors)
          if (vector.length !== wanted) throw new Error(`a vector has ${vector.length} dimensions, not ${wanted}`);
      };
      const pages = () => arrowPages(schema, mapped([vectors], toRow));
      await tables.upsert(companyId, { schema, key: 'id', pages, check });
    },

    async search(companyId: string, vector: Float32Array, limit: number, within: Within) {
      if (within.documentIds?.length === 0) return [];
      return (await tables.read(companyId, (table) => nearest(table, vector, limit, within))) ?? [];
    },

    async counts(companyId: string): Promise<Map<string, number>> {
      const counts = new Map<string, number>();
      const rows = await tables.look(companyId, (table) => table.query().select(['document_id', 'version']).toArrow());
      const [documents, versions] = ['document_id', 'version'].map((name) => rows?.getChild(name)?.toArray() ?? []);
      for (let i = 0; i < (rows?.numRows ?? 0); i++) {
        const key = versionKey({ documentId: String(documents?.[i]), version: Number(versions?.[i]) });
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return counts;
    },

    async lacking(companyId: string, ids: string[]): Promise<string[]> {
      if (ids.length === 0) return ids;
      const rows: Row[] | null = await tables.look(companyId, (table) =>
        table
          .query()
          .where(`id IN (${idList(ids)})`)
          .select(['id'])
          .toArray(),
      );
      const there = new Set(rows?.map(({ id }) => id));
      return ids.filter((id) => !there.has(id));
    },

    async remove(companyId: string, where: string): Promise<void> {
      await tables.write(companyId, (table) => table.delete(where));
    },

    async update(companyId: string, where: string, values: Record<string, string>): Promise<void> {
      await tables.write(companyId, (table) => table.update({ where, values }));
    },

    /**
     * Makes the graph where there are enough vectors for it, takes those in that are outside, and puts small parts
     * together.
     */
    async optimize(companyId: string): Promise<void> {
      await tables.write(companyId, async (table) => {
        const stats = await table.indexStats(indexName);
        const started = performance.now();
        const needsGraph = !stats && (await table.countRows()) >= minIndexed;
        const isFolded = !needsGraph && (stats?.numUnindexedRows ?? 0) < unindexedLimit;
        if (isFolded && !(await isScattered(table))) return unchanged;
        if (needsGraph) await table.createIndex('vector', { config: graph(), name: indexName });
        await table.optimize({ cleanupOlderThan: new Date(Date.now() - keptMs) });
        log.debug({ companyId, ms: Math.round(performance.now() - started) }, 'vector table optimized');
      });
    },

    /** Rewrites the table with the vectors of these chunks alone. */
    async erase(companyId: string, live: ReadonlySet<string>): Promise<void> {
      await tables.look(companyId, async (table) => {
        async function* kept() {
          for await (const batch of table.query())
            for (const row of batch) {
              const { id, document_id, version, vector, collection } = row.toJSON() as Row;
              if (live.has(id)) yield { id, document_id, version, vector: [...vector], collection };
            }
        }
        const schema = schemaOf(await dimensionsOf(table));
        await tables.rewrite(companyId, schema, arrowPages(schema, kept()));
      });
    },

    drop: (companyId: string): Promise<void> => tables.drop(companyId),
  };
}

async function nearest(table: Table, vector: Float32Array, limit: number, within: Within): Promise<VectorCandidate[]> {
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
  return Array.from({ length: rows.numRows }, (_, i) => ({
    id: String(ids?.[i]),
    documentId: String(documents?.[i]),
    // The engine gives the distance: one less the product.
    similarity: 1 - Number(distances?.[i]),
  }));
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
