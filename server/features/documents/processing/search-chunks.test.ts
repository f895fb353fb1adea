import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '#server/db/db.ts';
import { eq, sql } from '#server/db/drizzle.ts';
import { chunks } from '#server/db/schema.ts';
import type { Block } from '#server/features/ingestion/document.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { insertCompany, loadDocuments } from '#server/testing/corpus.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { searchChunks } from './search-chunks.ts';

describe('the passages of a document, as they are searched', () => {
  let database: TestDatabase;
  let root: string;
  let db: Database;
  let search: SearchStore;

  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    database = await createTestDatabase();
    root = await mkdtemp(join(tmpdir(), 'footnote-search-chunks-'));
    db = await openDatabase(database.connection, { name: 'test', log });
    search = await openLanceSearch({ root, log });
  });
  afterAll(async () => {
    await search.close();
    await db.close();
    await database.drop();
    await rm(root, { recursive: true, force: true });
  });

  test('each says what its document is about: its first page, and the name that runs through it', async () => {
    const companyId = await insertCompany(db);
    const cover: Block = { kind: 'heading', level: 1, text: 'Annual report 2023', page: 1 };
    const pages = Array.from(
      { length: 4 },
      (_, i): Block => ({ kind: 'paragraph', text: 'All in all, what Harbourline does has its price.', page: i + 2 }),
    );
    const [document] = await loadDocuments(db, search, companyId, [{ name: '506673.pdf', blocks: [cover, ...pages] }]);
    const found = await db.asCompany(companyId, (tx) =>
      searchChunks(tx, companyId, { documentId: document?.documentId ?? '', version: 1 }),
    );
    expect(found.length).toBeGreaterThan(1);
    expect(new Set(found.map(({ about }) => about))).toEqual(new Set(['Annual report 2023\nHarbourline']));
    expect(found.map(({ id }) => id).sort()).toEqual(document?.chunkIds.toSorted());
  });

  test('come in their order, wherever the database has put their rows', async () => {
    const companyId = await insertCompany(db);
    const text = 'All in all, what Harbourline does has its price.';
    const blocks = Array.from({ length: 4 }, (_, i): Block => ({ kind: 'paragraph', text, page: i + 1 }));
    const [document] = await loadDocuments(db, search, companyId, [{ name: '506673.pdf', blocks }]);
    const found = await db.asCompany(companyId, async (tx) => {
      // What is written anew lies behind the rest, and is found there where no index is used.
      await tx.execute(sql`set local enable_indexscan = off`);
      await tx.execute(sql`set local enable_bitmapscan = off`);
      await tx.update(chunks).set({ language: 'en' }).where(eq(chunks.page, 1));
      return searchChunks(tx, companyId, { documentId: document?.documentId ?? '', version: 1 });
    });
    expect(found.map(({ page }) => page)).toEqual([1, 2, 3, 4]);
  });
});
