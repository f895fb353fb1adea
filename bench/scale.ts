import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { wholeCompany } from '#server/db/audience.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { rewriteSearchTable } from '#server/features/documents/deletion/erase.ts';
import { createRetrieval } from '#server/features/retrieval/retrieval.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { insertCompany } from '#server/testing/corpus.ts';
import { fillCompany, makeQuestions, seededEmbeddings } from './big-company.ts';
import { both, megabytes, milliseconds, percentile, type Row, seconds, timeOf } from './figures.ts';
import { watchMemory } from './load.ts';

/** A node with so many chunks of so many companies; `BENCH_NODES` for others, as `20000/200,50000/1`. */
const nodes = (process.env.BENCH_NODES ?? '100000/200,1000000/200,1000000/1').split(',').map((node) => {
  const [chunks = 0, companies = 1] = node.split('/').map(Number);
  return { chunks, companies };
});
/** Where what was loaded stays, to be measured again: a million chunks take half an hour. Absent: it goes. */
const kept = process.env.BENCH_DATA;
const rounds = 400;
const limit = 8;

interface Node {
  db: Database;
  search: SearchStore;
  companyIds: string[];
  size: { chunks: number; seed: number };
}

/** Search as a node's text grows: in two hundred companies alike, and in one. */
export async function measureScale(): Promise<Row[]> {
  const rows: Row[] = [];
  let before = Number.NaN;
  for (const node of nodes) {
    const name = `${node.chunks.toLocaleString('en')} chunks in ${node.companies === 1 ? 'one company' : `${node.companies} companies`}`;
    const measured = await withNode(node, measureNode);
    const goal = node.companies > 1 && before ? `p95 at most ${milliseconds(2 * before)}` : '';
    if (measured.loadedMs !== null) rows.push([`${name}: loaded`, seconds(measured.loadedMs), '']);
    rows.push(
      [`${name}: the first search of each, p50, p95`, both(measured.first), ''],
      [`${name}: search by words, p50, p95`, both(measured.words), ''],
      [`${name}: search by words and vectors, p50, p95`, both(measured.hybrid), goal],
      [`${name}: memory of the process, without the database`, megabytes(measured.memory), ''],
    );
    if (measured.erasing)
      rows.push([`${name}: its tables made anew, as a deletion has it; most memory`, measured.erasing, '']);
    before = percentile(measured.hybrid, 0.95);
  }
  return rows;
}

async function measureNode({ db, search, companyIds, size }: Node) {
  const retrieval = createRetrieval({ db, search, embeddings: seededEmbeddings });
  const { signal } = new AbortController();
  const perCompany = Math.max(2, Math.ceil(rounds / companyIds.length));
  const asked = companyIds.map((companyId, n) => ({
    companyId,
    questions: makeQuestions(perCompany + 1, { ...size, seed: size.seed + n }),
  }));
  const first: number[] = [];
  const words: number[] = [];
  const hybrid: number[] = [];
  // One company after the other, so that what is kept of one has to stay while all others are asked.
  for (let round = 0; round <= perCompany; round++) {
    for (const { companyId, questions } of asked) {
      const find = (byWordsAlone: boolean) =>
        timeOf(() =>
          retrieval.find(wholeCompany(companyId), { text: questions[round] ?? '', limit, byWordsAlone }, signal),
        );
      if (round === 0) first.push(await find(false));
      else if (round % 2 === 0) words.push(await find(true));
      else hybrid.push(await find(false));
    }
  }
  const memory = process.memoryUsage().rss;
  const [companyId, ...others] = companyIds;
  const erasing = companyId && others.length === 0 ? await erase({ db, search }, companyId) : null;
  return { first, words, hybrid, memory, erasing };
}

async function erase(deps: { db: Database; search: SearchStore }, companyId: string): Promise<string> {
  const memory = watchMemory(() => process.memoryUsage().rss);
  const ms = await timeOf(() => rewriteSearchTable(deps, companyId));
  return `${seconds(ms)}; ${megabytes(Math.max(...memory.end()))}`;
}

async function withNode<T extends object>(
  { chunks, companies }: (typeof nodes)[number],
  work: (node: Node) => Promise<T>,
): Promise<T & { loadedMs: number | null }> {
  const dataDir = kept ? join(kept, `${chunks}-${companies}`) : await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  await mkdir(dataDir, { recursive: true });
  // As root the database runs as another user, who has to get at it.
  await chmod(dataDir, 0o755);
  const log = pino({ level: 'warn' });
  const postgres = await startPostgres({ dataDir, log });
  const db = await openDatabase(postgres.connection, { name: 'bench', log });
  const open = () => openLanceSearch({ root: join(dataDir, 'search'), log, vectorModel: seededEmbeddings.model });
  const size = { chunks: Math.round(chunks / companies), seed: 10 };
  let search = await open();
  try {
    const note = join(dataDir, 'loaded.json');
    let loaded = await readFile(note, 'utf8').then(
      (text) => JSON.parse(text) as { companyIds: string[] },
      () => undefined,
    );
    let loadedMs: number | null = null;
    if (!loaded) {
      const loading = performance.now();
      const companyIds = await Promise.all(Array.from({ length: companies }, () => insertCompany(db)));
      const left = [...companyIds.entries()];
      // Two lanes: while one waits for the database or the search store, the other makes text.
      const fill = async () => {
        for (let next = left.pop(); next; next = left.pop())
          await fillCompany({ db, search, companyId: next[1] }, { ...size, seed: size.seed + next[0] });
      };
      await Promise.all([fill(), fill()]);
      loaded = { companyIds };
      loadedMs = performance.now() - loading;
      await writeFile(note, JSON.stringify(loaded));
    }
    const { companyIds } = loaded;
    // Nothing is open, as after a start.
    await search.close();
    search = await open();
    return { ...(await work({ db, search, companyIds, size })), loadedMs };
  } finally {
    await search.close();
    await db.close();
    await postgres.stop();
    if (!kept) await rm(dataDir, { recursive: true, force: true });
  }
}
