import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, Index, MultiMatchQuery, type Table } from '@lancedb/lancedb';
import { type Table as ArrowTable, Field, Int32, Schema, Utf8 } from 'apache-arrow';
import type { Logger } from 'pino';
import { questionTerms } from '#server/lib/analyze.ts';
import { toTermLines } from '#server/lib/term-lines.ts';
import { arrowTable, mapped } from './arrow-table.ts';
import {
  addCollectionColumn,
  checkedId,
  collectionCell,
  conditionOf,
  idList,
  keyList,
  keyOf,
  readKey,
  retried,
} from './lance-rows.ts';
import { ending, LanceTables } from './lance-tables.ts';
import type { Candidate, SearchChunk, SearchRequest, SearchStore } from './port.ts';
import { openVectors } from './vectors.ts';

/** What is searched: `terms` has those of title and heading, too, which count more in columns of their own. */
const columns = ['title', 'heading', 'terms'] as const;
const boosts = [1.5, 1.5, 1];
/**
 * The text in the columns is terms of our own, with white space between them: the engine must not cut, fold or drop any
 * of them.
 */
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
const maxTerms = 64;
const usuallyOpen = 200;
/** Another name where what is put into the tables has changed: those of before are built anew. */
export const termsFolder = 'terms-5';
const earlierFolders = ['terms', 'terms-2', 'terms-3', 'terms-4'];
/** What is merged in one step is copied in one. */
const mergedAtOnce = 2000;

/** A row as the table has it. */
type Row = Record<string, unknown> & { key: string };

/** What is read of a candidate stands in two columns: each further one would take an eighth of the search's time. */
const schema = new Schema([
  new Field('key', new Utf8(), false),
  new Field('document_id', new Utf8(), false),
  new Field('version', new Int32(), false),
  ...columns.map((name) => new Field(name, new Utf8(), false)),
  new Field('collection', new Utf8(), true),
]);

/**
 * LanceDB in this process, one table per company below `root`: of terms, and of vectors.
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
  const folder = join(root, termsFolder);
  await mkdir(folder, { recursive: true });
  await removeEarlierTables(root);
  const connection = await connect(folder, { readConsistencyInterval: 0 });
  const tables = new LanceTables(connection, { root: folder, limit: openTables, prepare });
  const vectors = await openVectors(join(root, 'vectors'), { model: vectorModel, openTables, log });

  return {
    name: 'LanceDB',

    async add(companyId, chunks) {
      if (chunks.length === 0) return;
      const table = await tables.make(companyId, schema);
      await retried(async () => {
        for (let i = 0; i < chunks.length; i += mergedAtOnce) {
          const rows = await arrowTable(schema, mapped([chunks.slice(i, i + mergedAtOnce)], toRow));
          await table.mergeInsert('key').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
        }
      });
    },

    async search(companyId, request) {
      const table = await tables.open(companyId);
      if (!table) return [];
      return search(table, request);
    },

    async candidates(companyId, chunks) {
      const table = await tables.open(companyId);
      if (!table || chunks.length === 0) return [];
      const found = table.query().where(`key IN (${keyList(chunks)})`);
      return toCandidates(await found.select(['key', 'terms']).toArrow());
    },

    async addVectors(companyId, added) {
      await vectors?.add(companyId, added);
    },

    async searchVectors(companyId, vector, limit, within = {}) {
      return (await vectors?.search(companyId, vector, limit, within)) ?? [];
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

    async move(companyId, documentIds, collectionId) {
      if (documentIds.length === 0) return;
      const values = { collection: collectionCell(collectionId) };
      // What is there already is not written again.
      const where = `document_id IN (${idList(documentIds)}) AND collection <> '${values.collection}'`;
      const table = await tables.open(companyId);
      if (table) await retried(() => table.update({ where, values }));
      await vectors?.update(companyId, where, values);
    },

    async companies() {
      const entries = await readdir(folder).catch(() => []);
      return new Set(entries.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length)));
    },

    async optimize(companyId) {
      const table = await tables.open(companyId);
      const stats = await table?.indexStats('terms_idx');
      if (table && !(stats && stats.numUnindexedRows < unindexedLimit)) {
        const started = performance.now();
        await retried(() => table.optimize({ cleanupOlderThan: new Date(Date.now() - keptMs) }));
        log.debug({ companyId, ms: Math.round(performance.now() - started) }, 'search table optimized');
      }
      // Last: full text never waits for vectors.
      await vectors?.optimize(companyId);
    },

    async erase(companyId, live) {
      const ids = new Set<string>();
      const rows = mapped(live, (chunk) => {
        ids.add(chunk.id);
        return toRow(chunk);
      });
      await tables.rewrite(companyId, await arrowTable(schema, rows));
      await vectors?.erase(companyId, ids);
    },

    async drop(companyId) {
      await vectors?.drop(companyId);
      await tables.drop(companyId);
    },

    async close() {
      vectors?.close();
      connection.close();
    },
  };
}

async function search(table: Table, { text, also = [], limit, ...within }: SearchRequest): Promise<Candidate[]> {
  const query = [...new Set([...questionTerms(text).terms, ...also])].slice(0, maxTerms).join(' ');
  if (query === '' || within.documentIds?.length === 0) return [];
  const found = table
    .query()
    .fullTextSearch(new MultiMatchQuery(query, [...columns], { boosts }))
    .select(['key', 'terms', '_score'])
    .limit(limit);
  const condition = conditionOf(within);
  if (condition !== undefined) found.where(condition);
  return toCandidates(await found.toArrow());
}

/** By columns: rows as objects are made one value at a time, which costs more than the search itself. */
function toCandidates(rows: ArrowTable): Candidate[] {
  const [keys, terms] = ['key', 'terms'].map((name) => rows.getChild(name)?.toArray() ?? []);
  return Array.from({ length: rows.numRows }, (_, i) => ({
    ...readKey(String(keys?.[i])),
    terms: String(terms?.[i] ?? ''),
  }));
}

async function prepare(table: Table): Promise<void> {
  await addCollectionColumn(table);
  await addIndexes(table);
}

/** Those that are missing: all of a new table's, and of one whose maker died in between. */
async function addIndexes(table: Table): Promise<void> {
  for (const column of ['key', ...columns]) {
    await retried(async () => {
      // Another process that opens the table at the same time may have made it meanwhile.
      if ((await table.listIndices()).some((index) => index.columns.includes(column))) return;
      // Made anew for each try: the engine refuses to use one twice.
      await table.createIndex(column, { config: column === 'key' ? Index.btree() : Index.fts(indexConfig) });
    });
  }
}

function toRow(chunk: SearchChunk): Row {
  return {
    key: keyOf(chunk),
    document_id: checkedId(chunk.documentId),
    version: chunk.version,
    ...toTermLines(chunk),
    collection: collectionCell(chunk.collectionId),
  };
}

/** Of a version that kept tables elsewhere; they hold text, and are built anew like any that is missing. */
async function removeEarlierTables(root: string): Promise<void> {
  for (const name of await readdir(root))
    if (name.endsWith(ending) || earlierFolders.includes(name))
      await rm(join(root, name), { recursive: true, force: true });
}
