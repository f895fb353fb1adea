import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { wholeCompany } from '#server/db/audience.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import type { Block } from '#server/features/ingestion/document.ts';
import { createRetrieval } from '#server/features/retrieval/retrieval.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { insertCompany, loadDocuments } from '#server/testing/corpus.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { passagesQuoted, readFound } from './found-quotes.ts';

describe('the passages that are read for an answer', () => {
  let database: TestDatabase;
  let root: string;
  let db: Database;
  let search: SearchStore;
  let companyId: string;

  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    database = await createTestDatabase();
    root = await mkdtemp(join(tmpdir(), 'footnote-found-quotes-'));
    db = await openDatabase(database.connection, { name: 'test', log });
    search = await openLanceSearch({ root, log });
  });
  afterAll(async () => {
    await search.close();
    await db.close();
    await database.drop();
    await rm(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    companyId = await insertCompany(db);
  });

  const add = (blocks: Block[][]) =>
    loadDocuments(
      db,
      search,
      companyId,
      blocks.map((own, i) => ({ name: `${i}.txt`, blocks: own })),
    );
  const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
  const row = (...cells: string[]): Block => ({ kind: 'row', text: cells.join(' | '), cells });
  async function read(text: string): Promise<string[]> {
    const retrieval = createRetrieval({ db, search });
    const request = { text, limit: passagesQuoted };
    const prepared = await retrieval.prepare(wholeCompany(companyId), request, new AbortController().signal);
    const { passages } = await db.asCompany(companyId, (tx) => readFound(tx, retrieval, prepared));
    return passages.map(({ passage }) => passage.text);
  }

  const towns = ['Bern', 'Basel', 'Genf', 'Thun', 'Chur', 'Zug', 'Davos', 'Aarau', 'Olten', 'Wil'];
  const prose = towns.map((town) => [
    paragraph(`The average parking subsidy of the drivers in ${town} was 30 francs in 2024.`),
  ]);
  const table = [row('Benefit', 'All'), row('Meals', '812'), row('Parking subsidy', '1,250'), row('Trains', '77')];

  test('where an amount is asked for, a table with a row of that name is read behind the others', async () => {
    await add([...prose, table]);
    const question = 'What was the average parking subsidy of the drivers in 2024?';
    const passages = await read(question);
    expect(passages).toHaveLength(passagesQuoted + 1);
    expect(passages.at(-1)).toContain('Parking subsidy | 1,250');
  });

  test('none is added whose rows have another name, or where no amount is asked for', async () => {
    await add([...prose, table]);
    expect(await read('Which drivers have a parking subsidy?')).toHaveLength(passagesQuoted);
    expect(await read('What was the average subsidy of the drivers in 2024?')).toHaveLength(passagesQuoted);
  });

  test('a long table is found for its row where many passages have the words of the question more often', async () => {
    const word = (i: number) => `${'bdfgklmnprst'.charAt(i % 12)}a${'bdfgklmn'.charAt(Math.floor(i / 12))}ov`;
    const notes = Array.from({ length: 90 }, (_, i) => [
      paragraph(`Refund ${word(i)}: customs, refund, customs. See refund ${word(i + 5)} of customs.`),
    ]);
    const items = Array.from({ length: 60 }, (_, i) => row(`Levy on ${word(i)} and ${word(i + 9)}`, `${i}`));
    await add([...notes, [row('Levy', 'All'), ...items, row('Customs refund', '4,711')]]);
    const passages = await read('How much was the customs refund?');
    expect(passages.some((text) => text.includes('Customs refund | 4,711'))).toBe(true);
  });

  test('how a letter begins and ends is none of its answers', async () => {
    const letter = ['Dear Ms Lindqvist,', 'the inspection of the pier costs 480 euros.', 'Kind regards', 'Accounts'];
    await add([letter.map(paragraph)]);
    const retrieval = createRetrieval({ db, search });
    const request = { text: 'What does the inspection of the pier cost?', limit: passagesQuoted };
    const prepared = await retrieval.prepare(wholeCompany(companyId), request, new AbortController().signal);
    const { passages } = await db.asCompany(companyId, (tx) => readFound(tx, retrieval, prepared));
    const quotable = passages.flatMap(({ units }) => units.map(({ text }) => text));
    expect(quotable).toEqual(['the inspection of the pier costs 480 euros.', 'Accounts']);
  });
});
