import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { wholeCompany } from '#server/db/audience.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { openSessionLocks } from '#server/db/session-locks.ts';
import { createRetrieval } from '#server/features/retrieval/retrieval.ts';
import type { S3Place } from '#server/ports/files/s3/place.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchChunk, SearchStore } from '#server/ports/search/port.ts';
import { openStoredSearch } from '#server/ports/search/s3/open.ts';
import { startTestS3 } from '#server/testing/s3.ts';
import type { S3Simulator } from '#simulators/s3/server.ts';
import { fillCompany, makeQuestions, seededEmbeddings } from './big-company.ts';
import { withCompany } from './company.ts';
import { megabytes, milliseconds, percentile, type Row } from './figures.ts';

/** Of the company; `BENCH_CHUNKS` for a quick look. */
const size = { chunks: Number(process.env.BENCH_CHUNKS ?? 10_000), seed: 1 };
const rounds = 100;
const limit = 8;
/** What each request to the store takes longer than on this machine. */
const delayMs = 30;
const log = pino({ level: 'silent' });

/** What search costs whose tables lie in a store: as on disk, from copies, and without room for a copy. */
export function measureSearchOnS3(): Promise<Row[]> {
  return withCompany(async (dataDir, companyId) => {
    const postgres = await startPostgres({ dataDir, log });
    const db = await openDatabase(postgres.connection, { name: 'bench', log });
    const s3 = await startTestS3();
    const disk = await openLanceSearch({ root: join(dataDir, 'search'), log, vectorModel: seededEmbeddings.model });
    const process = await openProcess(db, s3.place, join(dataDir, 'copies-1'));
    try {
      await fillCompany({ db, search: both(disk, process.search), companyId }, size);
      return await measure({ db, companyId, disk, stored: process.search, dataDir, ...s3 });
    } finally {
      await process.close();
      await disk.close();
      await s3.close();
      await db.close();
      await postgres.stop();
    }
  });
}

interface Bench {
  db: Database;
  companyId: string;
  disk: SearchStore;
  stored: SearchStore;
  dataDir: string;
  simulator: S3Simulator;
  place: S3Place;
}

async function measure({ db, companyId, disk, stored, dataDir, simulator, place }: Bench): Promise<Row[]> {
  const questions = makeQuestions(rounds, size);
  const finding = (search: SearchStore) => {
    const retrieval = createRetrieval({ db, search, embeddings: seededEmbeddings });
    const { signal } = new AbortController();
    return (text: string) => retrieval.find(wholeCompany(companyId), { text, limit }, signal);
  };
  const costOf = async (work: () => Promise<unknown>) => {
    const before = simulator.requests.length;
    const started = performance.now();
    await work();
    return { ms: performance.now() - started, requests: simulator.requests.length - before };
  };
  simulator.delay(delayMs);
  const other = await openProcess(db, place, join(dataDir, 'copies-2'));
  const without = await openProcess(db, place, join(dataDir, 'copies-3'), 1);
  try {
    const [onDisk, fromCopy, fromStore] = [disk, other.search, without.search].map(finding);
    if (!onDisk || !fromCopy || !fromStore) throw new Error('no search');
    const first = await costOf(() => fromCopy(questions[0] ?? ''));
    for (const text of questions.slice(0, 20)) for (const find of [onDisk, fromCopy]) await find(text);
    // In turn, so that what else the machine does falls on both.
    const paired: { disk: number; copy: number; requests: number }[] = [];
    for (const text of questions) {
      const { ms } = await costOf(() => onDisk(text));
      const copied = await costOf(() => fromCopy(text));
      paired.push({ disk: ms, copy: copied.ms, requests: copied.requests });
    }
    const added = await costOf(() => stored.add(companyId, [chunk()]));
    const after = await costOf(() => fromCopy(questions[1] ?? ''));
    const folded = await costOf(() => stored.optimize(companyId));
    const removed = await costOf(() => stored.remove(companyId, randomUUID()));
    const coldWithout = await costOf(() => fromStore(questions[0] ?? ''));
    const direct: { ms: number; requests: number }[] = [];
    for (const text of questions.slice(1, 30)) direct.push(await costOf(() => fromStore(text)));
    return [
      [`on disk, ${size.chunks.toLocaleString('en')} chunks, p50, p95`, pair(paired.map((each) => each.disk)), ''],
      ['in the store, from a copy, p50, p95', pair(paired.map(({ copy }) => copy)), ''],
      ['requests of such a search, at most', String(Math.max(...paired.map(({ requests }) => requests))), '0'],
      ['the first search of a process, which brings the copy', cost(first), ''],
      ['room that the copy takes', megabytes(await bytesBelow(join(dataDir, 'copies-2'))), ''],
      ['the first search after another process has added', cost(after), ''],
      ['in the store, without room for a copy: the first search', cost(coldWithout), ''],
      ['the same, later ones, p50, p95', pair(direct.map(({ ms }) => ms)), ''],
      ['requests of such a search, p50, p95', pair(direct.map(({ requests }) => requests)).replaceAll(' ms', ''), ''],
      ['one chunk added', cost(added), ''],
      ['one document removed', cost(removed), ''],
      ['looking whether rows are to be folded in', cost(folded), ''],
    ];
  } finally {
    await without.close();
    await other.close();
  }
}

/** Search in the store as a process of its own has it. */
async function openProcess(db: Database, place: S3Place, copiesFolder: string, copiesBytes = 1e10) {
  const locks = openSessionLocks(db.connection, log);
  const { connection, listen } = db;
  const vectorModel = seededEmbeddings.model;
  const own = { copiesFolder, copiesBytes, alone: true };
  const search = await openStoredSearch({ place, ...own, connection, listen, locks, log, vectorModel });
  return { search, close: () => search.close().finally(() => locks.close()) };
}

/** What is written goes to both. */
function both(one: SearchStore, other: SearchStore): SearchStore {
  return {
    ...one,
    async add(...given) {
      await one.add(...given);
      await other.add(...given);
    },
    async addVectors(...given) {
      await one.addVectors(...given);
      await other.addVectors(...given);
    },
    async optimize(companyId) {
      await one.optimize(companyId);
      await other.optimize(companyId);
    },
  };
}

function chunk(): SearchChunk {
  const ids = { id: randomUUID(), documentId: randomUUID(), version: 1 };
  return { ...ids, title: 'Late.md', about: '', heading: '', body: 'It came later.' };
}

function pair(values: number[]): string {
  return [0.5, 0.95].map((share) => milliseconds(percentile(values, share))).join(', ');
}

function cost({ ms, requests }: { ms: number; requests: number }): string {
  return `${milliseconds(ms)}, ${requests} requests`;
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const entry of entries) if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}
