import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { wholeCompany } from '#server/db/audience.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { chunks, documents } from '#server/db/schema.ts';
import type { Chunk, PlacedBlock } from '#server/features/ingestion/document.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { insertCompany, loadDocuments, type Source } from '#server/testing/corpus.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import { createStatistics } from './question/statistics.ts';
import { createRetrieval, type Retrieval, weigh } from './retrieval.ts';

describe('what retrieval finds', () => {
  let database: TestDatabase;
  let root: string;
  let db: Database;
  let search: SearchStore;
  let retrieval: Retrieval;
  let companyId: string;

  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    database = await createTestDatabase();
    root = await mkdtemp(join(tmpdir(), 'footnote-retrieval-'));
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
  beforeEach(async () => {
    companyId = await insertCompany(db);
  });

  async function add(name: string, ...texts: string[]) {
    return load(companyId, { name, texts });
  }
  async function load(
    into: string,
    { name, texts, replaces }: { name: string; texts: string[]; replaces?: Source['replaces'] },
  ) {
    const blocks = texts.map((text) => ({ kind: 'paragraph' as const, text }));
    const [loaded] = await loadDocuments(db, search, into, [
      { name, blocks, chunk: oneEach, ...(replaces && { replaces }) },
    ]);
    if (!loaded) throw new Error('nothing was loaded');
    return loaded;
  }
  const ask = (text: string, { of = companyId, documentIds }: { of?: string; documentIds?: string[] } = {}) =>
    retrieval.find(
      wholeCompany(of),
      { text, limit: 10, ...(documentIds && { filters: { documentIds } }) },
      new AbortController().signal,
    );
  const textsFor = async (...question: Parameters<typeof ask>) =>
    (await ask(...question)).passages.map(({ text }) => text);

  test('an abbreviation that one document explains finds what others write in full, and the other way round', async () => {
    await add('Terms.txt', 'Property, plant and equipment (PPE) is what a company uses for more than a year.');
    await add('Halls.txt', 'Property, plant and equipment stand in hall 4.', 'PPE stands in hall 7.');
    for (const question of ['PPE: which hall?', 'Property, plant and equipment: which hall?']) {
      const { passages } = await ask(question);
      const halls = passages.filter(({ name }) => name === 'Halls.txt');
      expect(
        halls.map(({ coverage }) => coverage > 0.5),
        question,
      ).toEqual([true, true]);
    }
  });

  test('a name of two words with a sign between them is found by its initials, whether or not it says so', async () => {
    const lifted = 'Harbour & Kestrel lifts its earnings forecast.';
    await add('Results.txt', lifted);
    await add('Others.txt', 'Quaynet lifts the forecast of earnings.');
    expect((await textsFor('To what did H&K lift the forecast of earnings?'))[0]).toBe(lifted);
  });

  test('a question is asked in other words where no document has its own, and a claim is not', async () => {
    await add('Budget.txt', 'Legal: 39,367 euros.', 'Income from dues: 12,000 euros.');
    expect((await textsFor('How much is planned for lawyers?'))[0]).toBe('Legal: 39,367 euros.');
    const { question, weigh } = await retrieval.prepare(
      wholeCompany(companyId),
      { text: 'What was the revenue?', limit: 10 },
      new AbortController().signal,
    );
    expect(question.elsewhere.get('incom')).toBe('revenu');
    expect(weigh('The revenue was 12,000 euros.').elsewhere.get('incom')).toBeUndefined();
  });

  test('what has just become readable counts at once, however young the sample of words is', async () => {
    const statisticsOf = createStatistics({ db, clock: () => 0 });
    await add('cats.txt', 'The cat sleeps.');
    expect((await statisticsOf(wholeCompany(companyId))).has('dog')).toBe(false);
    await add('dogs.txt', 'The dog barks.');
    await db.asSystem((tx) => db.notify(tx, 'files', { companyId }));
    await expect.poll(async () => (await statisticsOf(wholeCompany(companyId))).has('dog')).toBe(true);
  });

  test('what is counted after documents have come and gone is what is counted anew', async () => {
    const statisticsOf = createStatistics({ db, clock: () => 0 });
    const { documentId: gone } = await add('otters.txt', 'The otter swims, the heron waits.', 'Otters sleep afloat.');
    await add('herons.txt', 'A heron fishes at dawn.');
    expect((await statisticsOf(wholeCompany(companyId))).has('otter')).toBe(true);
    await add('beavers.txt', 'A beaver builds (European Beaver Network, EBN).', 'The heron flies.');
    await db.asSystem(async (tx) => {
      await tx.delete(chunks).where(eq(chunks.documentId, gone));
      await db.notify(tx, 'files', { companyId });
    });
    await expect.poll(async () => (await statisticsOf(wholeCompany(companyId))).has('otter')).toBe(false);
    const [then, anew] = [
      await statisticsOf(wholeCompany(companyId)),
      await createStatistics({ db })(wholeCompany(companyId)),
    ];
    for (const term of ['heron', 'beaver', 'swim', 'sleep', 'dawn', 'ebn']) {
      expect([then.has(term), then.idf(term)], term).toEqual([anew.has(term), anew.idf(term)]);
      expect(then.like(`${term}s`).sort(), term).toEqual(anew.like(`${term}s`).sort());
    }
    expect(then.averageLength).toBe(anew.averageLength);
    expect(then.languages).toEqual(anew.languages);
  });

  test('companies whose words have no room beside each other are counted again, and alike', async () => {
    await add('owls.txt', 'The owl hunts at night.');
    const other = await insertCompany(db);
    await load(other, { name: 'foxes.txt', texts: ['The fox hunts at night.'] });
    const statisticsOf = createStatistics({ db, bytes: 1 });
    for (let round = 0; round < 2; round++) {
      expect((await statisticsOf(wholeCompany(companyId))).has('owl')).toBe(true);
      expect((await statisticsOf(wholeCompany(companyId))).has('fox')).toBe(false);
      expect((await statisticsOf(wholeCompany(other))).has('fox')).toBe(true);
    }
    const company = wholeCompany(companyId);
    expect(await statisticsOf(company)).not.toBe(await statisticsOf(company));
    const withRoom = createStatistics({ db });
    expect(await withRoom(company)).toBe(await withRoom(company));
  });

  test('a file is found by its year in any form, and says which year it is of', async () => {
    await add('2022FinancialReport.pdf', 'Translations cost 24,853 in all.');
    await add('2021FinancialReport.pdf', 'Translations cost 19,100 in all.');
    for (const question of [
      'What did translations cost in FY22?',
      'Translations cost in fiscal 2022 (in USD millions)?',
    ]) {
      const [best] = (await ask(question)).passages;
      expect(best, question).toMatchObject({ name: '2022FinancialReport.pdf', editions: ['2022'] });
    }
    const { passages } = await ask('What did translations cost in FY2023?');
    expect(passages.flatMap(({ editions }) => editions).sort()).toEqual(['2021', '2022']);
  });

  test('a name is found however it is written: in one word, by its initials', async () => {
    await add('AMERICANEXPRESS_2022_10K.txt', 'Revenue rose by a tenth.');
    await add('BESTBUY_2022_10K.txt', 'Revenue fell by a tenth.');
    await add('GDPR notes.txt', 'Requests are answered within a month.');
    await add('Other notes.txt', 'Requests are answered within a week.');
    expect((await textsFor('Did the revenue of American Express rise in 2022?'))[0]).toBe('Revenue rose by a tenth.');
    expect((await textsFor('Did the revenue of Best Buy rise in 2022?'))[0]).toBe('Revenue fell by a tenth.');
    const question = 'When are requests under the General Data Protection Regulation answered?';
    expect((await textsFor(question))[0]).toBe('Requests are answered within a month.');
  });

  test('a number, a round amount and a currency are found however they are written', async () => {
    await add('A.txt', 'The office is told of it in writing.', 'The lender is told 30 days before.');
    await add('B.txt', 'The budget was cut.', 'It has 2,500,000 for roads.', 'Paid in EUR alone.');
    const first = async (question: string) => (await ask(question)).passages[0]?.text;
    expect(await first('told thirty')).toBe('The lender is told 30 days before.');
    expect(await first('Is it 2.5 million?')).toBe('It has 2,500,000 for roads.');
    expect(await first('euros')).toBe('Paid in EUR alone.');
    expect(await first('WHO IS THE LENDER')).toBe('The lender is told 30 days before.');
  });

  test('a passage is found as soon as it is added, also by a company that has asked before', async () => {
    expect(await textsFor('Where is the archive?')).toEqual([]);
    await add('Rooms.txt', 'The archive is in the basement.');
    expect(await textsFor('Where is the archive?')).toEqual(['The archive is in the basement.']);
    await add('More rooms.txt', 'The canteen is on the roof.');
    expect(await textsFor('Where is the canteen?')).toEqual(['The canteen is on the roof.']);
  });

  test("a passage comes with all that a citation needs, and the question's coverage", async () => {
    const { documentId } = await add('Rooms.txt', 'Nothing here.', 'The archive is in the basement.');
    const [best] = (await ask('archive basement')).passages;
    expect(best).toMatchObject({ documentId, name: 'Rooms.txt', version: 1, coverage: 1, firstBlock: 1, lastBlock: 1 });
    expect(best?.start).toBe('Nothing here.\n'.length);
  });

  test("another company's passages never come, though the search store be given them", async () => {
    const other = await insertCompany(db);
    const theirs = await load(other, { name: 'Plan.txt', texts: ['The secret plan.'] });
    expect(await textsFor('secret plan')).toEqual([]);
    expect(await textsFor('secret plan', { documentIds: [theirs.documentId] })).toEqual([]);
    const rows = theirs.chunkIds.map((id) => ({
      id,
      documentId: theirs.documentId,
      version: 1,
      title: '',
      about: '',
      heading: '',
    }));
    await search.add(
      companyId,
      rows.map((row) => ({ ...row, body: theirs.text })),
    );
    expect(await search.search(companyId, { text: 'secret plan', limit: 10 })).toHaveLength(1);
    expect(await textsFor('secret plan')).toEqual([]);
    expect(await textsFor('secret plan', { of: other })).toEqual(['The secret plan.']);
  });

  test('a deleted document is gone at once, while the store still has its rows', async () => {
    const { documentId } = await add('Rooms.txt', 'The archive is in the basement.');
    expect(await textsFor('archive')).toHaveLength(1);
    await db.asSystem((tx) => tx.update(documents).set({ deletedAt: new Date() }).where(eq(documents.id, documentId)));
    expect(await search.search(companyId, { text: 'archive', limit: 10 })).toHaveLength(1);
    expect(await textsFor('archive')).toEqual([]);
  });

  test('only the version that answers is found, from the moment it does, while the store has all', async () => {
    const { documentId } = await add('Fees.txt', 'The fee is ten euros.');
    const answering = (version: number) =>
      db.asSystem((tx) => tx.update(documents).set({ currentVersion: version }).where(eq(documents.id, documentId)));
    await load(companyId, {
      name: 'Fees.txt',
      texts: ['The fee is twelve euros.'],
      replaces: { documentId, version: 2 },
    });
    expect(await search.search(companyId, { text: 'fee in euros', limit: 10 })).toHaveLength(2);
    await answering(1);
    expect(await textsFor('fee in euros')).toEqual(['The fee is ten euros.']);
    await answering(2);
    expect(await textsFor('fee in euros')).toEqual(['The fee is twelve euros.']);
  });

  test('a filter keeps to its documents; of unknown ones there is nothing', async () => {
    const one = await add('One.txt', 'Annual leave is thirty days.');
    await add('Two.txt', 'Annual reports are due in May.');
    expect(await textsFor('annual', { documentIds: [one.documentId] })).toEqual(['Annual leave is thirty days.']);
    expect(await textsFor('annual', { documentIds: [randomUUID()] })).toEqual([]);
    expect(await textsFor('annual', { documentIds: [] })).toEqual([]);
  });

  test('the same text in two files comes once; with another number it is another text', async () => {
    const policy = 'A hotel in Berlin may cost up to 145 euros for each night of the journey, breakfast included.';
    await add('Policy.txt', policy);
    await add('Copy of policy.txt', `${policy} `, 'Something else.');
    await add('Old policy.txt', policy.replace('145', '125'));
    const found = (await textsFor('hotel in Berlin')).map((text) => text.trim());
    expect(found.toSorted()).toEqual([policy, policy.replace('145', '125')].toSorted());
  });

  test('what has all words, and close together, comes before what has some of them apart', async () => {
    await add('A.txt', 'The notice of the meeting. Later on there was a period of rest, and another period.');
    await add('B.txt', 'The notice period is three months.');
    await add('C.txt', 'A notice, a notice, a notice.');
    const [best] = await textsFor('What is the notice period?');
    expect(best).toBe('The notice period is three months.');
  });

  test('a passage that names its firm has no better words where the whole report is about it', async () => {
    const pages = [
      'Kestrel Paper Mills, annual report',
      'Kestrel Paper Mills: the chair opened it.',
      'Doors, quays, harbours: the chair opened it.',
    ];
    await loadDocuments(db, search, companyId, [
      {
        name: 'Report.pdf',
        blocks: pages.map((text, i) => ({ kind: 'paragraph' as const, text, page: i + 1 })),
      },
    ]);
    const { passages } = await ask('Who is chair at Kestrel Paper Mills?');
    const [naming, other] = pages.slice(1).map((text) => passages.find((each) => each.text === text)?.wordScore);
    expect(naming).toBeCloseTo(other ?? 0);
  });

  test('a report that nowhere has the name in the question comes behind the one that is about it', async () => {
    const report = (name: string, ...pages: string[]) => ({
      name,
      blocks: pages.map((text, i) => ({ kind: 'paragraph' as const, text, page: i + 1 })),
    });
    const announced = 'We announced a quarterly dividend per share with the results of January.';
    const paid = 'The quarterly dividend per share is 12 cents.';
    await loadDocuments(db, search, companyId, [
      report('First.pdf', 'Quaynet', announced),
      report('Second.pdf', 'Harbourline', paid),
    ]);
    const textOf = (firm: string) =>
      textsFor(`What quarterly dividend per share did ${firm} announce with the January results?`);
    expect((await textOf('Harbourline'))[0]).toBe(paid);
    expect((await textOf('Quaynet'))[0]).toBe(announced);
  });

  test('among many documents with all other words the one that a question names is found', async () => {
    const pages = (...texts: string[]) => texts.map((text, i) => ({ kind: 'paragraph' as const, text, page: i + 1 }));
    const others = Array.from({ length: 130 }, (_, i) => ({
      name: `Report ${i}.pdf`,
      blocks: pages(`Firm${i}, December`, 'Dividends of a year, and dividends of another year: 12 cents.'),
    }));
    const paid = 'The dividends were 9 cents, and nothing else stands on this page.';
    const filling = Array.from({ length: 150 }, (_, i) => `Of other things page ${i} has the most to say.`);
    await loadDocuments(db, search, companyId, [
      ...others,
      { name: 'Last.pdf', blocks: pages('Harbourline', ...filling, paid) },
    ]);
    expect((await textsFor('How high were the dividends of Harbourline for the year?'))[0]).toBe(paid);
    // What most documents say at their beginning, as the month their year ends in, is the name of none.
    expect((await textsFor('How high were the dividends of Harbourline for the year to December?'))[0]).toBe(paid);
  });

  test('day and month of a date count less than the words beside them', async () => {
    const question = weigh('operating profit on 30 June 2022', fewOfEach).weights;
    expect(question.get('june')).toBeLessThan(question.get('profit') ?? 0);
    expect(question.get('30')).toBeLessThan(question.get('profit') ?? 0);
    expect(question.get('2022')).toBe(question.get('profit'));
    expect(weigh('operating profit on 2022-06-30', fewOfEach).weights.get('2022-06-30')).toBe(question.get('profit'));
  });

  test.each([
    ['保修期有多久？', '保修期为两年，从交货之日起计算。'],
    ['ระยะเวลารับประกันนานเท่าไร', 'ระยะเวลารับประกันสองปีนับจากวันส่งมอบ'],
    ['ما هي مدة الضمان؟', 'الضمان لمدة سنتين من تاريخ التسليم.'],
    ['Wie lange ist die Kündigungsfrist?', 'Die Kündigungsfrist beträgt drei Monate.'],
  ])('%s', async (question, text) => {
    await add('Other.txt', 'The canteen is on the roof.', '食堂在屋顶。', 'المطعم على السطح.', 'โรงอาหารอยู่บนดาดฟ้า');
    await add('Text.txt', text);
    expect((await textsFor(question))[0]).toBe(text);
  });

  test('the part that a question names by its number comes before what says more of the question', async () => {
    const [debt, equity] = [
      'Note 5 - DEBT: the loans of the group.',
      'Note 6 - EQUITY: the board may buy back shares.',
    ];
    await add('Report.pdf', 'What note 5 and note 6 say is said in the report.', debt, 'As note 6 says.', equity);
    expect((await ask('What does note 6 of the report say?')).passages[0]?.text).toBe(equity);
    expect((await ask('What does note 5 of the report say?')).passages[0]?.text).toBe(debt);
  });

  test('the part is among those that are read, however many say more of the question', async () => {
    const equity = 'Note 6 - EQUITY: the board may buy back shares.';
    const others = Array.from(
      { length: 40 },
      (_, i) => `What the report says of ${i + 10} boards, 6 notes say of loan ${i}.`,
    );
    await add('Report.pdf', ...others, equity);
    expect((await ask('What does note 6 of the report say?')).passages[0]?.text).toBe(equity);
  });

  test('a question of signs or nothing finds nothing', async () => {
    await add('Rooms.txt', 'The archive is in the basement.');
    for (const text of ['', '?!', '\u0000', '" OR 1=1 --']) expect(await textsFor(text)).toEqual([]);
  });
});

/** Each paragraph a passage of its own. */
function oneEach(placed: PlacedBlock[]): Chunk[] {
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
