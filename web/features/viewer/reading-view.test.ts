import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import {
  type Block,
  cellPieces,
  hasLabels,
  hasOwnMark,
  headerAbove,
  partsOf,
  piecesOf,
  sectionAt,
  sectionKind,
  touches,
} from './reading-view.ts';

/** Blocks placed as the server places them: joined by one line feed. */
function placed(...blocks: Partial<Block>[]): Block[] {
  let start = 0;
  return blocks.map((block, index) => {
    const text = block.text ?? block.cells?.join(' | ') ?? '';
    const whole = { kind: 'paragraph' as const, ...block, text, index, start, end: start + text.length };
    start = whole.end + 1;
    return whole;
  });
}

const row = (...cells: string[]): Partial<Block> => ({ kind: 'row', cells });
const header = (...cells: string[]): Partial<Block> => ({ ...row(...cells), header: true });

test('items become a list, rows a table with its header', () => {
  const blocks = placed(
    { kind: 'heading', level: 1, text: 'Fees' },
    { kind: 'item', text: 'one' },
    { kind: 'item', text: 'two' },
    header('Zone', 'Fee'),
    row('A', '10'),
    row('B', '20', 'net'),
    { kind: 'code', text: 'x\ny' },
  );
  expect(partsOf(blocks)).toEqual([
    { first: 0, kind: 'heading', block: blocks[0] },
    { first: 1, kind: 'list', blocks: [blocks[1], blocks[2]] },
    { first: 3, kind: 'table', header: blocks[3], blocks: [blocks[4], blocks[5]], columns: 3 },
    { first: 6, kind: 'code', block: blocks[6] },
  ]);
});

test('a new header or a new sheet starts a new table', () => {
  const blocks = placed({ ...header('Zone'), part: 'Rates' }, row('A'), header('City'), row('B'), {
    ...row('C'),
    part: 'More',
  });
  expect(
    partsOf(blocks).map((part) => (part.kind === 'table' ? [part.header?.text, part.blocks.length] : null)),
  ).toEqual([
    ['Zone', 1],
    ['City', 1],
    [undefined, 1],
  ]);
});

test('rows that continue a table get its header', () => {
  const blocks = placed({ text: 'Fees' }, header('Zone'), row('A'), row('B'), { text: 'end' }, row('C'));
  expect(headerAbove(blocks, 3, null)?.text).toBe('Zone');
  expect(headerAbove(blocks.slice(1), 3, null)?.text).toBe('Zone');
  for (const index of [1, 5, 99]) expect(headerAbove(blocks, index, null)).toBeNull();
  expect(partsOf(blocks.slice(3, 4), headerAbove(blocks, 3, null))).toMatchObject([
    { header: { text: 'Zone' }, columns: 1 },
  ]);
});

test('rows whose table began before what is here get the header that is told', () => {
  const [zone, ...rows] = placed(header('Zone'), row('A'), row('B'), { text: 'end' }, row('C'));
  expect(headerAbove(rows, 1, zone ?? null)?.text).toBe('Zone');
  expect(headerAbove(rows, 2, zone ?? null)?.text).toBe('Zone');
  expect(headerAbove(rows, 4, zone ?? null)).toBeNull();
});

test('marks a range across the cells of a row', () => {
  const [, second] = placed(header('Zone', 'Fee'), row('Zone 3', '48.50'));
  if (!second) throw new Error('no row');
  const whole = { start: second.start, end: second.end };
  expect(cellPieces(second, whole)).toEqual([[{ text: 'Zone 3', marked: true }], [{ text: '48.50', marked: true }]]);
  expect(cellPieces(second, { start: second.start + 5, end: second.start + 11 })).toEqual([
    [
      { text: 'Zone ', marked: false },
      { text: '3', marked: true },
    ],
    [
      { text: '48', marked: true },
      { text: '.50', marked: false },
    ],
  ]);
  expect(cellPieces(second, null)).toEqual([[{ text: 'Zone 3', marked: false }], [{ text: '48.50', marked: false }]]);
});

test('the marked pieces of all blocks are the quote', () => {
  const texts = fc.array(fc.stringMatching(/^[a-z ]{0,12}$/), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(texts, fc.nat(80), fc.nat(80), (lines, a, b) => {
      const blocks = placed(...lines.map((text) => ({ text })));
      const text = lines.join('\n');
      const range = { start: Math.min(a, b), end: Math.max(a, b) };
      const pieces = blocks.map((block) => piecesOf(block, range));
      expect(pieces.map((each) => each.map((piece) => piece.text).join('')).join('\n')).toBe(text);
      const marked = pieces.flatMap((each) => each.filter((piece) => piece.marked).map((piece) => piece.text));
      expect(marked.join('')).toBe(text.slice(range.start, range.end).replaceAll('\n', ''));
      for (const [place, block] of blocks.entries()) {
        const has = pieces[place]?.some((piece) => piece.marked) ?? false;
        if (has) expect(touches(block, range)).toBe(true);
      }
    }),
  );
});

test('a block stands in the part that was started last', () => {
  const sections = [
    { name: 'Rates', block: 1 },
    { name: 'More', block: 3 },
  ];
  expect([0, 1, 2, 3, 99].map((index) => sectionAt(sections, index))).toEqual([-1, 0, 0, 1, 1]);
});

test('parts are called what their reader calls them', () => {
  const names = ['a.pptx', 'a.ODP', 'a.xlsx', 'a.csv', 'a.epub', 'a.eml'];
  expect(names.map(sectionKind)).toEqual(['Slide', 'Slide', 'Sheet', 'Sheet', 'Chapter', 'Part']);
  expect(['a.pptm', 'a.ppsx', 'a.xlsm', 'a.ots'].map(sectionKind)).toEqual(['Slide', 'Slide', 'Sheet', 'Sheet']);
});

test('an item that is written with its mark needs no other', () => {
  const [dash, number, letter, plain, minus] = placed(
    ...['- one', '12. twelve', '(b) second', 'The rest', '-5 degrees'].map((text) => ({ kind: 'item' as const, text })),
  );
  expect([dash, number, letter, plain, minus].map((item) => item && hasOwnMark(item))).toEqual([
    ...[true, true, true],
    ...[false, false],
  ]);
});

test('the head of a mail is a table of labels; what comes later or has a header is none', () => {
  const title = { kind: 'heading' as const, level: 1, text: 'Crane' };
  const head = [row('From', 'Jonas Wirth <jonas@nordwind.example>'), row('Subject', 'Crane')];
  const labelled = (...blocks: Partial<Block>[]) => partsOf(placed(...blocks)).some(hasLabels);
  expect(labelled(title, ...head)).toBe(true);
  expect(labelled(...head)).toBe(true);
  expect(labelled(title, title, ...head)).toBe(false);
  expect(labelled(header('Zone', 'Fee'), row('A', '10'))).toBe(false);
  expect(labelled(row('A whole sentence of words', 'B'))).toBe(false);
});
