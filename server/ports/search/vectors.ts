import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, connect, type Table } from '@lancedb/lancedb';
import { Field, FixedSizeList, Float32, Int32, Schema, Utf8 } from 'apache-arrow';
import { checkedId, idList, retried } from './lance-rows.ts';
import type { ChunkVector, VectorCandidate } from './port.ts';

/** A row as the table has it; what is read back has the engine's own type of vector. */
type Row = Record<string, unknown> & { id: string; document_id: string; version: number; vector: Iterable<number> };

/**
 * Vectors of one embedding model, a table per company, in a folder that is named for the model: vectors of two models
 * can't be compared. Those of other models are removed; it throws nothing away that can't be made again.
 */
export async function openVectors(root: string, model: string | undefined) {
  const name = model === undefined ? null : createHash('sha256').update(model).digest('hex').slice(0, 16);
  for (const folder of await readdir(root).catch(() => []))
    if (folder !== name) await rm(join(root, folder), { recursive: true, force: true });
  if (name === null) return null;
  await mkdir(join(root, name), { recursive: true });
  return vectorTables(await connect(join(root, name), { readConsistencyInterval: 0 }), join(root, name));
}

function vectorTables(connection: Connection, folder: string) {
  async function open(companyId: string): Promise<Table | null> {
    return connection.openTable(checkedId(companyId)).catch((error: unknown) => {
      if (/not found/i.test(String(error))) return null;
      throw error;
    });
  }

  return {
    async add(companyId: string, vectors: ChunkVector[]): Promise<void> {
      const [first] = vectors;
      if (!first) return;
      const schema = schemaOf(first.vector.length);
      const table =
        (await open(companyId)) ??
        (await connection.createEmptyTable(checkedId(companyId), schema, { mode: 'create', existOk: true }));
      const wanted = await dimensionsOf(table);
      // The engine takes them, and cuts or fills them.
      for (const { vector } of vectors)
        if (vector.length !== wanted) throw new Error(`a vector has ${vector.length} dimensions, not ${wanted}`);
      await retried(async () => {
        await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(vectors.map(toRow));
      });
    },

    async search(companyId: string, vector: Float32Array, limit: number, documentIds?: string[]) {
      const table = await open(companyId);
      if (!table || documentIds?.length === 0) return [];
      const query = table.vectorSearch(vector).distanceType('dot').limit(limit);
      if (documentIds) query.where(`document_id IN (${idList(documentIds)})`);
      const rows: (Row & { _distance: number })[] = await query
        .select(['id', 'document_id', 'version', '_distance'])
        .toArray();
      return rows.map(
        ({ id, document_id: documentId, version, _distance }): VectorCandidate => ({
          id,
          documentId,
          version,
          // The engine gives the distance: one less the product.
          similarity: 1 - _distance,
        }),
      );
    },

    async lacking(companyId: string, ids: string[]): Promise<string[]> {
      const table = await open(companyId);
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
      const table = await open(companyId);
      if (table) await retried(() => table.delete(where));
    },

    /** Rewrites the table with the vectors of these chunks alone. */
    async erase(companyId: string, live: ReadonlySet<string>): Promise<void> {
      const table = await open(companyId);
      if (!table) return;
      const rows: Row[] = await table.query().toArray();
      const kept = rows
        .filter(({ id }) => live.has(id))
        .map(({ id, document_id, version, vector }) => ({ id, document_id, version, vector: [...vector] }));
      const name = checkedId(companyId);
      const [first] = kept;
      // A table without rows would keep the files of before; the next vectors make it anew.
      await connection.dropTable(name);
      await rm(join(folder, `${name}.lance`), { recursive: true, force: true });
      if (first) await connection.createTable(name, kept, { schema: schemaOf(first.vector.length) });
    },

    close: () => connection.close(),
  };
}

async function dimensionsOf(table: Table): Promise<number> {
  const type = (await table.schema()).fields.find(({ name }) => name === 'vector')?.type;
  return type instanceof FixedSizeList ? type.listSize : Number(/\[(\d+)\]/.exec(String(type))?.[1]);
}

function toRow({ id, documentId, version, vector }: ChunkVector): Row {
  return { id: checkedId(id), document_id: checkedId(documentId), version, vector: [...vector] };
}

function schemaOf(dimensions: number): Schema {
  return new Schema([
    new Field('id', new Utf8(), false),
    new Field('document_id', new Utf8(), false),
    new Field('version', new Int32(), false),
    new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), false),
  ]);
}
