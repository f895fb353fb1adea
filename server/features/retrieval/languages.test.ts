import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeCompany } from '#server/db/audience.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import type { PlacedBlock } from '#server/features/ingestion/document.ts';
import { languagesOf } from '#server/lib/language.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { insertCompany, loadDocuments } from '#server/testing/corpus.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { houseRules } from './fixtures.ts';
import { createRetrieval, type Retrieval } from './retrieval.ts';

describe('documents in many languages', () => {
  let database: TestDatabase;
  let root: string;
  let db: Database;
  let search: SearchStore;
  let retrieval: Retrieval;

  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    database = await createTestDatabase();
    root = await mkdtemp(join(tmpdir(), 'footnote-languages-'));
    db = await openDatabase(database.connection, { name: 'test', log });
    search = await openLanceSearch({ root, log });
    retrieval = createRetrieval({ db, search });
  });
  afterAll(async () => {
    await search.close();
    await db.close();
    await database.drop();
    await rm(root, { recursive: true, force: true });
  });

  async function companyWith(documents: { name: string; passages: string[] }[]): Promise<string> {
    const companyId = await insertCompany(db);
    const sources = documents.map(({ name, passages }) => ({
      name,
      blocks: passages.map((text) => ({ kind: 'paragraph' as const, text })),
      chunk: oneEach,
    }));
    await loadDocuments(db, search, companyId, sources);
    return companyId;
  }
  const best = async (companyId: string, text: string) => {
    const { passages } = await retrieval.find(
      wholeCompany(companyId),
      { text, limit: 3 },
      new AbortController().signal,
    );
    return passages[0]?.text;
  };

  test.each(houseRules)(
    '$language: asked in other forms of its words, the right passage comes first',
    async (rules) => {
      const { language, passages, asked } = rules;
      const companyId = await companyWith([{ name: `${language}.txt`, passages }]);
      const found: [string, string | undefined][] = [];
      for (const [question] of asked) found.push([question, await best(companyId, question)]);
      expect(found).toEqual(asked.map(([question, passage]) => [question, passages[passage]]));
    },
  );

  test('among documents of other languages each is found, also by a question that does not tell its language', async () => {
    const some = houseRules.filter(({ language }) => ['tr', 'sv', 'nl', 'ro'].includes(language));
    const english = [
      'The tenant returns the keys on the last day.',
      'The deposit is paid back within thirty days of it.',
    ];
    const companyId = await companyWith([
      ...some.map(({ language, passages }) => ({ name: `${language}.txt`, passages })),
      { name: 'rules.txt', passages: english },
    ]);
    expect(await best(companyId, 'deposits paid back')).toBe(english[1]);
    for (const { passages, asked } of some) {
      const [question = '', passage = 0] = asked[1] ?? [];
      expect(await best(companyId, question)).toBe(passages[passage]);
    }
    expect(await best(companyId, 'depozitolar')).toContain('Depozito');
    expect(await best(companyId, 'waarborgsommen')).toContain('waarborgsom');
  });

  test("a passage has its own language where it says enough, else its document's, and none where nothing says it", () => {
    const dutch = houseRules.find(({ language }) => language === 'nl')?.passages ?? [];
    expect([...languagesOf([...dutch, '12 | 34 | 56', 'OK'])]).toEqual([...dutch, '', ''].map(() => 'nl'));
    const quoted =
      'The tenant shall return all keys on the last day of the lease, and the landlord shall pay back the deposit within thirty days of it, less the cost of any damage that was found in the rooms when they were handed over.';
    expect([...languagesOf([...dutch, quoted])].at(-1)).toBe('en');
    expect([...languagesOf(['12 | 34', 'TS-540'])]).toEqual([null, null]);
  });
});

/** Each block a passage. */
function oneEach(placed: PlacedBlock[]) {
  return placed.map(({ index, start, end, text }) => ({
    index,
    headingPath: [],
    start,
    end,
    firstBlock: index,
    lastBlock: index,
    text,
  }));
}
