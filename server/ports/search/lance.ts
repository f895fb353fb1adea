import { mkdir } from 'node:fs/promises';
import { type Connection, connect, Index, MultiMatchQuery, type Table } from '@lancedb/lancedb';
import type { Logger } from 'pino';
import { analyze, isStopTerm } from '#server/lib/analyze.ts';
import type { Candidate, SearchChunk, SearchRequest, SearchStore } from './port.ts';

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
const openTables = 200;
const attempts = 5;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A row as the table has it. */
type Row = Record<string, unknown> & { id: string; document_id: string; version: number };

/**
 * LanceDB in this process, one table per company below `root`.
 * Another process's changes are seen at once (`readConsistencyInterval: 0`), or it would go on finding what is deleted.
 */
export async function openLanceSearch({ root, log }: { root: string; log: Logger }): Promise<SearchStore> {
  await mkdir(root, { recursive: true });
  const connection = await connect(root, { readConsistencyInterval: 0 });
  const tables = new Tables(connection);

  return {
    name: 'LanceDB',

    async add(companyId, chunks) {
      if (chunks.length === 0) return;
      const table = (await tables.open(companyId)) ?? (await tables.create(companyId, chunks.map(toRow), 'create'));
      await retried(async () => {
        await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(chunks.map(toRow));
      });
    },

    async search(companyId, request) {
      const table = await tables.open(companyId);
      if (!table) return [];
      return search(table, request);
    },

    async remove(companyId, documentId, version) {
      const table = await tables.open(companyId);
      if (!table) return;
      const ofVersion = version === undefined ? '' : ` AND version = ${Math.trunc(version)}`;
      await retried(() => table.delete(`document_id = ${quoted(documentId)}${ofVersion}`));
    },

    async optimize(companyId) {
      const table = await tables.open(companyId);
      if (!table) return;
      const stats = await table.indexStats('body_idx');
      if (stats && stats.numUnindexedRows < unindexedLimit) return;
      const started = performance.now();
      await retried(() => table.optimize());
      log.debug({ companyId, ms: Math.round(performance.now() - started) }, 'search table optimized');
    },

    async erase(companyId, live) {
      const rows: Row[] = [];
      for await (const chunks of live) for (const chunk of chunks) rows.push(toRow(chunk));
      if (!(await tables.open(companyId))) return;
      if (rows.length === 0) return tables.drop(companyId);
      const table = await tables.create(companyId, rows, 'overwrite');
      // What the table was before goes with this; compacting would keep the removed text.
      await retried(() => table.optimize({ cleanupOlderThan: new Date() }));
    },

    async close() {
      connection.close();
    },
  };
}

async function search(table: Table, { text, limit, documentIds }: SearchRequest): Promise<Candidate[]> {
  const terms = [...new Set(analyze(text))];
  const telling = terms.filter((term) => !isStopTerm(term));
  const query = (telling.length > 0 ? telling : terms).slice(0, 64).join(' ');
  if (query === '' || documentIds?.length === 0) return [];
  const found = table
    .query()
    .fullTextSearch(new MultiMatchQuery(query, [...columns], { boosts }))
    .select(['id', '_score'])
    .limit(limit);
  if (documentIds) found.where(`document_id IN (${documentIds.map(quoted).join(', ')})`);
  const rows: { id: string; _score: number }[] = await found.toArray();
  return rows.map(({ id, _score }) => ({ id, score: _score }));
}

class Tables {
  readonly #connection: Connection;
  /** In the order of use. */
  readonly #open = new Map<string, Table>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async open(companyId: string): Promise<Table | null> {
    const name = checked(companyId);
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
    if (table) this.#keep(name, table);
    return table;
  }

  /** Makes the table of these rows. Of two processes that create it at once, one finds that of the other. */
  async create(companyId: string, rows: Row[], mode: 'create' | 'overwrite'): Promise<Table> {
    const name = checked(companyId);
    const table = await this.#connection.createTable(name, rows, { mode, existOk: true });
    for (const column of columns) {
      await retried(() => table.createIndex(column, { config: Index.fts(indexConfig), replace: true }));
    }
    this.#keep(name, table);
    return table;
  }

  async drop(companyId: string): Promise<void> {
    const name = checked(companyId);
    this.#open.delete(name);
    await this.#connection.dropTable(name);
  }

  #keep(name: string, table: Table): void {
    this.#open.set(name, table);
    const oldest = this.#open.keys().next().value;
    // Not closed: a search may still be using it. It ends with its last user.
    if (this.#open.size > openTables && oldest !== undefined) this.#open.delete(oldest);
  }
}

function toRow(chunk: SearchChunk): Row {
  return {
    id: checked(chunk.id),
    document_id: checked(chunk.documentId),
    version: chunk.version,
    title: terms(chunk.title),
    heading: terms(chunk.heading),
    body: terms(chunk.body),
  };
}

/** An empty column would be of no type in a table made from it. */
function terms(text: string): string {
  return analyze(text).join(' ') || ' ';
}

/** Filters and table names are strings to the engine: only ids get into them. */
function checked(id: string): string {
  const lower = id.toLowerCase();
  if (!uuid.test(lower)) throw new Error('not an id');
  return lower;
}

function quoted(id: string): string {
  return `'${checked(id)}'`;
}

/** Two writers at once can meet in a commit; the one that loses tries again on what the other has written. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !/conflict|concurrent/i.test(String(error))) throw error;
    }
  }
}
