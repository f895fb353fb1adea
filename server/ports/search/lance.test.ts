import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { searchStoreContract } from './contract.ts';
import { openLanceSearch } from './lance.ts';

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

test('a table whose maker died before it was indexed is indexed when it is opened', async () => {
  const folder = join(root, 'unindexed');
  const companyId = randomUUID();
  const store = await openLanceSearch({ root: folder, log });
  const id = randomUUID();
  const row = { id, documentId: randomUUID(), version: 1, title: 'Rooms.txt', heading: '', body: 'The archive.' };
  await store.add(companyId, [row]);
  await store.close();
  const connection = await connect(folder);
  const table = await connection.openTable(companyId);
  for (const { name } of await table.listIndices()) await table.dropIndex(name);
  connection.close();

  const again = await openLanceSearch({ root: folder, log });
  expect((await again.search(companyId, { text: 'archive', limit: 10 })).map((found) => found.id)).toEqual([id]);
  // Without an index the engine searches all the same, but cuts words in its own way, and more slowly with every row.
  const mended = await (await connect(folder)).openTable(companyId);
  expect((await mended.listIndices()).flatMap((index) => index.columns).sort()).toEqual(['body', 'heading', 'title']);
  await again.close();
});

test('many more companies than tables are kept open are all found', async () => {
  const folder = join(root, 'many');
  const store = await openLanceSearch({ root: folder, log, openTables: 2 });
  const companies = Array.from({ length: 5 }, () => randomUUID());
  for (const [i, companyId] of companies.entries()) {
    const ids = { id: randomUUID(), documentId: randomUUID() };
    await store.add(companyId, [{ ...ids, version: 1, title: 'a', heading: '', body: `plan number${i}` }]);
  }
  const found = await Promise.all(
    companies.flatMap((companyId) =>
      companies.map(async (_, i) => (await store.search(companyId, { text: `number${i}`, limit: 10 })).length),
    ),
  );
  expect(found).toEqual(companies.flatMap((_, own) => companies.map((_, i) => (own === i ? 1 : 0))));
  await store.close();
});

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const files: string[] = [];
  for (const entry of entries) if ((await stat(join(folder, entry))).isFile()) files.push(entry);
  // The number of the newest version, always in the same place.
  return files.filter((file) => !file.endsWith('latest_version_hint.json'));
}
