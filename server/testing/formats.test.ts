import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import {
  makeContainer,
  makeOffice,
  makePicture,
  makeRelations,
  makeScan,
} from '#server/features/ingestion/fixtures.ts';
import { startTestApp, type TestApp } from './app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const slide = (text: string) =>
  `<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;

test('every kind of file is found by its words, at its place', { timeout: 120_000 }, async () => {
  const { token } = await app.signUp();
  const client = createClient(app.url, token);
  const files: [name: string, content: Uint8Array | string, found: { query: string; page?: number }][] = [
    [
      'slides.pptx',
      makeOffice('ppt/presentation.xml', {
        'ppt/presentation.xml':
          '<p:presentation><p:sldIdLst><p:sldId r:id="r1"/><p:sldId r:id="r2"/></p:sldIdLst></p:presentation>',
        'ppt/_rels/presentation.xml.rels': makeRelations(['slide', 'slides/1.xml'], ['slide', 'slides/2.xml']),
        'ppt/slides/1.xml': slide('Welcome to the harbour office.'),
        'ppt/slides/2.xml': slide('Moorings for dinghies cost 12 euros.'),
      }),
      { query: 'moorings for dinghies', page: 2 },
    ],
    [
      'letter.odt',
      makeContainer('application/vnd.oasis.opendocument.text', {
        'content.xml': '<d><body><text><p>Umbrellas are lent at the counter.</p></text></body></d>',
      }),
      { query: 'umbrellas' },
    ],
    ['rates.csv', 'Vessel,Toll\nTrawler,45\nCatamaran,60\n', { query: 'toll for a catamaran' }],
    ['note.rtf', '{\\rtf1 The lighthouse opens on Sundays.}', { query: 'lighthouse' }],
    [
      'mail.eml',
      'From: a@b.example\nSubject: Ferry\n\nThe ferry leaves at seven.',
      { query: 'when does the ferry leave' },
    ],
    ['scan.pdf', await makeScan([[['Anchors must be raised by noon.', 16]]]), { query: 'anchors', page: 1 }],
    ['sign.png', await makePicture([['Swimming is forbidden here.', 16]]), { query: 'swimming forbidden', page: 1 }],
  ];
  for (const [name, content] of files) await client.upload(name, Buffer.from(content));
  const read = await client.filesWhenRead();
  expect(read.map(({ name, state, reason }) => [name, state, reason]).sort()).toEqual(
    files.map(([name]) => [name, 'ready', undefined]).sort(),
  );
  for (const [name, , { query, page }] of files) {
    const [best] = (await client.call('searchPassages', { query })).passages;
    expect(best).toMatchObject({ name, ...(page !== undefined && { page }) });
  }
});

test('who sent a mail, and what a cell shows, is found and quoted', { timeout: 120_000 }, async () => {
  const { token } = await app.signUp();
  const client = createClient(app.url, token);
  const head = 'From: Dora Diaz <dora@harbour.example>\nTo: ada@harbour.example\nSubject: Repairs at the pier';
  await client.upload('pier.eml', Buffer.from(`${head}\n\nThe pier is closed for repairs until April.`));
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const names = `<row r="1">${cell('A1', 'Vessel')}${cell('B1', '2023')}${cell('D1', '2024')}</row><row r="2">${cell('B2', 'Trips')}${cell('C2', 'Share')}${cell('D2', 'Trips')}${cell('E2', 'Share')}</row>`;
  const values = [120, 0.4, 180, 0.125]
    .map((value, i) => `<c r="${'BCDE'[i]}3" s="${i % 2}"><v>${value}</v></c>`)
    .join('');
  const workbook = makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': '<workbook><sheets><sheet name="Voyages" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': makeRelations(['worksheet', 'sheet1.xml'], ['styles', 'styles.xml']),
    'xl/sheet1.xml': `<worksheet><sheetData>${names}<row r="3">${cell('A3', 'Catamaran')}${values}</row></sheetData></worksheet>`,
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="10"/></cellXfs></styleSheet>',
  });
  await client.upload('voyages.xlsx', workbook);
  await client.filesWhenRead();
  const best = async (query: string) => (await client.call('searchPassages', { query })).passages[0];
  expect(await best('who sent the mail about the pier')).toMatchObject({
    name: 'pier.eml',
    text: expect.stringContaining('From | Dora Diaz <dora@harbour.example>'),
    heading: expect.stringContaining('E-mail sent by Dora Diaz'),
  });
  expect(await best('share of the catamaran in 2024')).toMatchObject({
    name: 'voyages.xlsx',
    heading: expect.stringContaining('Voyages'),
    text: expect.stringContaining('Catamaran | 120 | 40.00% | 180 | 12.50%'),
  });
  const ask = async (text: string) => client.call('query', { history: [{ role: 'user', parts: [{ text }] }] });
  const sent = await ask('Who sent the mail about repairs at the pier?');
  expect(sent.answer).toContain('> From: Dora Diaz <dora@harbour.example> [1]');
  const share = await ask('What was the share of the catamaran in 2024?');
  expect(share.answer).toContain('2024 Share: 12.50%');
  expect(share.sources[0]).toMatchObject({
    title: 'voyages › Voyages',
    sheet: 'Voyages',
    quote: 'Catamaran | 120 | 40.00% | 180 | 12.50%',
  });
});

test('a row of a wide sheet is shown by its key and what is asked for, that of the very day first', async () => {
  const { token } = await app.signUp();
  const client = createClient(app.url, token);
  const names = 'No,Vessel,Skipper,Berth,Day,Toll,Cargo,Weight,Insurer,Agent';
  const days = ['2024-01-02', '2024-01-10', '2024-01-16'];
  const rows = days.map((day, i) => `${i + 1},Gannet,Ines Falk,${10 - i},${day},${40 + i},Salt,${10 + i},Nordia,Berg`);
  await client.upload('tolls.csv', Buffer.from([names, ...rows].join('\n')));
  await client.filesWhenRead();
  const text = 'What toll did the Gannet pay on 10 January 2024?';
  const { answer, sources } = await client.call('query', { history: [{ role: 'user', parts: [{ text }] }] });
  expect(answer).toMatch(/^[^>]*> Vessel: Gannet · Day: 2024-01-10 · Toll: 41 \[1\]/);
  expect(sources[0]?.quote).toBe('2 | Gannet | Ines Falk | 9 | 2024-01-10 | 41 | Salt | 11 | Nordia | Berg');
});

test('what cannot be read is refused with what to do', async () => {
  const { token } = await app.signUp();
  const client = createClient(app.url, token);
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(100)]);
  await expect(client.upload('photo.jpg', heic)).rejects.toThrow('please save it as JPEG');
});
