import { degrees, PDFDocument, type PDFPage, rgb } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { addRemark, makePdf, makePng, type PdfLine, parseBytes } from '../fixtures.ts';
import { gaps } from '../reasons.ts';
import { parsePdf } from './pdf.ts';
import { openPdfText } from './pdf-text.ts';

const blocksOf = async (pages: PdfLine[][]) =>
  (await parseBytes(parsePdf, await makePdf(pages))).blocks.map(({ box: _box, ...block }) => block);
const body = (subject: string) => [
  `This page is about ${subject}, which every employee of the company should know well.`,
  'Whoever has a question about it asks the office, which answers within two days.',
];

describe('PDF', () => {
  test('headings, paragraphs and lists, each on its page', async () => {
    const blocks = await blocksOf([
      [['Annual leave', 20], '', ...body('leave')],
      [['Sick leave', 20], '', ...body('illness'), '', '1. Call the office.', '2. See a doctor.'],
    ]);
    expect(blocks).toContainEqual({ kind: 'heading', level: expect.any(Number), text: 'Annual leave', page: 1 });
    expect(blocks).toContainEqual({ kind: 'heading', level: expect.any(Number), text: 'Sick leave', page: 2 });
    expect(blocks).toContainEqual({ kind: 'paragraph', text: body('leave').join(' '), page: 1 });
    expect(blocks).toContainEqual({ kind: 'item', text: '1. Call the office.', page: 2 });
  });

  test('the words are those of the page: no escapes, emphasis, entities or links of a markup', async () => {
    const line = 'Compute a*b*c + x_y_z, 5 < 6 & 7 > 2; [link](http://x.example/z), [36], `code`, &amp; and a\\b.';
    const text = (await blocksOf([[...body('signs'), line, 'The end of it.']])).map((block) => block.text).join(' ');
    expect(text).toContain(line);
  });

  test('a word that a line end broke is put together', async () => {
    const text = (
      await blocksOf([['The company pays for every single train jour-', 'ney in the second class, and for hotels.']])
    )[0]?.text;
    expect(text).toBe('The company pays for every single train journey in the second class, and for hotels.');
  });

  test('heads and feet of pages are known as such after the first time, and no content is', async () => {
    const pages = Array.from({ length: 6 }, (_, index) => [
      'Handbook of the Example Company',
      '',
      [`Subject ${index + 1}`, 20] as const,
      '',
      ...body(`subject ${'ABCDEF'[index]}`),
    ]);
    const document = await PDFDocument.load(
      await makePdf(pages.map((page) => page.map((line) => (typeof line === 'string' ? line : [...line])))),
    );
    for (const [index, page] of document.getPages().entries())
      page.drawText(`Page ${index + 1} of 6`, { x: 270, y: 20, size: 9 });
    const { blocks } = await parseBytes(parsePdf, await document.save());
    const [content, running] = [false, true].map((isRunning) =>
      blocks.filter((block) => (block.running ?? false) === isRunning).map(({ text }) => text),
    );
    for (const letter of 'ABCDEF') expect(content?.join('\n')).toContain(`This page is about subject ${letter}`);
    expect(content?.filter((text) => text === 'Handbook of the Example Company')).toHaveLength(1);
    expect(content?.join('\n')).not.toMatch(/Page \d of 6/);
    expect(running).toEqual(
      pages.flatMap((_, i) => [...(i > 0 ? ['Handbook of the Example Company'] : []), `Page ${i + 1} of 6`]),
    );
    expect(blocks.find(({ page }) => page === 4)?.context).toBe('Handbook of the Example Company');
  });

  test('a statement with groups of rows is one table, under its own heads', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    let y = 740;
    const line = (label: string, indent: number, ...cells: string[]) => {
      page.drawText(label, { x: 56 + indent, y, size: 8 });
      for (const [i, cell] of cells.entries())
        page.drawText(cell, { x: 320 + i * 118 - cell.length * 4.45, y, size: 8 });
      y -= 12.5;
    };
    page.drawText('Statement of Activities', { x: 53, y: 780, size: 22 });
    line('STATEMENT OF ACTIVITIES ($)', 0, 'Jun 2024', 'May 2024', '2024 (YTD)');
    line('Income', 0);
    for (const group of ['Conference Income', 'Donations', 'Membership Income']) {
      line(group, 7);
      for (const label of ['Registrations', 'Sponsorships', 'Projects'])
        line(label, 15, '32,283', '171,432', '480,076');
      line(`Total ${group}`, 7, '188,040', '313,972', '1,925,198');
    }
    const { blocks } = await parseBytes(parsePdf, await document.save());
    const rows = blocks.filter(({ kind }) => kind === 'row');
    expect(rows[0]?.table?.columns).toEqual(['STATEMENT OF ACTIVITIES ($)', 'Jun 2024', 'May 2024', '2024 (YTD)']);
    expect(rows.filter(({ cells }) => cells?.[0] === 'Sponsorships').map(({ parents }) => parents)).toEqual([
      ['Income', 'Conference Income'],
      ['Income', 'Donations'],
      ['Income', 'Membership Income'],
    ]);
  });

  test('a foot of two lines is known as such with the page number above it, and ends no sentence of the page', async () => {
    const document = await PDFDocument.load(
      await makePdf(['A', 'B', 'C', 'D'].map((letter) => [[`Section ${letter}`, 20], '', ...body(letter)])),
    );
    for (const [index, page] of document.getPages().entries()) {
      page.drawText(String(index + 1), { x: 500, y: 112, size: 11 });
      page.drawText('Example Company, draft bylaws', { x: 70, y: 60, size: 11 });
      page.drawText('12 August 2022', { x: 70, y: 47, size: 11 });
    }
    const { blocks } = await parseBytes(parsePdf, await document.save());
    const later = blocks.filter(({ page }) => page !== 1);
    expect(later.filter(({ running }) => running).map(({ text }) => text.replaceAll('\n', ' '))).toEqual(
      ['2', '3', '4'].flatMap((number) => [number, 'Example Company, draft bylaws 12 August 2022']),
    );
    expect(later.filter(({ running, text }) => !running && /draft|August|^\d$/.test(text))).toEqual([]);
  });

  test('a sentence whose first line stands out is one with the rest of it, and a title is none', async () => {
    const blocks = await blocksOf([
      [
        ['Training of the staff', 20],
        '',
        ...body('training'),
        '',
        ['Staff must have finished the training within the last two years to be', 14],
        'considered current, and do not handle chemicals before.',
        '',
        ['Rooms and times', 14],
        'courses are held in room 4, on Mondays and Fridays.',
      ],
    ]);
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ['heading', 'Training of the staff'],
      ['paragraph', body('training').join(' ')],
      [
        'paragraph',
        'Staff must have finished the training within the last two years to be considered current, and do not handle chemicals before.',
      ],
      ['heading', 'Rooms and times'],
      ['paragraph', 'courses are held in room 4, on Mondays and Fridays.'],
    ]);
  });

  test('what readers wrote on the page is read after it', async () => {
    const document = await PDFDocument.load(await makePdf([body('leave')]));
    for (const [Subtype, contents] of Object.entries({
      Text: 'Too long.',
      Highlight: 'Says who?',
      Link: 'https://a.example',
    }))
      addRemark(document, Subtype, contents, 'Ada');
    const { blocks } = await parseBytes(parsePdf, await document.save());
    expect(blocks.map((block) => block.text)).toEqual([
      body('leave').join(' '),
      'Comment (Ada): Too long.',
      'Comment (Ada): Says who?',
    ]);
  });

  test('what readers wrote is read also where nothing is printed', async () => {
    const document = await PDFDocument.load(await makePdf([[]]));
    addRemark(document, 'FreeText', 'Approved on 3 March.');
    const { blocks } = await parseBytes(parsePdf, await document.save());
    expect(blocks).toMatchObject([{ kind: 'paragraph', text: 'Approved on 3 March.', page: 1 }]);
  });

  test('a word that is broken in a cell of a table is put together', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    const rows = [
      ['Zone', 'What is in it'],
      ['North', 'Ware-'],
      ['', 'houses and offices'],
      ['South', 'Garages'],
    ];
    for (const [row, cells] of rows.entries()) {
      for (const [column, text] of cells.entries())
        page.drawText(text, { x: 70 + column * 150, y: 700 - row * 16, size: 11 });
    }
    for (const row of [0, 1, 3, 4])
      page.drawLine({ start: { x: 60, y: 713 - row * 16 }, end: { x: 400, y: 713 - row * 16 } });
    for (const x of [60, 210, 400]) page.drawLine({ start: { x, y: 713 }, end: { x, y: 649 } });
    const { blocks } = await parseBytes(parsePdf, await document.save());
    expect(blocks.map(({ text }) => text)).toEqual([
      'Zone | What is in it',
      'North | Warehouses and offices',
      'South | Garages',
    ]);
  });

  test('a table without lines is read by rows, and the prose above it is none of them', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    const above = [
      'The following table shows what a permit costs in each of the zones of the city, for',
      'residents and for companies that have their seat in the zone, in euros for each year.',
    ];
    for (const [line, text] of above.entries()) page.drawText(text, { x: 60, y: 740 - line * 15, size: 11 });
    const rows = [
      ['Zone', 'Residents', 'Companies', 'Visitors'],
      ['Old town', '40', '120', '8'],
      ['Harbour', '35', '100', '7'],
      ['Station', '45', '150', '9'],
    ];
    for (const [row, cells] of rows.entries())
      for (const [column, text] of cells.entries())
        page.drawText(text, { x: [60, 180, 280, 380][column] ?? 0, y: 696 - row * 16, size: 11 });
    const { blocks } = await parseBytes(parsePdf, await document.save());
    expect(blocks.filter(({ kind }) => kind === 'row').map(({ text }) => text)).toEqual(
      rows.map((row) => row.join(' | ')),
    );
    expect(blocks.find(({ header }) => header)?.text).toBe('Zone | Residents | Companies | Visitors');
    expect(blocks.map(({ text }) => text).join(' ')).toContain(above.join(' '));
  });

  // How far the text is turned against the clock, as it is drawn, and the page with it; where it begins on the page as
  // it is shown.
  test.each([
    [180, 0, [0.9, 0.88]],
    [90, 0, [0.15, 0.93]],
    [270, 0, [0.85, 0.07]],
    [0, 180, [0.9, 0.88]],
    [0, 90, [0.88, 0.1]],
    [90, 90, [0.07, 0.15]],
  ])(
    'text that is turned by %i degrees on a page turned by %i is read in its order; it has its place on the page',
    async (turned, page, corner) => {
      const document = await PDFDocument.create();
      const sheet = document.addPage([595, 842]);
      sheet.setRotation(degrees(page));
      const lines = [...body('leave'), '', '', ...body('illness')];
      for (const [index, line] of lines.entries()) {
        const down = 100 + index * 20;
        const starts: Record<number, [number, number]> = {
          0: [60, 842 - down],
          180: [535, down],
          90: [down, 60],
          270: [595 - down, 782],
        };
        const [x = 0, y = 0] = starts[turned] ?? [];
        sheet.drawText(line, { x, y, size: 10, rotate: degrees(turned) });
      }
      const { blocks } = await parseBytes(parsePdf, await document.save());
      expect(blocks.map(({ text }) => text)).toEqual([body('leave').join(' '), body('illness').join(' ')]);
      const [left, top, right, bottom] = blocks[0]?.box ?? [0, 0, 0, 0];
      const [x = 0, y = 0] = corner;
      expect(Math.min(Math.abs(left - x), Math.abs(right - x))).toBeLessThan(0.05);
      expect(Math.min(Math.abs(top - y), Math.abs(bottom - y))).toBeLessThan(0.05);
    },
  );

  test.each<[string, (page: PDFPage, document: PDFDocument) => unknown]>([
    ['white paint', (page) => page.drawRectangle({ x: 0, y: 0, width: 595, height: 842, color: rgb(1, 1, 1) })],
    ['one colour', (page) => page.drawRectangle({ x: 0, y: 0, width: 595, height: 842, color: rgb(0.1, 0.2, 0.5) })],
    ['invisible lines', (page) => page.drawText(' ', { x: 60, y: 700, size: 12 })],
    [
      'a scan of paper with its grain',
      async (page, document) => {
        const grain = makePng(300, 424, (x, y) => 236 + ((x * 31 + y * 17) % 13));
        page.drawImage(await document.embedPng(grain), { x: 0, y: 0, width: 595, height: 842 });
      },
    ],
  ])('a page with nothing on it but %s is blank, and nothing is said of it', async (_, draw) => {
    const document = await PDFDocument.load(await makePdf([body('leave')]));
    await draw(document.addPage([595, 842]), document);
    const { unreadable, pages } = await parseBytes(parsePdf, await document.save());
    expect({ unreadable, pages }).toEqual({ unreadable: [], pages: 2 });
  });

  test('a page with no more than a drawing is not blank', async () => {
    const document = await PDFDocument.load(await makePdf([body('leave')]));
    document.addPage([595, 842]).drawSquare({ x: 280, y: 400, size: 8 });
    const { unreadable } = await parseBytes(parsePdf, await document.save());
    expect(unreadable).toEqual([{ page: 2, why: gaps.scan }]);
  });

  test('a page that is only a picture is reported, a blank one is not', async () => {
    const document = await PDFDocument.load(await makePdf([body('words')]));
    document.addPage();
    document.addPage().drawRectangle({ x: 50, y: 50, width: 300, height: 300 });
    const { blocks, unreadable, pages } = await parseBytes(parsePdf, await document.save());
    expect(pages).toBe(3);
    expect(blocks.length).toBeGreaterThan(0);
    expect(unreadable).toEqual([{ page: 3, why: expect.stringContaining('scan') }]);
  });

  test('no page of a long document is left out', { timeout: 120_000 }, async () => {
    const pages = Array.from({ length: 1100 }, (_, index) => [`This is page ${index + 1}.`]);
    const { blocks } = await parseBytes(parsePdf, await makePdf(pages));
    expect(blocks.map(({ text }) => text)).toEqual(pages.flat());
  });

  test('a document without any text is a scan, or empty', async () => {
    const blank = await PDFDocument.create();
    blank.addPage();
    await expect(parseBytes(parsePdf, await blank.save())).rejects.toMatchObject({ code: 'nothing-inside' });
    blank.addPage().drawRectangle({ x: 50, y: 50, width: 300, height: 300 });
    await expect(parseBytes(parsePdf, await blank.save())).rejects.toMatchObject({ code: 'no-text' });
  });

  test('what cannot be opened is damaged', async () => {
    await expect(parseBytes(parsePdf, '%PDF-1.7\nnothing more')).rejects.toMatchObject({ code: 'damaged' });
    // pdf.js finds a page in this one, and nothing on it.
    const loop =
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[2 0 R]/Count 1>>endobj\ntrailer<</Root 1 0 R>>';
    await expect(parseBytes(parsePdf, loop)).rejects.toMatchObject({ code: 'damaged' });
    await expect(openPdfText('/nowhere')).rejects.toThrow('ENOENT');
  });
});

describe('a sentence that runs on over the next page', () => {
  test('stands with its beginning, whose page it has; the head and foot between come after it', async () => {
    const blocks = await blocksOf([
      [...body('leave'), 'The notice is given by the person who', 'leaves, three months before the'],
      ['last day of work, in writing. Then the office answers.', 'Nothing else is needed for it.'],
    ]);
    expect(blocks.map(({ text, page, lastPage }) => [text.slice(-30), page, lastPage])).toEqual([
      ['he last day of work, in writing.'.slice(-30), 1, 2],
      ['thing else is needed for it.'.padStart(30, 'No').slice(-30), 2, undefined],
    ]);
  });
});
