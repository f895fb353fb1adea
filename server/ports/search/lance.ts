import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, Index, MultiMatchQuery, type Table } from '@lancedb/lancedb';
import { type Table as ArrowTable, Field, Int32, Schema, Utf8 } from 'apache-arrow';
import type { Logger } from 'pino';
import { analyze, questionTerms } from '#server/lib/analyze.ts';
import { readTermLines, splitTerms, type TermLine, toTermLines } from '#server/lib/term-lines.ts';
import { checkedId, idList, retried } from './lance-rows.ts';
import { ending, LanceTables } from './lance-tables.ts';
import type { Candidate, SearchChunk, SearchRequest, SearchStore } from './port.ts';
import { openVectors } from './vectors.ts';

const columns = ['title', 'heading', 'body'] as const;
const boosts = [1.5, 1.5, 1];
/** The text in the columns is terms of our own, joined by blanks: the engine must not cut, fold or drop any of them. */
const indexConfig = {
  baseTokenizer: 'whitespace',
  lowercase: false,
  stem: false,
  removeStopWords: false,
  asciiFolding: false,
  withPosition: false,
  maxTokenLength: 200,
} as const;
/** Searches get slow with many rows outside the index; folding them in costs most of a second. */
const unindexedLimit = 200;
/** Versions of a table older than this are removed; younger ones may still be read by another process. */
const keptMs = 10 * 60_000;
/** Of a longer question the first ones do. */
const mostTerms = 64;
const usuallyOpen = 200;

const noTerms: TermLine = { terms: [], label: 0 };

/** A row as the table has it. */
type Row = Record<string, unknown> & { id: string; document_id: string; version: number };

const schema = new Schema([
  ...['id', 'document_id'].map((name) => new Field(name, new Utf8(), false)),
  new Field('version', new Int32(), false),
  ...columns.map((name) => new Field(name, new Utf8(), false)),
]);

/**
 * LanceDB in this process, one table per company below `root`.
 * Another process's changes are seen at once (`readConsistencyInterval: 0`), or it would go on finding what is deleted.
 */
export async function openLanceSearch({
  root,
  log,
  openTables = usuallyOpen,
  vectorModel,
}: {
  root: string;
  log: Logger;
  /** Tables kept open; the one not used for longest makes room. */
  openTables?: number;
  /** Whose vectors are kept, as the embeddings port names it; absent: none. */
  vectorModel?: string | undefined;
}): Promise<SearchStore> {
  await mkdir(root, { recursive: true });
  const connection = await connect(root, { readConsistencyInterval: 0 });
  const tables = new LanceTables(connection, { root, limit: openTables, prepare: addIndexes });
  const vectors = await openVectors(join(root, 'vectors'), { model: vectorModel, openTables, log });

  return {
    name: 'LanceDB',

    async add(companyId, chunks) {
      if (chunks.length === 0) return;
      const table = await tables.make(companyId, schema);
      await retried(async () => {
        await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(chunks.map(toRow));
      });
    },

    async search(companyId, request) {
      const table = await tables.open(companyId);
      if (!table) return [];
      return search(table, request);
    },

    async candidates(companyId, ids) {
      const table = await tables.open(companyId);
      if (!table || ids.length === 0) return [];
      const rows = await table
        .query()
        .where(`id IN (${idList(ids)})`)
        .select(['id', 'document_id', 'version', ...columns])
        .toArrow();
      return toCandidates(rows);
    },

    async addVectors(companyId, added) {
      await vectors?.add(companyId, added);
    },

    async searchVectors(companyId, vector, limit, documentIds) {
      return (await vectors?.search(companyId, vector, limit, documentIds)) ?? [];
    },

    async vectorCounts(companyId) {
      return (await vectors?.counts(companyId)) ?? new Map();
    },

    async withoutVectors(companyId, ids) {
      return vectors ? vectors.lacking(companyId, ids) : [];
    },

    async remove(companyId, documentId, versions) {
      const older = versions === undefined ? '' : ` AND version < ${Math.trunc(versions.before)}`;
      const where = `document_id = ${idList([documentId])}${older}`;
      await vectors?.remove(companyId, where);
      const table = await tables.open(companyId);
      if (table) await retried(() => table.delete(where));
    },

    async companies() {
      const entries = await readdir(root).catch(() => []);
      return new Set(entries.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length)));
    },

    async optimize(companyId) {
      await vectors?.optimize(companyId);
      const table = await tables.open(companyId);
      if (!table) return;
      const stats = await table.indexStats('body_idx');
      if (stats && stats.numUnindexedRows < unindexedLimit) return;
      const started = performance.now();
      await retried(() => table.optimize({ cleanupOlderThan: new Date(Date.now() - keptMs) }));
      log.debug({ companyId, ms: Math.round(performance.now() - started) }, 'search table optimized');
    },

    async erase(companyId, live) {
      const rows: Row[] = [];
      for await (const chunks of live) for (const chunk of chunks) rows.push(toRow(chunk));
      await tables.rewrite(companyId, schema, rows);
      await vectors?.erase(companyId, new Set(rows.map(({ id }) => id)));
    },

    async close() {
      vectors?.close();
      connection.close();
    },
  };
}

async function search(table: Table, { text, also = [], limit, documentIds }: SearchRequest): Promise<Candidate[]> {
  const query = [...new Set([...questionTerms(text).terms, ...also])].slice(0, mostTerms).join(' ');
  if (query === '' || documentIds?.length === 0) return [];
  const found = table
    .query()
    .fullTextSearch(new MultiMatchQuery(query, [...columns], { boosts }))
    .select(['id', 'document_id', 'version', ...columns, '_score'])
    .limit(limit);
  if (documentIds) found.where(`document_id IN (${idList(documentIds)})`);
  return toCandidates(await found.toArrow());
}

/** By columns: rows as objects are made one value at a time, which costs more than the search itself. */
function toCandidates(rows: ArrowTable): Candidate[] {
  const column = (name: string) => rows.getChild(name)?.toArray() ?? [];
  const [ids, documents, versions, scores] = ['id', 'document_id', 'version', '_score'].map(column);
  const [titles, headings, bodies] = columns.map(column);
  return Array.from({ length: rows.numRows }, (_, i) => ({
    id: String(ids?.[i]),
    documentId: String(documents?.[i]),
    version: Number(versions?.[i]),
    score: Number(scores?.[i] ?? 0),
    title: readTermLines(String(titles?.[i] ?? ''))[0] ?? noTerms,
    heading: splitTerms(String(headings?.[i] ?? '')),
    lines: readTermLines(String(bodies?.[i] ?? '')),
  }));
}

/** Those that are missing: all of a new table's, and of one whose maker died in between. */
async function addIndexes(table: Table): Promise<void> {
  const indexed = (await table.listIndices()).flatMap((index) => index.columns);
  for (const column of columns) {
    if (indexed.includes(column)) continue;
    await retried(() => table.createIndex(column, { config: Index.fts(indexConfig) }));
  }
}

function toRow(chunk: SearchChunk): Row {
  return {
    id: checkedId(chunk.id),
    document_id: checkedId(chunk.documentId),
    version: chunk.version,
    title: titleLine(chunk.title),
    heading: analyze(chunk.heading).join(' '),
    body: toTermLines(chunk.body),
  };
}

/** A name without its extension; a tab before what stands in brackets at its end (`Handbook (draft)`). */
function titleLine(name: string): string {
  const [main = '', rest = ''] = name.replace(/(?<=.)\.[a-z0-9]{2,5}$/i, '').split(/(?=\s\([^()]*\)$)/);
  return `${analyze(main).join(' ')}\t${analyze(rest).join(' ')}`;
}
