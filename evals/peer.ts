import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connect, Index, MultiMatchQuery } from '@lancedb/lancedb';
import MiniSearch from 'minisearch';
import type { Passage } from './sets.ts';

/** Another engine on the same passages. */
export interface Peer {
  name: string;
  /** Ids of the ten best passages, best first; of several times as many where it is asked for. */
  search(question: string, times?: number): Promise<string[]>;
  close(): Promise<void>;
}

/** All that we are compared with, each set up as a careful user of it would. */
export const peers = [miniSearch, sqliteFts, textbookBm25, lanceDefault];

const limit = 10;
const stopWords = new Set(
  'a an and are as at be by did do does for from had has have how in is it its of on or that the their this to was were what when where which who whom why will with'.split(
    ' ',
  ),
);

/** MiniSearch as a careful user would set it up: stop words left out, plural endings cut, the title counted more. */
async function miniSearch(passages: Passage[]): Promise<Peer> {
  const index = new MiniSearch({
    fields: ['title', 'text'],
    processTerm: (term) => {
      const lower = term.toLowerCase();
      return stopWords.has(lower) ? null : withoutEnding(lower);
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

/** SQLite's full text with Porter's stems; the words of the question but stop words, any of them. */
async function sqliteFts(passages: Passage[]): Promise<Peer> {
  const database = new DatabaseSync(':memory:');
  database.exec(
    "CREATE VIRTUAL TABLE passages USING fts5(id UNINDEXED, title, text, tokenize = 'porter unicode61 remove_diacritics 2')",
  );
  const insert = database.prepare('INSERT INTO passages (id, title, text) VALUES (?, ?, ?)');
  database.exec('BEGIN');
  for (const { id, title, text } of passages) insert.run(id, title, text);
  database.exec('COMMIT');
  const select = database.prepare(
    `SELECT id FROM passages WHERE passages MATCH ? ORDER BY bm25(passages) LIMIT ${limit}`,
  );
  return {
    name: 'SQLite FTS5',
    async search(question) {
      const words = wordsOf(question);
      const telling = words.filter((word) => !stopWords.has(word));
      const query = (telling.length > 0 ? telling : words).map((word) => `"${word}"`).join(' OR ');
      return query === '' ? [] : select.all(query).map(({ id }) => String(id));
    },
    async close() {
      database.close();
    },
  };
}

/** BM25 as in the textbooks (k1 1.2, b 0.75) over title and text together, plural endings cut. */
export async function textbookBm25(passages: Passage[]): Promise<Peer> {
  const [k1, b] = [1.2, 0.75];
  const termsOf = (text: string) =>
    wordsOf(text)
      .filter((word) => !stopWords.has(word))
      .map(withoutEnding);
  const postings = new Map<string, Map<string, number>>();
  const lengths = new Map<string, number>();
  for (const { id, title, text } of passages) {
    const terms = termsOf(`${title} ${text}`);
    lengths.set(id, terms.length);
    for (const term of terms) {
      const places = postings.get(term) ?? new Map<string, number>();
      places.set(id, (places.get(id) ?? 0) + 1);
      postings.set(term, places);
    }
  }
  const averageLength = [...lengths.values()].reduce((sum, length) => sum + length, 0) / passages.length;
  return {
    name: 'BM25',
    async search(question, times = 1) {
      const scores = new Map<string, number>();
      for (const term of new Set(termsOf(question))) {
        const places = postings.get(term);
        if (!places) continue;
        const idf = Math.log(1 + (passages.length - places.size + 0.5) / (places.size + 0.5));
        for (const [id, frequency] of places) {
          const norm = k1 * (1 - b + (b * (lengths.get(id) ?? 0)) / averageLength);
          scores.set(id, (scores.get(id) ?? 0) + (idf * frequency * (k1 + 1)) / (frequency + norm));
        }
      }
      return [...scores]
        .sort(([, one], [, other]) => other - one)
        .slice(0, times * limit)
        .map(([id]) => id);
    },
    async close() {},
  };
}

/** LanceDB's full text as it comes: its own cutting into words, stems and stop words of English. */
async function lanceDefault(passages: Passage[]): Promise<Peer> {
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

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function withoutEnding(word: string): string {
  return word.replace(/(?<=\w{3})(ies|es|s|ing|ed)$/, '');
}
