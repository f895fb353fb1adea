import { BooleanQuery, Index, MatchQuery, MultiMatchQuery, Occur, type Table } from '@lancedb/lancedb';
import { type Table as ArrowTable, Field, Int32, Schema, Utf8 } from 'apache-arrow';
import type { Logger } from 'pino';
import { questionTerms } from '#server/lib/analyze.ts';
import { toTermLines } from '#server/lib/term-lines.ts';
import { arrowPages, mapped } from './arrow-table.ts';
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
import type { Candidate, SearchChunk, SearchRequest, SearchStore } from './port.ts';
import { isScattered, type Tables, unchanged } from './tables.ts';
import { lanceVectors } from './vectors.ts';

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

/** Search over the engine's tables, wherever they lie. */
export function lanceSearch({
  terms: tables,
  vectors: vectorTables,
  log,
}: {
  terms: Tables;
  /** Null: none are kept. */
  vectors: Tables | null;
  log: Logger;
}): Omit<SearchStore, 'name' | 'close'> {
  const vectors = vectorTables && lanceVectors(vectorTables, log);
  return {
    async add(companyId, chunks) {
      if (chunks.length === 0) return;
      await tables.upsert(companyId, { schema, key: 'key', pages: () => arrowPages(schema, mapped([chunks], toRow)) });
    },

    async search(companyId, request) {
      return (await tables.read(companyId, (table) => search(table, request))) ?? [];
    },

    async candidates(companyId, chunks) {
      if (chunks.length === 0) return [];
      const where = `key IN (${keyList(chunks)})`;
      const found = (table: Table) => table.query().where(where).select(['key', 'terms']).toArrow();
      return (await tables.read(companyId, async (table) => toCandidates(await found(table)))) ?? [];
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
      await tables.write(companyId, (table) => table.delete(where));
    },

    async move(companyId, documentIds, collectionId) {
      if (documentIds.length === 0) return;
      const values = { collection: collectionCell(collectionId) };
      // What is there already is not written again.
      const where = `document_id IN (${idList(documentIds)}) AND collection <> '${values.collection}'`;
      await tables.write(companyId, (table) => table.update({ where, values }));
      await vectors?.update(companyId, where, values);
    },

    has: (companyId) => tables.has(companyId),

    companies: () => tables.companies(),

    async optimize(companyId) {
      await tables.write(companyId, async (table) => {
        const stats = await table.indexStats('terms_idx');
        const isFolded = stats && stats.numUnindexedRows < unindexedLimit;
        if (isFolded && !(await isScattered(table))) return unchanged;
        const started = performance.now();
        await table.optimize({ cleanupOlderThan: new Date(Date.now() - keptMs) });
        log.debug({ companyId, ms: Math.round(performance.now() - started) }, 'search table optimized');
      });
      // Last: full text never waits for vectors.
      await vectors?.optimize(companyId);
    },

    async erase(companyId, live) {
      const ids = new Set<string>();
      const rows = mapped(live, (chunk) => {
        ids.add(chunk.id);
        return toRow(chunk);
      });
      await tables.rewrite(companyId, schema, arrowPages(schema, rows));
      await vectors?.erase(companyId, ids);
    },

    async drop(companyId) {
      await vectors?.drop(companyId);
      await tables.drop(companyId);
    },
  };
}

async function search(table: Table, { text, also = [], about, limit, ...within }: SearchRequest): Promise<Candidate[]> {
  const query = [...new Set([...questionTerms(text).terms, ...also])].slice(0, maxTerms).join(' ');
  if (query === '' || within.documentIds?.length === 0) return [];
  const anywhere = new MultiMatchQuery(query, [...columns], { boosts });
  const ofDocuments = about && new MatchQuery(about.slice(0, maxTerms).join(' '), 'title');
  const wanted = ofDocuments
    ? new BooleanQuery([
        [Occur.Must, ofDocuments],
        [Occur.Should, anywhere],
      ])
    : anywhere;
  const found = table.query().fullTextSearch(wanted).select(['key', 'terms', '_score']).limit(limit);
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

/** What a table of terms needs before it is used; repeatable. */
export async function prepare(table: Table): Promise<void> {
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
