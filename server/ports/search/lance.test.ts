import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { searchStoreContract } from './contract.ts';
import { openLanceSearch } from './lance.ts';

const root = await mkdtemp(join(tmpdir(), 'footnote-search-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const log = pino({ level: 'silent' });

searchStoreContract('LanceDB', (place) => openLanceSearch({ root: join(root, place), log }));

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

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const files: string[] = [];
  for (const entry of entries) if ((await stat(join(folder, entry))).isFile()) files.push(entry);
  // The number of the newest version, always in the same place.
  return files.filter((file) => !file.endsWith('latest_version_hint.json'));
}
