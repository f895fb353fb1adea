import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { searchStoreContract } from './contract.ts';
import { boundedSession, openLanceSearch, termsFolder } from './lance.ts';
import type { ChunkVector } from './port.ts';

const root = await mkdtemp(join(tmpdir(), 'footnote-search-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const log = pino({ level: 'silent' });

searchStoreContract('LanceDB', (place) => openLanceSearch({ root: join(root, place), log, vectorModel: 'a' }));

test('erasing leaves no file of before: compressed text can not be looked for, but files can', async () => {
  const folder = join(root, 'erasing');
  const store = await openLanceSearch({ root: folder, log });
  const companyId = randomUUID();
  const chunks = Array.from({ length: 50 }, (_, i) => ({
    id: randomUUID(),
    documentId: randomUUID(),
    version: 1,
    title: 'a',
    about: '',
    heading: '',
    body: `word${i}`,
  }));
  await store.add(companyId, chunks);
  const before = await filesBelow(folder);
  const [deleted] = chunks;
  await store.remove(companyId, deleted?.documentId ?? '');
  async function* live() {
    yield chunks.slice(1);
  }
  await store.erase(companyId, live());
  const after = await filesBelow(folder);
  expect(before.length).toBeGreaterThan(0);
  expect(before.filter((file) => after.includes(file))).toEqual([]);
  await store.close();
});

const chunkOf = (i: number) => ({
  id: randomUUID(),
  documentId: randomUUID(),
  version: 1,
  title: 'a',
  about: '',
  heading: '',
  body: `anchor number${i}`,
});

test('of two processes on one folder none loses what the other writes, and each finds it at once', async () => {
  const folder = join(root, 'shared');
  const stores = [await openLanceSearch({ root: folder, log }), await openLanceSearch({ root: folder, log })];
  const [one, two] = stores;
  if (!one || !two) throw new Error('not opened');
  const companyId = randomUUID();
  const chunks = Array.from({ length: 12 }, (_, i) => chunkOf(i));
  const found = async (store: typeof one, text = 'anchor') =>
    (await store.search(companyId, { text, limit: 100 })).length;
  // The table is made by both at once, too.
  await Promise.all(chunks.map((chunk, i) => stores[i % 2]?.add(companyId, [chunk])));
  expect([await found(one), await found(two)]).toEqual([12, 12]);
  const [first, ...rest] = chunks;
  await one.remove(companyId, first?.documentId ?? '');
  expect(await found(two)).toBe(11);
  async function* live() {
    yield rest.slice(1);
  }
  await one.erase(companyId, live());
  expect([await found(two), await found(two, 'number1'), await found(two, 'number2')]).toEqual([10, 0, 1]);
  await two.add(companyId, [chunkOf(99)]);
  expect(await found(one, 'number99')).toBe(1);
  for (const store of stores) await store.close();
});

test('whoever searches while another process erases finds what is live, each time', async () => {
  const folder = join(root, 'erased-meanwhile');
  const open = () => openLanceSearch({ root: folder, log, vectorModel: 'a' });
  const [eraser, other] = [await open(), await open()];
  const companyId = randomUUID();
  const chunks = Array.from({ length: 60 }, (_, i) => chunkOf(i));
  const vector = new Float32Array(8).fill(Math.sqrt(1 / 8));
  await eraser.add(companyId, chunks);
  await eraser.addVectors(
    companyId,
    chunks.map(({ id, documentId, version }) => ({ id, documentId, version, vector })),
  );
  async function* live() {
    yield chunks.slice(10);
  }
  let erasing = true;
  const found = new Set<string>();
  const search = async (store: typeof other) => {
    while (erasing) {
      found.add(`words ${(await store.search(companyId, { text: 'anchor', limit: 100 })).length}`);
      found.add(`candidates ${(await store.candidates(companyId, chunks)).length}`);
      found.add(`vectors ${(await store.searchVectors(companyId, vector, 100)).length}`);
      found.add(`counts ${(await store.vectorCounts(companyId)).size}`);
    }
  };
  const searching = [eraser, other, other].map(search);
  for (let i = 0; i < 30; i++) await eraser.erase(companyId, live());
  erasing = false;
  await Promise.all(searching);
  // Only the first time there was more.
  const all = ['words', 'candidates', 'vectors', 'counts'].flatMap((what) => [`${what} 60`, `${what} 50`]);
  expect(all).toEqual(expect.arrayContaining([...found]));
  for (const store of [eraser, other]) await store.close();
});

test('erasing writes what lives page by page, so that a company of any size fits into memory', async () => {
  const folder = join(root, 'by-pages');
  const store = await openLanceSearch({ root: folder, log });
  const companyId = randomUUID();
  await store.add(companyId, [chunkOf(1)]);
  const before = await filesBelow(folder);
  const written: number[] = [];
  async function* live() {
    for (let batch = 0; batch < 4; batch++) {
      yield Array.from({ length: 2000 }, (_, i) => chunkOf(batch * 2000 + i));
      written.push((await dataFilesBelow(folder)).filter((file) => !before.includes(file)).length);
    }
  }
  await store.erase(companyId, live());
  expect(written).toEqual([1, 2, 3, 4]);
  expect(await store.search(companyId, { text: 'number7999', limit: 10 })).toHaveLength(1);
  // As one, all the same.
  expect(await dataFilesBelow(folder)).toHaveLength(1);
  await store.close();
});

test('erasing that breaks off leaves all as it was, and nothing of its own', async () => {
  const folder = join(root, 'broken-off');
  const store = await openLanceSearch({ root: folder, log });
  const companyId = randomUUID();
  const chunks = [chunkOf(1), chunkOf(2)];
  await store.add(companyId, chunks);
  const before = await filesBelow(folder);
  async function* broken() {
    yield Array.from({ length: 2500 }, (_, i) => chunkOf(i));
    throw new Error('the database is gone');
  }
  await expect(store.erase(companyId, broken())).rejects.toThrow('the database is gone');
  expect(await filesBelow(folder)).toEqual(before);
  expect(await store.search(companyId, { text: 'anchor', limit: 10 })).toHaveLength(2);
  await store.close();
});

test('what a killed process left as it erased is not searched, and goes with the next erasing', async () => {
  const folder = join(root, 'killed');
  const tables = join(folder, termsFolder);
  const store = await openLanceSearch({ root: folder, log });
  const companyId = randomUUID();
  const [gone, kept] = [chunkOf(1), chunkOf(2)];
  const live = async function* () {
    yield [kept];
  };
  await store.add(companyId, [gone, kept]);
  await cp(join(tables, `${companyId}.lance`), join(folder, 'before'), { recursive: true });
  await store.erase(companyId, live());
  await store.close();
  // Killed after the new table was moved in, and while it made another.
  await rename(join(folder, 'before'), join(tables, `${companyId}.lance`));
  await mkdir(join(tables, '.making', `${companyId}-half`), { recursive: true });
  await writeFile(join(tables, '.making', `${companyId}-half`, 'page'), 'anchor number1');

  const next = await openLanceSearch({ root: folder, log });
  expect(await next.companies()).toEqual(new Set([companyId]));
  expect(await next.search(companyId, { text: 'anchor', limit: 10 })).toMatchObject([{ id: kept.id }]);
  await next.erase(companyId, live());
  expect(await readdir(join(tables, '.making'))).toEqual([]);
  expect((await readdir(tables)).filter((name) => name.startsWith(companyId))).toHaveLength(1);
  await next.drop(companyId);
  expect((await readdir(tables)).filter((name) => name.startsWith(companyId))).toEqual([]);
  await next.close();
});

test('of those who begin a table at once none writes over the rows of another', async () => {
  const folder = join(root, 'begun-at-once');
  const stores = await Promise.all([1, 2, 3].map(() => openLanceSearch({ root: folder, log })));
  const [store] = stores;
  if (!store) throw new Error('not opened');
  for (let round = 0; round < 12; round++) {
    const companyId = randomUUID();
    await Promise.all(Array.from({ length: 12 }, (_, i) => stores[i % 3]?.add(companyId, [chunkOf(i)])));
    expect(await store.search(companyId, { text: 'anchor', limit: 20 })).toHaveLength(12);
  }
  expect(await readdir(join(folder, termsFolder, '.making'))).toEqual([]);
  for (const each of stores) await each.close();
});

test('a table whose maker died before it was indexed is indexed when it is opened', async () => {
  const folder = join(root, 'unindexed');
  const companyId = randomUUID();
  const store = await openLanceSearch({ root: folder, log });
  const id = randomUUID();
  const row = {
    id,
    documentId: randomUUID(),
    version: 1,
    title: 'Rooms.txt',
    about: '',
    heading: '',
    body: 'The archive.',
  };
  await store.add(companyId, [row]);
  await store.close();
  const connection = await connect(join(folder, termsFolder));
  const table = await connection.openTable(companyId);
  for (const { name } of await table.listIndices()) await table.dropIndex(name);
  connection.close();

  const again = await openLanceSearch({ root: folder, log });
  expect((await again.search(companyId, { text: 'archive', limit: 10 })).map((found) => found.id)).toEqual([id]);
  // Without an index the engine searches all the same, but cuts words in its own way, and more slowly with every row.
  const mended = await (await connect(join(folder, termsFolder))).openTable(companyId);
  expect((await mended.listIndices()).flatMap((index) => index.columns).sort()).toEqual([
    'heading',
    'key',
    'terms',
    'title',
  ]);
  await again.close();
});

test('in a large table a graph of vectors finds what is nearest, what is added is found at once, what is removed is not', async () => {
  const store = await openLanceSearch({ root: join(root, 'graph'), log, vectorModel: 'a' });
  const companyId = randomUUID();
  const vectors = Array.from({ length: 5200 }, (_, i) => vectorAt(i));
  const other = randomUUID();
  for (const id of [other, companyId]) {
    await store.addVectors(id, vectors);
    await store.optimize(id);
    const folders = await readdir(join(root, 'graph', 'vectors'), { recursive: true });
    expect(folders.some((path) => path.includes(`${id}.lance`) && path.includes('_indices'))).toBe(true);
  }
  const nearest = async (vector: Float32Array, documentIds?: string[]) =>
    (await store.searchVectors(companyId, vector, 5, { ...(documentIds && { documentIds }) }))[0];
  const [some] = vectors.slice(777);
  if (!some) throw new Error('no vector');
  const hit = await nearest(some.vector);
  expect(hit?.id).toBe(some.id);
  expect(hit?.similarity).toBeCloseTo(1, 1);
  expect((await nearest(vectorAt(9).vector, [some.documentId]))?.id).toBe(some.id);
  const later = vectorAt(9000);
  await store.addVectors(companyId, [later]);
  expect((await nearest(later.vector))?.id).toBe(later.id);
  await store.remove(companyId, some.documentId);
  expect((await nearest(some.vector))?.id).not.toBe(some.id);
  await store.close();
});

/** Different directions, the same at every run. */
function vectorAt(i: number): ChunkVector {
  const values = Array.from({ length: 16 }, (_, at) => Math.sin((i + 1) * (at + 1.7) * 12.9898));
  const length = Math.hypot(...values);
  return {
    id: randomUUID(),
    documentId: randomUUID(),
    version: 1,
    vector: Float32Array.from(values, (value) => value / length),
  };
}

test('additions of a passage each are put together before they slow searches down, also in a small company', async () => {
  const folder = join(root, 'scattered');
  const store = await openLanceSearch({ root: folder, log, vectorModel: 'a' });
  const companyId = randomUUID();
  const parts = async () => {
    const [vectors = ''] = await readdir(join(folder, 'vectors'));
    const folders = [join(folder, termsFolder), join(folder, 'vectors', vectors)];
    return Promise.all(
      folders.map(async (at) => {
        const connection = await connect(at);
        const { fragmentStats } = await (await connection.openTable(companyId)).stats();
        connection.close();
        return fragmentStats.numFragments;
      }),
    );
  };
  const add = async (i: number) => {
    await store.add(companyId, [chunkOf(i)]);
    await store.addVectors(companyId, [vectorAt(i)]);
  };
  for (let i = 0; i < 10; i++) await add(i);
  await store.optimize(companyId);
  // Putting them together would take longer than it saves.
  expect(await parts()).toEqual([10, 10]);
  await add(10);
  await store.optimize(companyId);
  expect(await parts()).toEqual([1, 1]);
  expect(await store.search(companyId, { text: 'anchor', limit: 20 })).toHaveLength(11);
  expect(await store.searchVectors(companyId, vectorAt(3).vector, 20)).toHaveLength(11);
  await store.close();
});

test('many more companies than tables are kept open are all found', async () => {
  const folder = join(root, 'many');
  const store = await openLanceSearch({ root: folder, log, openTables: 2 });
  const companies = Array.from({ length: 5 }, () => randomUUID());
  for (const [i, companyId] of companies.entries()) {
    const ids = { id: randomUUID(), documentId: randomUUID() };
    await store.add(companyId, [{ ...ids, version: 1, title: 'a', about: '', heading: '', body: `plan number${i}` }]);
  }
  const found = await Promise.all(
    companies.flatMap((companyId) =>
      companies.map(async (_, i) => (await store.search(companyId, { text: `number${i}`, limit: 10 })).length),
    ),
  );
  expect(found).toEqual(companies.flatMap((_, own) => companies.map((_, i) => (own === i ? 1 : 0))));
  await store.close();
});

test('what the engine keeps in memory of all tables stays within what it is given', async () => {
  const kept: bigint[] = [];
  for (const bytes of [256 << 20, 256 << 10]) {
    const session = boundedSession(bytes);
    const store = await openLanceSearch({ root: join(root, `within ${bytes}`), log, session, vectorModel: 'a' });
    for (let i = 0; i < 10; i++) {
      const companyId = randomUUID();
      const ids = { id: randomUUID(), documentId: randomUUID() };
      await store.add(companyId, [{ ...ids, version: 1, title: 'a', about: '', heading: '', body: 'a plan' }]);
      await store.search(companyId, { text: 'plan', limit: 10 });
    }
    kept.push(session.sizeBytes());
    await store.close();
  }
  const [much = 0n, little = 0n] = kept;
  expect(much).toBeGreaterThan(256n << 10n);
  expect(little).toBeLessThanOrEqual(256n << 10n);
});

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const files: string[] = [];
  for (const entry of entries) if ((await stat(join(folder, entry))).isFile()) files.push(entry);
  // The number of the newest version, always in the same place.
  return files.filter((file) => !file.endsWith('latest_version_hint.json'));
}

const dataFilesBelow = async (folder: string) =>
  (await filesBelow(folder)).filter((file) => file.includes('/data/') && file.endsWith('.lance'));
