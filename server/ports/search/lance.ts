import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, connect, Index, MultiMatchQuery, type Table } from '@lancedb/lancedb';
import { Field, Int32, Schema, Utf8 } from 'apache-arrow';
import type { Logger } from 'pino';
import { analyze, questionTerms } from '#server/lib/analyze.ts';
import { readTermLines, splitTerms, type TermLine, toTermLines } from '#server/lib/term-lines.ts';
import { checkedId, idList, retried } from './lance-rows.ts';
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

/** Of a table's folder. */
const ending = '.lance';
/** Below a table's folder: what holds text, or is made of it. */
const textFolders = ['data', '_indices'];

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
  const tables = new Tables(connection, openTables);
  const vectors = await openVectors(join(root, 'vectors'), vectorModel);

  return {
    name: 'LanceDB',

    async add(companyId, chunks) {
      if (chunks.length === 0) return;
      const table = (await tables.open(companyId)) ?? (await tables.create(companyId, 'create'));
      await retried(async () => {
        await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(chunks.map(toRow));
      });
    },

    async search(companyId, request) {
      const table = await tables.open(companyId);
      if (!table) return [];
      return search(table, request);
    },

    async addVectors(companyId, added) {
      await vectors?.add(companyId, added);
    },

    async searchVectors(companyId, vector, limit, documentIds) {
      return (await vectors?.search(companyId, vector, limit, documentIds)) ?? [];
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
      const folder = join(root, `${checkedId(companyId)}${ending}`);
      const before = await filesBelow(folder);
      const table = await tables.create(companyId, 'overwrite', rows);
      // What the table was before goes with this; compacting would keep the removed text.
      await retried(() => table.optimize({ cleanupOlderThan: new Date() }));
      // The engine spares files that no version names: it can't tell those of a killed writer from those being written.
      for (const path of before) await rm(path, { force: true });
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
  // By columns: rows as objects are made one value at a time, which costs more than the search itself.
  const rows = await found.toArrow();
  const column = (name: string) => rows.getChild(name)?.toArray() ?? [];
  const [ids, documents, versions, scores] = ['id', 'document_id', 'version', '_score'].map(column);
  const [titles, headings, bodies] = columns.map(column);
  return Array.from({ length: rows.numRows }, (_, i) => ({
    id: String(ids?.[i]),
    documentId: String(documents?.[i]),
    version: Number(versions?.[i]),
    score: Number(scores?.[i]),
    title: readTermLines(String(titles?.[i] ?? ''))[0] ?? noTerms,
    heading: splitTerms(String(headings?.[i] ?? '')),
    lines: readTermLines(String(bodies?.[i] ?? '')),
  }));
}

async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const part of textFolders) {
    const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isFile()) found.push(join(entry.parentPath, entry.name));
  }
  return found;
}
const noTerms: TermLine = { terms: [], label: 0 };

class Tables {
  readonly #connection: Connection;
  readonly #limit: number;
  /** In the order of use. */
  readonly #open = new Map<string, Table>();

  constructor(connection: Connection, limit: number) {
    this.#connection = connection;
    this.#limit = limit;
  }

  async open(companyId: string): Promise<Table | null> {
    const name = checkedId(companyId);
    const known = this.#open.get(name);
    if (known) {
      this.#open.delete(name);
      this.#open.set(name, known);
      return known;
    }
    const table = await this.#connection.openTable(name).catch((error: unknown) => {
      if (/not found/i.test(String(error))) return null;
      throw error;
    });
    if (!table) return null;
    await addIndexes(table);
    this.#keep(name, table);
    return table;
  }

  /** Makes the table. Of two processes that create it at once, one finds that of the other. */
  async create(companyId: string, mode: 'create' | 'overwrite', rows: Row[] = []): Promise<Table> {
    const name = checkedId(companyId);
    const table =
      rows.length > 0
        ? await this.#connection.createTable(name, rows, { schema, mode, existOk: true })
        : await this.#connection.createEmptyTable(name, schema, { mode, existOk: true });
    await addIndexes(table);
    this.#keep(name, table);
    return table;
  }

  #keep(name: string, table: Table): void {
    this.#open.set(name, table);
    const oldest = this.#open.keys().next().value;
    // Not closed: a search may still be using it. It ends with its last user.
    if (this.#open.size > this.#limit && oldest !== undefined) this.#open.delete(oldest);
  }
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
