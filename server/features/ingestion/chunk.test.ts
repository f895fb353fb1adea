import { describe, expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { chunkBlocks, chunkSizes } from './chunk.ts';
import type { Block } from './document.ts';
import { placeBlocks } from './place.ts';

const chunk = (blocks: Block[]) => chunkBlocks(placeBlocks(blocks));
const words = (length: number) =>
  'lorem ipsum dolor. '
    .repeat(Math.ceil(length / 19))
    .slice(0, length)
    .trimEnd();
const paragraph = (length: number): Block => ({ kind: 'paragraph', text: words(length) });
const heading = (text: string, level = 1): Block => ({ kind: 'heading', level, text });
const row = (text: string, more: Partial<Block> = {}): Block => ({
  kind: 'row',
  text,
  cells: text.split(' | '),
  ...more,
});

const anyBlock: fc.Arbitrary<Block> = fc.record(
  {
    kind: fc.constantFrom('heading', 'paragraph', 'item', 'row', 'code'),
    level: fc.integer({ min: 1, max: 6 }),
    text: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('a', ' ', '. ', '。', '😀', '\n'), maxLength: 6000, size: 'max' }),
    ),
    page: fc.integer({ min: 1, max: 9 }),
    header: fc.boolean(),
    part: fc.constantFrom('Sheet 1', 'Sheet 2'),
  },
  { requiredKeys: ['kind', 'text'] },
);

describe('any document', () => {
  test('is covered by chunks whose offsets are right and whose length is limited', () => {
    fc.assert(
      fc.property(fc.array(anyBlock, { maxLength: 40 }), (blocks) => {
        const placed = placeBlocks(blocks);
        const text = blocks.map((block) => block.text).join('\n');
        for (const block of placed) expect(text.slice(block.start, block.end)).toBe(block.text);
        const chunks = chunkBlocks(placed);
        let end = 0;
        for (const [index, each] of chunks.entries()) {
          expect(each.index).toBe(index);
          expect(each.text).toBe(text.slice(each.start, each.end));
          expect(each.text.length).toBeLessThanOrEqual(chunkSizes.max);
          expect(each.text.isWellFormed()).toBe(text.isWellFormed());
          expect(text.slice(end, each.start).trim()).toBe('');
          expect(each.start).toBeGreaterThanOrEqual(placed[each.firstBlock]?.start ?? Number.NaN);
          expect(each.end).toBeLessThanOrEqual(placed[each.lastBlock]?.end ?? Number.NaN);
          end = each.end;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
      { numRuns: 300 },
    );
  });
});

describe('pages', () => {
  const on = (page: number, block: Block): Block => ({ ...block, page });

  test('no chunk goes on upon the next page, and the title of a page is in the path of what stands on it', () => {
    const chunks = chunk([
      on(1, heading('Report of the auditor')),
      on(1, paragraph(300)),
      on(2, heading('Balance sheet')),
      on(2, row('Cash | 12', { table: { columns: ['', '2024'], caption: 'Balance sheet', unit: 'in millions' } })),
      on(3, paragraph(100)),
    ]);
    expect(chunks.map(({ page }) => page)).toEqual([1, 2, 3]);
    expect(chunks[1]?.headingPath).toEqual(['Balance sheet', 'in millions', '2024']);
  });

  test('a sentence that runs on over the next page is one passage, which says both pages', () => {
    const chunks = chunk([
      { ...on(1, { kind: 'paragraph', text: 'It ends over there.' }), lastPage: 2 },
      on(2, { kind: 'paragraph', text: 'More.' }),
    ]);
    expect(chunks).toMatchObject([{ page: 1, lastPage: 2 }, { page: 2 }]);
  });

  test('heads and feet are in no chunk, and what a head says is in the path', () => {
    const chunks = chunk([
      { ...on(1, paragraph(300)), context: 'Handbook' },
      { ...on(1, { kind: 'paragraph', text: 'Handbook 1' }), running: true },
      { ...on(2, heading('Leave')), context: 'Handbook' },
      on(2, paragraph(300)),
    ]);
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['Handbook'], ['Handbook', 'Leave']]);
    expect(chunks.map(({ text }) => text).join()).not.toContain('Handbook');
  });

  test('a few lines at the end of a page go with what is before them', () => {
    const sentences = Array.from({ length: 12 }, () => on(1, paragraph(100)));
    expect(chunk(sentences)).toHaveLength(1);
    expect(chunk(Array.from({ length: 25 }, () => on(1, paragraph(100)))).length).toBeGreaterThan(1);
  });

  test('rows have the labels above them in their path where these stand in another chunk', () => {
    const rows = Array.from({ length: 60 }, (_, index) =>
      on(1, row(`Item number ${index} of the programme | ${index}`, { parents: ['Expenses'] })),
    );
    const table = { columns: ['', '2024'] };
    const chunks = chunk([on(1, row('Expenses | ', { table })), ...rows]);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks[1]?.headingPath).toEqual(['2024', 'Expenses']);
  });
});

describe('structure', () => {
  test('a heading goes with what follows it, and into its path', () => {
    const chunks = chunk([heading('Travel'), paragraph(800), heading('Hotels', 2), paragraph(700)]);
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['Travel'], ['Travel', 'Hotels']]);
    expect(chunks[1]?.text.startsWith('Hotels\nlorem')).toBe(true);
  });

  test('a heading that ends a chunk by its size moves on', () => {
    const [first, second] = chunk([paragraph(1000), heading('Deep', 3), paragraph(900)]);
    expect(first?.text).not.toContain('Deep');
    expect(second?.text.startsWith('Deep\n')).toBe(true);
  });

  test('tiny sections share a chunk, under what they have in common', () => {
    const chunks = chunk([heading('FAQ'), heading('Who?', 2), paragraph(60), heading('When?', 2), paragraph(60)]);
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.headingPath).toEqual(['FAQ']);
  });

  test('a heading of the same level ends the one before', () => {
    const chunks = chunk([heading('A'), heading('A1', 2), paragraph(500), heading('B'), paragraph(500)]);
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['A', 'A1'], ['B']]);
  });

  test('a second line of heads takes nothing from what is known of its table', () => {
    const table = { columns: ['', 'Total 2024'], caption: 'Workshops' };
    const [first] = chunk([
      row(' | Total', { header: true, table }),
      row(' | 2024', { header: true }),
      row('Travel | 12'),
    ]);
    expect(first?.headingPath).toEqual(['Workshops', 'Total 2024']);
  });

  test('rows keep the header of their table, and the sheet they are in', () => {
    const rows = Array.from({ length: 60 }, (_, index) => row(`Chair number ${index} | ${index},50 euros a piece`));
    const chunks = chunk([row('Item | Price', { header: true, part: 'Prices' }), ...rows, paragraph(30)]);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks[1]?.headingPath).toEqual(['Prices', 'Item | Price']);
    expect(chunks[1]?.text).not.toContain('Item | Price');
  });

  test('a new sheet starts a new chunk, however small the one before', () => {
    const chunks = chunk([row('a | b', { part: 'One' }), row('c | d', { part: 'Two' })]);
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['One'], ['Two']]);
  });

  test('a long paragraph is cut at the end of a sentence, and keeps its page', () => {
    const chunks = chunk([{ ...paragraph(5000), page: 7 }]);
    expect(chunks.length).toBeGreaterThan(3);
    for (const each of chunks) expect(each).toMatchObject({ page: 7, firstBlock: 0, lastBlock: 0 });
    for (const each of chunks.slice(0, -1)) expect(each.text.endsWith('.')).toBe(true);
  });

  test('nothing gives nothing', () => {
    expect(chunk([])).toEqual([]);
    expect(chunk([{ kind: 'paragraph', text: ' ' }])).toEqual([]);
  });
});
