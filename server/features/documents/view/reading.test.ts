import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import type { CallOutput } from '#contract/calls.ts';
import { type Company, newCompany, test } from '#server/testing/company.ts';

type Document = CallOutput<'getDocument'>;
type Block = CallOutput<'getReadingView'>['blocks'][number];

const samples = fileURLToPath(new URL('../../../../samples/files', import.meta.url));
const sampleNames = readdirSync(samples).filter((name) => !name.startsWith('.'));

async function read(
  company: Company,
  name: string,
  bytes: Uint8Array,
): Promise<{ document: Document; blocks: Block[] }> {
  const { documentId, version } = await company.client.upload(name, bytes);
  await company.app.idle();
  const document = await company.client.call('getDocument', { documentId, version });
  return { document, blocks: await allBlocks(company, document) };
}

/** As the page asks for them: a run at a time. */
async function allBlocks(
  company: Company,
  { documentId, version, blocks: total }: Document,
  limit = 100,
): Promise<Block[]> {
  const found: Block[] = [];
  for (let from = 0; from < total; from += limit) {
    found.push(...(await company.client.call('getReadingView', { documentId, version, from, limit })).blocks);
  }
  return found;
}

/** What holds for the text of any document. */
function expectWellPlaced({ document, blocks }: { document: Document; blocks: Block[] }) {
  expect(blocks.map(({ index }) => index)).toEqual(Array.from({ length: document.blocks }, (_, i) => i));
  let end = -1;
  for (const block of blocks) {
    expect(block.start).toBe(end + 1);
    expect(block.end - block.start).toBe(block.text.length);
    end = block.end;
    if (block.kind === 'heading') expect(block.level).toBeGreaterThanOrEqual(1);
    if (block.kind === 'row') expect(block.cells?.length).toBeGreaterThan(0);
  }
}

describe('the reading view of', () => {
  test('Markdown has headings, paragraphs, items, rows under their header, and code', async ({ company }) => {
    const text = [
      '# Hotels',
      'Book early.',
      '- Berlin\n- Ulm',
      '| City | Limit |\n| - | - |\n| Berlin | 145 |',
      '```\nls -l\n```',
    ].join('\n\n');
    const view = await read(company, 'Hotels.md', Buffer.from(text));
    expectWellPlaced(view);
    expect(view.document).toMatchObject({ view: 'text', state: 'ready', currentVersion: 1, blocks: 7 });
    expect(view.blocks).toMatchObject([
      { kind: 'heading', level: 1, text: 'Hotels' },
      { kind: 'paragraph', text: 'Book early.' },
      { kind: 'item', text: 'Berlin' },
      { kind: 'item', text: 'Ulm' },
      { kind: 'row', cells: ['City', 'Limit'], header: true },
      { kind: 'row', cells: ['Berlin', '145'] },
      { kind: 'code', text: 'ls -l' },
    ]);
  });

  test('HTML is its content, without what would run', async ({ company }) => {
    const html = '<h2>Rules</h2><script>alert(1)</script><p onclick="x()">Be <b>kind</b> &amp; brief.</p>';
    const view = await read(company, 'Rules.html', Buffer.from(`<!doctype html><html><body>${html}</body></html>`));
    expectWellPlaced(view);
    expect(view.blocks.map(({ text }) => text)).toEqual(['Rules', 'Be kind & brief.']);
  });

  test.for(sampleNames)('%s has what its format has', async (name, { company }) => {
    const view = await read(company, name, await readFile(join(samples, name)));
    expectWellPlaced(view);
    const { document, blocks } = view;
    expect(document).toMatchObject({ name, path: `${company.id}/${name}`, state: 'ready', version: 1 });
    expect(document.view).toBe(name.endsWith('.pdf') ? 'pdf' : 'text');
    if (name.endsWith('.pdf')) {
      expect(document.pages).toBeGreaterThan(0);
      expect(blocks.every(({ page }) => page !== undefined && page >= 1 && page <= (document.pages ?? 0))).toBe(true);
    }
    if (name.endsWith('.xlsx')) {
      expect(blocks[0]?.part).toBeDefined();
      expect(blocks.some(({ kind, header }) => kind === 'row' && header)).toBe(true);
    }
    if (name.endsWith('.docx')) expect(blocks.some(({ kind }) => kind === 'heading')).toBe(true);
  });

  test('any run of a long document is the same as that part of the whole', async ({ company }) => {
    const view = await read(
      company,
      'Long.txt',
      Buffer.from(Array.from({ length: 250 }, (_, i) => `Line ${i}.`).join('\n\n')),
    );
    expect(view.document.blocks).toBe(250);
    expect(await allBlocks(company, view.document, 7)).toEqual(view.blocks);
    const { documentId, version } = view.document;
    const beyond = await company.client.call('getReadingView', { documentId, version, from: 250, limit: 10 });
    expect(beyond.blocks).toEqual([]);
    const across = await company.client.call('getReadingView', { documentId, version, from: 248, limit: 10 });
    expect(across.blocks.map(({ text }) => text)).toEqual(['Line 248.', 'Line 249.']);
  });

  test('a long sheet has its header at hand, however far down one reads', async ({ company }) => {
    const rows = Array.from({ length: 2500 }, (_, i) => `Part ${i},${i}`);
    const { document } = await read(company, 'Parts.csv', Buffer.from(['Name,Number', ...rows].join('\n')));
    const { documentId, version } = document;
    const far = await company.client.call('getReadingView', { documentId, version, from: 2000, limit: 10 });
    expect(far.blocks[0]).toMatchObject({ kind: 'row', cells: ['Part 1999', '1999'] });
    expect(far.header).toMatchObject({ index: 0, cells: ['Name', 'Number'], header: true });
    const start = await company.client.call('getReadingView', { documentId, version, from: 0, limit: 10 });
    expect(start.header).toBeUndefined();
  });

  test('a table after other text has no header of a table before it', async ({ company }) => {
    const text = '| City |\n| - |\n| Ulm |\n\nBetween them.\n\n<table><tr><td>alone</td></tr></table>\n';
    const { document, blocks } = await read(company, 'Tables.md', Buffer.from(text));
    for (const { index, kind, header } of blocks) {
      const { documentId, version } = document;
      const run = await company.client.call('getReadingView', { documentId, version, from: index, limit: 1 });
      expect(run.header?.text).toBe(kind === 'row' && !header && index < 2 ? 'City' : undefined);
    }
  });

  test('a workbook names its sheets, and where each starts', async ({ company }) => {
    const { document, blocks } = await read(
      company,
      'Price list Q4.xlsx',
      await readFile(join(samples, 'Price list Q4.xlsx')),
    );
    const started = blocks.flatMap(({ part, index }) => (part === undefined ? [] : [{ name: part, block: index }]));
    expect(document.parts).toEqual(started);
    expect(document.parts.length).toBeGreaterThan(0);
  });
});

describe('a passage that was found', () => {
  test.for(['Long.txt', 'Short.md'])(
    'is opened by its address in %s, whatever blocks it goes over',
    async (name, { company }) => {
      const { client } = company;
      const paragraphs = Array.from(
        { length: 40 },
        (_, n) => `Paragraph ${n} tells where the zymurgy lab of floor ${n} is.`,
      );
      const text = name === 'Long.txt' ? paragraphs.join('\n\n') : '# Lab\n\nThe zymurgy lab is on floor 7.\n';
      await read(company, name, Buffer.from(text));
      const { passages } = await client.call('searchPassages', { query: 'zymurgy lab floor 7' });
      const found = passages.find((passage) => passage.name === name);
      const { pathname, searchParams } = new URL(found?.url ?? '', 'http://docs.example');
      const [, , documentId = '', version] = pathname.split('/');
      const at = searchParams.get('at') ?? '';
      const { citation } = await client.call('getDocument', { documentId, version: Number(version), at });
      expect(citation?.quote).toBe(found?.text);
      expect(`${citation?.start}-${citation?.end}`).toBe(at);
    },
  );

  test('is nothing beyond the end, and no place that is none', async ({ company }) => {
    const { document } = await read(company, 'End.txt', Buffer.from('The end.'));
    const at = (place: string) =>
      company.client.call('getDocument', { documentId: document.documentId, version: 1, at: place });
    expect((await at('4-8')).citation).toMatchObject({ quote: 'end.', before: 'The ', after: '' });
    expect((await at('5000-5100')).citation).toBeUndefined();
    for (const none of ['8-4', '3-3', '0-20001', '-1-4', 'x']) await expect(at(none)).rejects.toThrow();
  });
});

describe('a citation', () => {
  const text = `${'Before it. '.repeat(30)}\n\nThe wine cellar opens at nine.\n\nAfter it stands this.\n`;

  async function cited(company: Company) {
    const history = [{ role: 'user' as const, parts: [{ text: 'When does the wine cellar open?' }] }];
    const { sources } = await company.client.call('query', { history });
    const { pathname, searchParams } = new URL(sources[0]?.url ?? '', company.app.url);
    const [, , documentId = '', version] = pathname.split('/');
    return { documentId, version: Number(version), cite: searchParams.get('cite') ?? '' };
  }

  test('leads to its place, with the words around it', async ({ company }) => {
    const { blocks } = await read(company, 'Cellar.txt', Buffer.from(text));
    const { citation } = await company.client.call('getDocument', await cited(company));
    expect(citation).toMatchObject({
      quote: 'The wine cellar opens at nine.',
      block: 1,
      after: '\nAfter it stands this.',
    });
    expect(citation?.before.length).toBe(120);
    const whole = blocks.map((block) => block.text).join('\n');
    expect(whole.slice(citation?.start, citation?.end)).toBe(citation?.quote);
    expect(whole.slice(0, citation?.start).endsWith(citation?.before ?? '')).toBe(true);
  });

  test('of another document, or none, is left out', async ({ company }) => {
    await read(company, 'Cellar.txt', Buffer.from(text));
    const of = await cited(company);
    const { document } = await read(company, 'Other.txt', Buffer.from('Something else.'));
    const { documentId } = document;
    expect((await company.client.call('getDocument', { ...of, documentId })).citation).toBeUndefined();
    expect((await company.client.call('getDocument', { ...of, cite: randomUUID() })).citation).toBeUndefined();
  });

  test('of another company is not there, nor is its document', async ({ app, company }) => {
    await read(company, 'Cellar.txt', Buffer.from(text));
    const of = await cited(company);
    const { client: other } = await newCompany(app);
    const absent = await other.call('getDocument', { ...of, documentId: randomUUID() }).catch(String);
    expect(await other.call('getDocument', of).catch(String)).toBe(absent);
    const { documentId } = await other.upload('Own.txt', Buffer.from('Something else.'));
    await app.idle();
    expect((await other.call('getDocument', { ...of, documentId })).citation).toBeUndefined();
  });
});
