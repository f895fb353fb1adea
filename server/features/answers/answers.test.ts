import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallMessage, CallOutput } from '#contract/calls.ts';
import { parseMarkers } from '#contract/citations.ts';
import { entitlementsOf } from '#contract/entitlements.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { eq, sql } from '#server/db/drizzle.ts';
import { blocks, citations, documents, queries } from '#server/db/schema.ts';
import type { Block } from '#server/features/ingestion/document.ts';
import { createRetrieval } from '#server/features/retrieval/retrieval.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { insertCompany, loadDocuments } from '#server/testing/corpus.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { createAnswers } from './answers.ts';
import { maxQuoteLength } from './extract/unit.ts';
import { fittedWeights } from './extract/weights.ts';
import { whatHolds } from './verify-quotes.ts';

type Answer = CallOutput<'query'>;

describe('answers from quotes', () => {
  let database: TestDatabase;
  let root: string;
  let db: Database;
  let search: SearchStore;
  let answers: ReturnType<typeof createAnswers>;
  let companyId: string;
  const userId = randomUUID();

  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    database = await createTestDatabase();
    root = await mkdtemp(join(tmpdir(), 'footnote-answers-'));
    db = await openDatabase(database.connection, { name: 'test', log });
    search = await openLanceSearch({ root, log });
    answers = createAnswers({ db, retrieval: createRetrieval({ db, search }) });
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

  async function add(name: string, ...given: (string | Block)[]) {
    const blocks = given.map((each) => (typeof each === 'string' ? { kind: 'paragraph' as const, text: each } : each));
    const [loaded] = await loadDocuments(db, search, companyId, [{ name, blocks }]);
    if (!loaded) throw new Error('nothing was loaded');
    return loaded;
  }

  /** Asks the last of the turns; those before are questions and answers in turn. */
  async function ask(
    turns: string | string[],
    {
      signal = new AbortController().signal,
      emit = () => {},
      by = answers,
    }: { signal?: AbortSignal; emit?: Emit; by?: typeof answers } = {},
  ): Promise<Answer> {
    const texts = [turns].flat();
    const history = texts.map((text, i) => ({
      role: (texts.length - 1 - i) % 2 === 0 ? ('user' as const) : ('model' as const),
      parts: [{ text }],
    }));
    const who = { userId, email: 'a@example.com', companyId, role: 'member' as const, authenticatedAt: new Date() };
    const actor = { ...who, entitlements: everything };
    return by.query(actor, { history }, { signal, emit });
  }

  async function addTravelPolicy() {
    return add(
      'Travel policy.pdf',
      { kind: 'heading', level: 1, text: 'Hotels', page: 3 },
      { kind: 'paragraph', text: 'The limit is for one night with breakfast. It is reviewed every January.', page: 3 },
      { kind: 'row', text: 'City | Limit per night', cells: ['City', 'Limit per night'], header: true, page: 4 },
      { kind: 'row', text: 'Berlin | 145 euros', cells: ['Berlin', '145 euros'], page: 4 },
      { kind: 'row', text: 'Zürich | 210 francs', cells: ['Zürich', '210 francs'], page: 4 },
      { kind: 'heading', level: 1, text: 'Receipts', page: 5 },
      { kind: 'paragraph', text: 'Receipts must be handed in within 30 days. Later ones are not paid.', page: 5 },
    );
  }

  test('a row of a table is told as one, with the names of its columns and the cell that was asked for', async () => {
    await addTravelPolicy();
    const answer = await ask('What is the limit per night in Zürich?');
    expect(answer.sources[0]).toMatchObject({
      quote: 'Zürich | 210 francs',
      row: {
        cells: [
          { head: 'City', text: 'Zürich' },
          { head: 'Limit per night', text: '210 francs' },
        ],
        asked: 1,
      },
    });
    const sentence = await ask('Within how many days must receipts be handed in?');
    expect(sentence.sources[0]).not.toHaveProperty('row');
  });

  test('who asks for a code is not shown the rows of other codes, whatever else they have of the question', async () => {
    const row = (...cells: string[]) => ({ kind: 'row' as const, text: cells.join(' | '), cells, page: 22 });
    await add(
      'Scanner manual.pdf',
      { kind: 'heading', level: 1, text: 'Error codes of the scanner', page: 22 },
      { ...row('Code', 'Text on the display', 'What to do'), header: true },
      row('E-204', 'Memory for bookings full', 'Stop work; go to a place with network'),
      row('E-205', 'Clock is wrong', 'Do not work with this scanner; report the error'),
      row('E-208', 'Address in use', 'Report both scanners'),
    );
    const answer = await ask('What does error code E-204 on the scanner mean?');
    const shown = answer.sources.filter(({ supporting }) => !supporting);
    expect(shown.map(({ quote }) => quote)).toEqual([
      'E-204 | Memory for bookings full | Stop work; go to a place with network',
    ]);
  });

  test.each([
    ['Hello!', /^Hello\. What would you like to know/],
    ['Guten Tag', /^Guten Tag\. Was möchten Sie/],
    ['merci beaucoup :)', /^Je vous en prie\./],
  ])('who says "%s" is answered in kind, and nothing is looked up', async (said, reply) => {
    await addTravelPolicy();
    const answer = await ask(said);
    expect(answer.answer).toMatch(reply);
    expect(answer).toMatchObject({ sources: [], answered: true });
    expect(answer.closest).toBeUndefined();
    const stored = await db.asCompany(companyId, (tx) => tx.select({ isTrial: queries.isTrial }).from(queries));
    expect(stored).toEqual([{ isTrial: true }]);
  });

  test('sentences that follow each other and both answer are one quote', async () => {
    const both = 'Parental leave is three years. Parental leave is announced seven weeks before it begins.';
    await add('Handbook.md', both);
    const { sources } = await ask('How long is parental leave, and when is parental leave announced?');
    expect(sources.map(({ quote }) => quote)).toEqual([both]);
    // The short answer stands in the second of them.
    expect(both.slice(sources[0]?.emphasis?.start, sources[0]?.emphasis?.end)).toBe('seven weeks');
  });

  test('a whole sentence behind the one that answers goes with it, a notice does not', async () => {
    const rule = 'Umbrellas are lent at the front desk. Whoever loses one leaves a small fee with the porter there.';
    await add('House rules.md', `${rule} No dogs.`);
    const { sources } = await ask('Where are umbrellas lent to visitors when it rains?');
    expect(sources[0]?.quote).toBe(rule);
  });

  test('a greeting with a question behind it is a question', async () => {
    await addTravelPolicy();
    expect((await ask('Hello, within how many days must receipts be handed in?')).sources).not.toEqual([]);
  });

  test('the fact is in the answer, and its number leads to a quote that stands in the document', async () => {
    const { documentId, text } = await addTravelPolicy();
    const answer = await ask('Within how many days must receipts be handed in?');
    expect(answer.answered).toBe(true);
    expect(answer.answer).toContain('within 30 days. [1]');
    const [first] = answer.sources;
    expect(first).toMatchObject({
      n: 1,
      documentId,
      name: 'Travel policy.pdf',
      title: 'Travel policy',
      version: 1,
    });
    expect(first).toMatchObject({ quote: 'Receipts must be handed in within 30 days.', page: 5 });
    expect(text).toContain(first?.quote);
    expect(first?.url).toMatch(new RegExp(`^/documents/${documentId}/1\\?cite=[0-9a-f-]{36}$`));
  });

  test('a year that no document is of is said, and not answered from another one', async () => {
    for (const year of ['2021', '2022']) {
      await add(
        `Annual report ${year}.pdf`,
        { kind: 'heading', level: 1, text: `Annual report ${year}`, page: 1 },
        { kind: 'row', text: ` | ${year}`, cells: ['', year], header: true, page: 4 },
        { kind: 'row', text: `Travel | ${year}.50`, cells: ['Travel', `${year}.50`], page: 4 },
        { kind: 'row', text: 'Rent | 812.00', cells: ['Rent', '812.00'], page: 4 },
      );
    }
    const asked = await ask('How much was spent on travel in 2022?');
    expect(asked.sources[0]).toMatchObject({ name: 'Annual report 2022.pdf', quote: 'Travel | 2022.50' });
    const { answered, answer, closest } = await ask('How much was spent on travel in 2017?');
    expect(answered).toBe(false);
    expect(answer).toBe(
      'No clear answer: nothing in your documents is about this in 2017; what comes closest is about 2021 and 2022.',
    );
    expect(closest?.length).toBeGreaterThan(0);
  });

  test('who asks about one organisation is not answered with the figures of another', async () => {
    const row = (...cells: string[]): Block => ({ kind: 'row', text: cells.join(' | '), cells, page: 4 });
    const report = (name: string, ...rows: Block[]) =>
      add(
        `${name} 2023.pdf`,
        { kind: 'heading', level: 1, text: `${name} annual report 2023`, page: 1 },
        { kind: 'heading', level: 1, text: 'Figures of the year', page: 4 },
        ...rows,
      );
    await report('Harbourline', row('Sales of the year', '12.4'), row('Quays that were mended', '4'));
    await report('Quaynet', row('Licence revenue', '31.9'), row('Quays that were mended', '7'));
    const { sources } = await ask("What was Harbourline's licence revenue in 2023?");
    expect(sources.filter(({ name }) => name === 'Quaynet 2023.pdf')).toEqual([]);
    expect((await ask("What was Quaynet's licence revenue in 2023?")).sources[0]).toMatchObject({
      quote: 'Licence revenue | 31.9',
    });
  });

  test('a word that offices use for the same counts as well, and so does what an abbreviation stands for', async () => {
    const row = (...cells: string[]): Block => ({ kind: 'row', text: cells.join(' | '), cells, page: 5 });
    await add(
      'Fleet.pdf',
      { ...row('Maintenance of vehicles', '21,362'), table: { columns: ['Expenses', '2022'] } },
      row('Research and development', '46,009'),
      row('Maintenance of quays', '812'),
      { kind: 'paragraph', text: 'Maintenance comes first. A car is washed each week.', page: 6 },
    );
    expect((await ask('What did car maintenance come to in 2022?')).sources[0]).toMatchObject({
      quote: 'Maintenance of vehicles | 21,362',
    });
    expect((await ask('What was our R&D in 2022?')).sources[0]).toMatchObject({
      quote: 'Research and development | 46,009',
    });
  });

  test('a year in a link is no year that anything is about', async () => {
    for (const year of ['2021', '2022'])
      await add(
        `Financial report ${year}.pdf`,
        {
          kind: 'paragraph',
          text: `Plans of the Meadow Trust (https://meadow.example.org/blog/2019/02/total-expenses).`,
          page: 2,
        },
        { kind: 'row', text: ` | Jan - Dec ${year}`, cells: ['', `Jan - Dec ${year}`], header: true, page: 7 },
        {
          kind: 'row',
          text: `Total Expenses | 2,256,${year.slice(1)}.73`,
          cells: ['Total Expenses', `2,256,${year.slice(1)}.73`],
          page: 7,
        },
      );
    const asked = await ask("What were the Meadow Trust's total expenses in 2022?");
    expect(asked.sources[0]).toMatchObject({ quote: 'Total Expenses | 2,256,022.73' });
    const { answered, answer } = await ask("What were the Meadow Trust's total expenses in 2019?");
    expect(answered).toBe(false);
    expect(answer).toContain('nothing in your documents is about this in 2019');
  });

  test('who names no part of a report is quoted the row of the whole', async () => {
    const parts = [
      [13, 'Workshops', '5,166.71'],
      [17, 'Training', '2,018.00'],
      [29, 'Meadow Trust', '23,352.37'],
      [31, 'Board', '8.00'],
    ] as const;
    await add(
      'Report 2022.pdf',
      ...parts.flatMap(([page, part, amount]): Block[] => [
        { kind: 'heading', level: 1, text: `Profit and Loss ${part}`, page },
        { kind: 'row', text: ' | Jan - Dec 2022', cells: ['', 'Jan - Dec 2022'], header: true, page },
        { kind: 'row', text: `Meetings | ${amount}`, cells: ['Meetings', amount], page },
      ]),
    );
    const { sources } = await ask('What did meetings cost in 2022?');
    expect(sources[0]).toMatchObject({ quote: 'Meetings | 23,352.37' });
  });

  test('what is asked of a numbered table is quoted from its rows, not from its title', async () => {
    const title = 'TABLE C-1: Royalties results';
    await add(
      'Appendix.pdf',
      { kind: 'paragraph', text: title, page: 3 },
      {
        kind: 'row',
        text: 'BP America | 847',
        cells: ['BP America', '847'],
        page: 3,
        table: { caption: title, columns: ['Company', 'Royalties'] },
      },
      { kind: 'row', text: 'Total | 8,103', cells: ['Total', '8,103'], page: 3 },
    );
    expect((await ask('Total royalties in table C-1')).sources[0]).toMatchObject({ quote: 'Total | 8,103' });
  });

  test('who asks for a month is shown its figure, and not that of the year so far', async () => {
    const row = (page: number, cells: string[], columns?: string[]) => ({
      kind: 'row' as const,
      text: cells.join(' | '),
      cells,
      page,
      ...(columns && { table: { columns } }),
    });
    const months = [
      row(1, ['Venue', '342,753', '816', '467,013'], ['Expenses', 'Oct 2024', 'Sep 2024', '2024 (YTD)']),
      row(1, ['Travel', '2,149', '42,314', '70,850']),
    ];
    const toDate = [
      row(2, ['Conference venue', '467,013', '198,112'], ['Conference expenses', '2024 (YTD)', 'Budget 2024 (YTD)']),
      row(2, ['Travel', '70,850', '60,000']),
    ];
    await add('Report October 2024.pdf', ...toDate, { kind: 'heading', text: 'Statement', page: 1 }, ...months);
    expect((await ask('What did the conference venue cost in October 2024?')).sources[0]).toMatchObject({ page: 1 });
    expect((await ask('What did the conference venue cost, 2024 year to date?')).sources[0]).toMatchObject({ page: 2 });
  });

  test('who asks what a word means is shown where it is explained, and not where it is used most', async () => {
    const row = (...cells: string[]) => ({ kind: 'row' as const, text: cells.join(' | '), cells });
    await add(
      'Security guide.pdf',
      'The guide says how organizations define which events an audit log has, and who may define the audit log.',
      'Each audit log of the guide has a defined retention, and its meaning for an organization is defined in the audit plan.',
      { kind: 'heading', text: 'Records', level: 1 },
      'An audit log is a chronological record of what was done in a system, and by whom.',
      { kind: 'heading', text: 'Words', level: 1 },
      row('access [FIPS 1]', 'The ability to use a resource of a system.'),
      row('multifactor authentication (MFA)', 'Proof of who somebody is by two different factors'),
      'MFA is used for the administration of all systems, and MFA stands before any access from outside.',
    );
    for (const question of [
      'How does the guide define an audit log?',
      'What is an audit log?',
      'What is the meaning of "audit log" in the guide?',
    ]) {
      expect((await ask(question)).sources[0]?.quote, question).toMatch(/^An audit log is a chronological record/);
    }
    expect((await ask('What does MFA stand for?')).sources[0]?.quote).toMatch(/^multifactor authentication \(MFA\)/);
  });

  test('a name that no document has is said', async () => {
    await addTravelPolicy();
    const { answered, answer } = await ask('What did Globex pay for hotels in Berlin?');
    expect(answered).toBe(false);
    expect(answer).toBe('No clear answer: nothing in your documents mentions Globex.');
    const small = await ask('what did globex pay for hotels in berlin?');
    expect(small).toMatchObject({
      answered: false,
      answer: 'No clear answer: nothing in your documents mentions globex.',
    });
  });

  test('what stands elsewhere and adds little is found beside the answer, with a link of its own', async () => {
    await addTravelPolicy();
    await add('Notes.txt', 'Hotels in Berlin are dear in May.', 'A receipt needs a date. Hotels know that.');
    const { answer, sources } = await ask('hotel Berlin receipt');
    const beside = sources.filter(({ supporting }) => supporting);
    expect(beside.length).toBeGreaterThan(0);
    for (const { n, quote, url } of beside) {
      expect(answer).not.toContain(`[${n}]`);
      expect(answer).not.toContain(quote);
      expect(url).toMatch(/\?cite=/);
    }
    expect(sources.findIndex(({ supporting }) => supporting)).toBe(sources.length - beside.length);
  });

  test('of a document with pages the likeliest page is quoted, and others only beside it', async () => {
    const on = (page: number, text: string) => ({ kind: 'paragraph' as const, text, page });
    await add(
      'Manual.pdf',
      on(2, 'The pump of the boiler is shut at night. The valve of the pump is under the boiler.'),
      on(2, 'Who shuts the valve of the boiler pump writes it down.'),
      on(9, 'A valve of the boiler pump costs 30 euros.'),
    );
    const { sources } = await ask('boiler pump valve');
    const of = (beside: boolean) =>
      new Set(sources.filter(({ supporting = false }) => supporting === beside).map(({ page }) => page));
    expect([...of(false)]).toEqual([2]);
    expect(of(true)).toContain(9);
  });

  test('every marker has its source and every source its marker, in order, whatever is asked', async () => {
    await addTravelPolicy();
    await add('Notes.txt', 'Hotels in Berlin are dear in May.', 'A receipt needs a date. Hotels know that.');
    for (const question of ['hotel Berlin receipt', 'What about hotels?', 'Are receipts for hotels in Berlin paid?']) {
      const { answer, sources } = await ask(question);
      const numbers = parseMarkers(answer).flatMap((part) => (part.kind === 'markers' ? part.numbers : []));
      const cited = sources.filter(({ supporting }) => !supporting);
      expect(numbers).toEqual(cited.map(({ n }) => n));
      expect(sources.map(({ n }) => n)).toEqual(sources.map((_, i) => i + 1));
      expect(numbers).toEqual(cited.map((_, i) => i + 1));
      expect(cited.length).toBeLessThanOrEqual(3);
      for (const { quote } of sources) expect(quote.length).toBeLessThanOrEqual(maxQuoteLength);
    }
  });

  test('a source says where its quote stands: offsets into the text, and its box on the page', async () => {
    const rule = 'Umbrellas are lent at the front desk.';
    const place = (top: number) => ({ page: 2, box: [0.1, top, 0.9, top + 0.05] as [number, number, number, number] });
    const { text } = await add(
      'House rules.pdf',
      { kind: 'paragraph', text: 'Who is caught by rain may borrow one.', ...place(0.2) },
      { kind: 'paragraph', text: `No smoking. ${rule} No dogs.`, ...place(0.3) },
    );
    const { sources } = await ask('Where are umbrellas lent?');
    expect(sources[0]).toMatchObject({ quote: rule, boxes: [{ page: 2, box: [0.1, 0.3, 0.9, 0.35] }] });
    expect(text.slice(sources[0]?.start, sources[0]?.end)).toBe(rule);

    await add('Plain.txt', 'The garage closes at midnight.');
    const [plain] = (await ask('When does the garage close?')).sources;
    expect(plain).toMatchObject({ quote: 'The garage closes at midnight.', start: 0, end: 30 });
    expect(plain?.boxes).toBeUndefined();
  });

  test('of a table the right row is quoted, in the answer with the names of its columns', async () => {
    await addTravelPolicy();
    const { answer, sources } = await ask('What is the hotel limit per night in Zürich?');
    expect(sources[0]).toMatchObject({ quote: 'Zürich | 210 francs', page: 4 });
    expect(answer).toContain('> City: Zürich · Limit per night: 210 francs [1]');
  });

  test('who asks for one row of a list is not shown the others', async () => {
    await add(
      'Travel policy.pdf',
      { kind: 'row', text: 'Rule | Amount', cells: ['Rule', 'Amount'], header: true, page: 4 },
      ...['Berlin', 'Munich', 'Hamburg'].map((city, i) => {
        const cells = [`Hotel limit ${city}`, `${145 + i} euros`];
        return { kind: 'row' as const, text: cells.join(' | '), cells, page: 4 };
      }),
    );
    const shown = async (question: string) =>
      (await ask(question)).sources.filter(({ supporting }) => !supporting).map(({ quote }) => quote);
    expect(await shown('What may a hotel in Berlin cost?')).toEqual(['Hotel limit Berlin | 145 euros']);
    expect(await shown('What are the limits for hotels?')).toHaveLength(3);
    expect(await shown('What is the hotel limit in Berlin, and what in Munich?')).toEqual([
      'Hotel limit Berlin | 145 euros',
      'Hotel limit Munich | 146 euros',
    ]);
  });

  test('who asks for a sum is shown the row of each part, and no row without an amount', async () => {
    const row = (...cells: string[]) => ({ kind: 'row' as const, text: cells.join(' | '), cells, page: 7 });
    await add(
      'Report.pdf',
      { ...row('', '2024', '2023'), header: true },
      row('In-game net bookings', '3,366', '4,203'),
      row('Net bookings (1)', '6,388', '7,262'),
      row('Net bookings of licences', '—', '—'),
      row('Deferred revenue', '1,375', '1,493'),
    );
    const { sources } = await ask('What was the sum of net bookings and in-game net bookings in 2024?');
    expect(
      sources
        .filter(({ supporting }) => !supporting)
        .map(({ quote }) => quote)
        .toSorted(),
    ).toEqual(['In-game net bookings | 3,366 | 4,203', 'Net bookings (1) | 6,388 | 7,262']);
  });

  test('the short answer is set off in its quote, where it is clear', async () => {
    await addTravelPolicy();
    const answerTo = async (question: string) => {
      const [first] = (await ask(question)).sources;
      return first?.emphasis && first.quote.slice(first.emphasis.start, first.emphasis.end);
    };
    expect(await answerTo('Within how many days must receipts be handed in?')).toBe('30 days');
    expect(await answerTo('What is the hotel limit per night in Zürich?')).toBe('210 francs');
    expect(await answerTo('What about receipts?')).toBeUndefined();
  });

  test('a short follow-up is understood from the question before it, not from the answer', async () => {
    await addTravelPolicy();
    const first = 'What is the hotel limit in Berlin?';
    const { sources, followingUp } = await ask([first, 'The limit is 145 euros. [1]', 'And in Zürich?']);
    expect(sources[0]?.quote).toBe('Zürich | 210 francs');
    // And says so.
    expect(followingUp).toBe(first);
  });

  test('a follow-up that names a row is shown that row alone, though others have words of what was said before', async () => {
    const row = (...cells: string[]) => ({ kind: 'row' as const, text: cells.join(' | '), cells });
    await add(
      'Travel policy.md',
      { ...row('City', 'Hotel limit per night'), header: true },
      row('Berlin', '145 euros'),
      row('Munich', '160 euros'),
      row('Zürich', '210 francs'),
    );
    const first = 'What is the hotel limit in Munich?';
    const said = '> City: Munich · Hotel limit per night: 160 euros [1]';
    const shown = ({ sources }: Answer) => sources.filter(({ supporting }) => !supporting).map(({ quote }) => quote);
    expect(shown(await ask(first))).toEqual(['Munich | 160 euros']);
    expect(shown(await ask([first, said, 'And in Zürich?']))).toEqual(['Zürich | 210 francs']);
  });

  test('who names no year is answered of the newest, with the other years found beside it', async () => {
    const fees = new Map([
      ['2022', '120'],
      ['2024', '140'],
      ['2023', '130'],
    ]);
    for (const [year, fee] of fees)
      await add(
        `Port tariff ${year}.docx`,
        `The harbour fee is ${fee} euros a day.`,
        'The crane has to be booked two days before the ship arrives.',
      );
    const quotes = async (question: string) =>
      (await ask(question)).sources.map(({ name, quote, supporting = false }) => [name, quote, supporting]);
    const fee = (year: string, supporting: boolean) => [
      `Port tariff ${year}.docx`,
      `The harbour fee is ${fees.get(year)} euros a day.`,
      supporting,
    ];
    expect(await quotes('What is the harbour fee?')).toEqual([
      fee('2024', false),
      expect.anything(),
      expect.anything(),
    ]);
    expect((await quotes('What is the harbour fee?')).slice(1).toSorted()).toEqual([
      fee('2022', true),
      fee('2023', true),
    ]);
    expect((await quotes('What was the harbour fee in 2022?'))[0]).toEqual(fee('2022', false));
  });

  test('a question on something else is not answered from what was spoken of before', async () => {
    await add(
      'Framework contract Meridian.docx',
      'The term of the framework contract with Meridian is two years.',
      'Meridian keeps an import licence for each delivery at its own cost, and bears the cost of customs for the contract.',
    );
    await add(
      'Price list.xlsx',
      ...[
        ['Saturday delivery', '85 euros'],
        ['Night delivery', '110 euros'],
      ].map((cells) => ({ kind: 'row' as const, text: cells.join(' | '), cells })),
    );
    const first = 'How long is the term of the framework contract with Meridian?';
    const { sources, followingUp } = await ask([first, 'It is two years. [1]', 'What does Saturday delivery cost?']);
    expect(sources[0]?.quote).toBe('Saturday delivery | 85 euros');
    expect(followingUp).toBeUndefined();
  });

  test('a whole sentence of two telling words is no follow-up', async () => {
    await add('Häufige Fragen.md', 'Das Unternehmen bezahlt die Sicherheitsschuhe bis 95 Euro.');
    const cells = ['E-204', 'Memory for bookings full', 'Stop work; go to a place with network'];
    await add('Scanner manual.pdf', { kind: 'row', text: cells.join(' | '), cells });
    const { sources, followingUp } = await ask([
      'What does E-204 mean?',
      'The memory for bookings is full. [1]',
      'Wer bezahlt die Sicherheitsschuhe?',
    ]);
    expect(sources.map(({ name }) => name)).toEqual(['Häufige Fragen.md']);
    expect(followingUp).toBeUndefined();
  });

  test.each([
    ['May I bring my dog?', false],
    ['Darf ich meinen Hund mitbringen?', false],
    ['How much does the scanner TS-540 weigh with its battery?', false],
    ['How much does the scanner weigh with its battery?', true],
    ['In Q3 2024, how much did they weigh?', true],
    ['May I bring it?', true],
  ])('%s goes on from the question before: %s', async (question, goesOn) => {
    await add('Rules.md', 'Dogs may be brought on Fridays.');
    const first = 'What does E-204 mean?';
    const { followingUp } = await ask([first, 'The memory for bookings is full. [1]', question]);
    expect(followingUp).toBe(goesOn ? first : undefined);
  });

  test("a document's own bracketed numbers are no markers in the answer, and stay in the quote", async () => {
    await add('Rules.html', 'A password has at least 14 characters.[36] It never expires.');
    const { answer, sources } = await ask('How many characters has a password?');
    expect(sources[0]?.quote).toBe('A password has at least 14 characters.[36]');
    expect(answer).toContain('14 characters.⟦36⟧ [1]');
  });

  test('a question in the documents leads to the answer below it, and is not the answer itself', async () => {
    await add(
      'Häufige Fragen.md',
      { kind: 'paragraph', text: 'Wer bezahlt die Sicherheitsschuhe?' },
      { kind: 'item', text: 'Der Betrieb übernimmt die Kosten bis 120 Euro.' },
      { kind: 'paragraph', text: 'Wo steht der Drucker?' },
      { kind: 'item', text: 'Im Flur des zweiten Stocks.' },
    );
    const { sources } = await ask('Wer bezahlt die Sicherheitsschuhe?');
    expect(sources[0]?.quote).toBe('Der Betrieb übernimmt die Kosten bis 120 Euro.');
  });

  test('two clauses that differ in little but what counts are both quoted; a copy is not', async () => {
    const term = 'The contract can be ended with a notice of six months to the end of the term.';
    const storage = 'The storage contract can be ended with a notice of three months to the end of a quarter.';
    await add('Contract.docx', term, storage);
    await add('Contract (2).docx', term, storage, 'Signed in Hamburg by both parties and their witnesses.');
    const { sources } = await ask('With what notice can the contract be ended?');
    const clauses = sources.map(({ quote }) => quote).filter((quote) => quote.includes('can be ended'));
    expect(clauses.toSorted()).toEqual([storage, term].toSorted());
  });

  test('what the documents do not say is refused, with the closest passages', async () => {
    await addTravelPolicy();
    const answer = await ask('How is the vacation allowance of apprentices in Portugal taxed?');
    expect(answer).toMatchObject({ answered: false, sources: [] });
    expect(answer.answer).toMatch(/^No clear answer/);
    expect(parseMarkers(answer.answer).every(({ kind }) => kind === 'text')).toBe(true);
    expect(answer.closest?.length).toBeLessThanOrEqual(3);
    expect((await ask('How high is the hotel limit in Lisbon?')).closest?.[0]?.name).toBe('Travel policy.pdf');
  });

  test('"how many" is answered with a number of what is counted, and refused where there is none', async () => {
    const many = async () => (await ask('How many staff work in the workshop?')).answered;
    const chairs =
      'The chairs of the canteen were repainted by the staff of the old workshop, which is open on 5 days.';
    await add(
      'Workshop.txt',
      chairs,
      'Chairs with arms were ordered from a supplier in Denmark.',
      'The canteen serves soup.',
      'Our depot in Bremen has forklifts and a loading ramp for containers.',
    );
    const office = 'The office in Zurich has a kitchen and meeting rooms on the upper floor.';
    await add('Offices.txt', office, 'Visitors sign in at the desk.', 'Technicians inspect the cranes each season.');
    expect(await many()).toBe(false);
    await add('Canteen.txt', chairs.replace('the staff', 'the 12 staff'));
    expect(await many()).toBe(true);
  });

  test('what signals count is given to it, and decides', async () => {
    await addTravelPolicy();
    const question = 'Within how many days must receipts be handed in?';
    expect((await ask(question)).answered).toBe(true);
    const usual = answers;
    answers = createAnswers({
      db,
      retrieval: createRetrieval({ db, search }),
      weights: { ...fittedWeights, pages: { ...fittedWeights.pages, start: -100 } },
    });
    try {
      expect((await ask(question)).answered).toBe(false);
    } finally {
      answers = usual;
    }
  });

  test('without any documents it says so', async () => {
    const answer = await ask('What is the hotel limit in Berlin?');
    expect(answer).toMatchObject({ answered: false, sources: [], closest: [] });
    expect(answer.answer).toContain('no documents');
  });

  test.each([
    ['保修期有多久？', '保修期为两年。食堂在屋顶。', '保修期为两年。'],
    ['ระยะเวลารับประกันนานเท่าไร', 'ระยะเวลารับประกันสองปีนับจากวันส่งมอบ', 'ระยะเวลารับประกันสองปีนับจากวันส่งมอบ'],
    ['ما هي مدة الضمان؟', 'مدة الضمان سنتان من تاريخ التسليم. المطعم على السطح.', 'مدة الضمان سنتان من تاريخ التسليم.'],
    [
      'Wie lang ist die Kündigungsfrist?',
      'Die Kündigungsfrist beträgt drei Monate. Die Kantine ist oben.',
      'Die Kündigungsfrist beträgt drei Monate.',
    ],
    ['Какой гарантийный срок?', 'Гарантийный срок два года. Столовая на крыше.', 'Гарантийный срок два года.'],
  ])('%s', async (question, text, quote) => {
    await add('Text.txt', text, 'The canteen is on the roof.');
    const { answered, sources } = await ask(question);
    expect({ answered, quote: sources[0]?.quote }).toEqual({ answered: true, quote });
  });

  test.each([
    ['Wie lang ist die Kündigungsfrist?', 'Die Kündigungsfrist beträgt drei Monate.'],
    ['How long is the notice period?', 'The notice period is three months.'],
    ['保修期有多久？', '保修期为两年。'],
  ])('a document of a single sentence answers: %s', async (question, sentence) => {
    await add('Text.txt', sentence);
    expect((await ask(question)).sources.map(({ quote }) => quote)).toEqual([sentence]);
  });

  test('the stream tells of progress, then of words, then of sources, and ends with what it said', async () => {
    await addTravelPolicy();
    const messages: CallMessage<'query'>[] = [];
    const result = await ask('Within how many days must receipts be handed in?', {
      emit: (each) => messages.push(each),
    });
    const types = messages.map(({ type }) => type);
    expect(types).toEqual(types.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)));
    expect(messages.flatMap((each) => (each.type === 'status' ? [each.status] : []))).toEqual([
      'searching',
      'reading',
      'writing',
    ]);
    expect(messages.flatMap((each) => (each.type === 'token' ? [each.text] : [])).join('')).toBe(result.answer);
    expect(messages.flatMap((each) => (each.type === 'citation' ? [each.source] : []))).toEqual(result.sources);
    const again = await ask('Within how many days must receipts be handed in?');
    expect({ ...again, sources: again.sources.map(withoutUrl), queryId: '' }).toEqual({
      ...result,
      sources: result.sources.map(withoutUrl),
      queryId: '',
    });
  });

  test('who goes away in the middle gets no words, and nothing is stored', async () => {
    await addTravelPolicy();
    const gone = new AbortController();
    const types: string[] = [];
    const asking = ask('Within how many days must receipts be handed in?', {
      signal: gone.signal,
      emit: ({ type }) => {
        types.push(type);
        gone.abort();
      },
    });
    await expect(asking).rejects.toThrow();
    expect(types).toEqual(['status']);
    expect(await db.asCompany(companyId, (tx) => tx.select().from(queries))).toEqual([]);
  });

  test('the question, its answer and the places of its quotes are stored', async () => {
    const { documentId, text } = await addTravelPolicy();
    const question = 'Within how many days must receipts be handed in?';
    const { queryId, answer, sources } = await ask(question);
    const [query] = await db.asCompany(companyId, (tx) => tx.select().from(queries));
    expect(query).toMatchObject({ id: queryId, userId, question, answer, answered: true });
    expect(query?.durationMs).toBeGreaterThanOrEqual(0);
    const rows = await db.asCompany(companyId, (tx) =>
      tx.select().from(citations).where(eq(citations.queryId, queryId)).orderBy(citations.n),
    );
    expect(rows.map(({ n, quote }) => ({ n, quote }))).toEqual(sources.map(({ n, quote }) => ({ n, quote })));
    for (const { start, end, quote } of rows) expect(text.slice(start, end)).toBe(quote);
    expect(rows.every((row) => row.documentId === documentId && sources.some(({ url }) => url.endsWith(row.id)))).toBe(
      true,
    );
  });

  test('a refused question is stored too', async () => {
    const { queryId } = await ask('How is the vacation allowance of apprentices in Portugal taxed?');
    const [query] = await db.asCompany(companyId, (tx) => tx.select().from(queries));
    expect(query).toMatchObject({ id: queryId, answered: false });
  });

  test('a document that is deleted is quoted no more, at once', async () => {
    const { documentId } = await addTravelPolicy();
    const question = 'Within how many days must receipts be handed in?';
    expect((await ask(question)).answered).toBe(true);
    await db.asSystem((tx) => tx.update(documents).set({ deletedAt: new Date() }).where(eq(documents.id, documentId)));
    expect((await ask(question)).answered).toBe(false);
  });

  test('nothing is quoted of a document whose deletion ends while the answer looks at it once more', async () => {
    const { documentId, version } = await add('Notes.txt', 'Cake is on Fridays.');
    const [block] = await db.asCompany(companyId, (tx) => tx.select().from(blocks));
    if (!block) throw new Error('nothing was loaded');
    const cited = { documentId, version, block: block.index, start: block.start, end: block.end, text: block.text };
    const look = () => db.asCompany(companyId, (tx) => whatHolds(tx, [{ documentId, version }], [cited]));
    expect((await look()).held).toEqual([cited]);
    const looking = await db.asSystem(async (tx) => {
      await tx.update(documents).set({ deletedAt: new Date() }).where(eq(documents.id, documentId));
      const waits = look();
      const waiting = sql`
        select from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database() and query like '%for share%'`;
      // By itself: within a transaction what stands there is what stood at its first look.
      await expect.poll(() => db.statement(waiting)).toHaveLength(1);
      return { waits };
    });
    const { isCurrent, held } = await looking.waits;
    expect(held).toEqual([]);
    expect(isCurrent({ documentId, version })).toBe(false);
  });

  test('a quote holds with its very words at the very place in the version that answers, and not otherwise', async () => {
    const { documentId, version } = await add('Notes.txt', 'Bread is on Mondays.', 'Cake is on Fridays.');
    const [, block] = await db.asCompany(companyId, (tx) => tx.select().from(blocks).orderBy(blocks.index));
    if (!block) throw new Error('nothing was loaded');
    const right = { documentId, version, block: 1, start: block.start, end: block.end, text: block.text };
    const others = [
      { ...right, text: block.text.replace('Cake', 'Beer') },
      { ...right, start: right.start + 1, end: right.end + 1 },
      { ...right, start: right.start - 1, end: right.end - 1 },
      { ...right, end: right.end - 1 },
      { ...right, block: 0 },
      { ...right, block: 7 },
      { ...right, version: version + 1 },
      { ...right, documentId: randomUUID() },
      { ...right, end: right.start, text: '' },
    ];
    const read = [{ documentId, version }];
    const { held } = await db.asCompany(companyId, (tx) => whatHolds(tx, read, [...others, right, ...others]));
    expect(held).toEqual([right]);
    expect((await db.asCompany(companyId, (tx) => whatHolds(tx, [], [right]))).held).toEqual([]);
    const other = await insertCompany(db);
    expect((await db.asCompany(other, (tx) => whatHolds(tx, read, [right]))).held).toEqual([]);
  });

  test.each([
    ['How high was the fee in May?', 'The fee was 20 euros in May.'],
    ['How long must a password be?', 'A password has at least 14 characters.'],
    ['Who leads the mill?', 'Katrin Petersen has led the mill since 2014.'],
    ['What does error e204 mean?', 'E-204 means that the lid is open.'],
  ])('%s is answered in other words than the question has', async (question, sentence) => {
    await add('Notes.txt', 'The mill opens at 7.', sentence, 'Whoever leaves last turns off the light.');
    const { sources } = await ask(question);
    expect(sources[0]?.quote).toBe(sentence);
  });

  test('all statements of a question are planned once for a connection, however many documents it reads', async () => {
    for (const month of ['May', 'June', 'July']) await add(`${month}.txt`, `The fee was 20 euros in ${month}.`);
    const single = await openDatabase(
      { ...database.connection, max: 1 },
      { name: 'single', log: pino({ level: 'silent' }) },
    );
    const by = createAnswers({ db: single, retrieval: createRetrieval({ db: single, search }) });
    // PostgreSQL plans anew for the first five.
    for (let i = 0; i < 8; i++)
      expect((await ask(i % 2 ? 'What was the fee?' : 'What was the fee in May?', { by })).answered).toBe(true);
    const { rows: anew } = await single.asSystem((tx) =>
      tx.execute(sql`select name from pg_prepared_statements where custom_plans > 5`),
    );
    expect(anew).toEqual([]);
    await single.close();
  });

  test.each(['\u0000', 'What is\u0000 the limit?', '?', '[1]', '😀'.repeat(2000), 'a '.repeat(3999), '\ud83d'])(
    'an odd question gets an answer: %j',
    async (question) => {
      await addTravelPolicy();
      expect(typeof (await ask(question)).answered).toBe('boolean');
    },
  );
});

const everything = entitlementsOf(
  { state: 'none', plan: null, currentPeriodEnd: null, pastDueSince: null },
  new Date(),
  'off',
);

type Emit = (message: CallMessage<'query'>) => void;
const order = ['status', 'citation', 'token'];

function withoutUrl({ url: _, ...source }: Answer['sources'][number]) {
  return source;
}
