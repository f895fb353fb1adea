import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, Index, MultiMatchQuery } from '@lancedb/lancedb';
import MiniSearch from 'minisearch';
import type { Passage } from './sets.ts';

/** Another engine on the same passages. */
export interface Peer {
  name: string;
  /** Ids of the ten best passages, best first. */
  search(question: string): Promise<string[]>;
  close(): Promise<void>;
}

const limit = 10;
const stopWords = new Set(
  'a an and are as at be by did do does for from had has have how in is it its of on or that the their this to was were what when where which who whom why will with'.split(
    ' ',
  ),
);

/** MiniSearch as a careful user would set it up: stop words left out, plural endings cut, the title counted more. */
export async function miniSearch(passages: Passage[]): Promise<Peer> {
  const index = new MiniSearch({
    fields: ['title', 'text'],
    processTerm: (term) => {
      const lower = term.toLowerCase();
      return stopWords.has(lower) ? null : lower.replace(/(?<=\w{3})(ies|es|s|ing|ed)$/, '');
    },
    searchOptions: { boost: { title: 1.5 } },
  });
  index.addAll(passages);
  return {
    name: 'MiniSearch',
    search: async (question) =>
      index
        .search(question)
        .slice(0, limit)
        .map(({ id }) => String(id)),
    async close() {},
  };
}

/** LanceDB's full text as it comes: its own cutting into words, stems and stop words of English. */
export async function lanceDefault(passages: Passage[]): Promise<Peer> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-peer-'));
  const connection = await connect(folder);
  const rows = passages.map(({ id, title, text }) => ({ id, title: title || ' ', text }));
  const table = await connection.createTable('passages', rows);
  for (const column of ['title', 'text']) await table.createIndex(column, { config: Index.fts() });
  return {
    name: 'LanceDB default',
    async search(question) {
      const query = new MultiMatchQuery(question, ['title', 'text']);
      const found: { id: string }[] = await table
        .query()
        .fullTextSearch(query)
        .select(['id', '_score'])
        .limit(limit)
        .toArray();
      return found.map(({ id }) => id);
    },
    async close() {
      connection.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
