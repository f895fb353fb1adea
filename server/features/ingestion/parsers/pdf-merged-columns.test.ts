import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse';
import { expect, test } from 'vitest';
import { blocksOfParts, partedColumns } from './pdf-merged-columns.ts';

const height = 10;

function item(text: string, x: number, y: number, width = text.length * 4) {
  return { text, x, y, width, height, words: [] };
}

const left = [
  'The mission of the division is to promote',
  'the rules of work, and to see that all who',
  'work in this town are paid what they have',
  'earned, and that nobody has to ask twice.',
];
const right = [
  'The board advises the town on its rules',
  'and hears all who have something to say',
  'on the price of water and of power, once',
  'a year, in the hall at the harbor.',
];
/** Both columns below each other from a place on, the right one a little lower. */
const columns = (y: number) =>
  left.flatMap((text, i) => [item(text, 50, y + i * 12), item(right[i] ?? '', 300, y + i * 12 + 2)]);
const paragraph = (text: string): LayoutBlock => ({ kind: 'paragraph', text });
const merged = paragraph(left.map((text, i) => `${text} ${right[i]}`).join(' '));
const title = 'What is said above both of the columns reaches over all of the page, as this does';
const above = item(title, 50, 60, 400);
const below = item(title.replace('above', 'below'), 50, 200, 400);
const pageOf = (textItems: unknown[], blocks: LayoutBlock[]) => ({ textItems, blocks }) as unknown as ParsedPage;
const textsOf = (parted: ReturnType<typeof partedColumns>) =>
  parted?.parts.map((part) => part.map(({ text }) => text).join(' ')) ?? null;

test('columns that were read across are parted, between what stands above and below them', () => {
  const parted = partedColumns(pageOf([above, ...columns(100), below], [merged]));
  expect(textsOf(parted)).toEqual([above.text, left.join(' '), right.join(' '), below.text]);
});

test('a page whose columns were read one after the other stays as it is', () => {
  expect(partedColumns(pageOf(columns(100), [paragraph(left.join(' ')), paragraph(right.join(' '))]))).toBeNull();
  expect(partedColumns(pageOf(columns(100), [{ ...merged, kind: 'table' }]))).toBeNull();
});

test('each of two places of a page is parted by itself, with the lines of one column above and below it', () => {
  const [first, last] = [item('Rules of the division', 50, 88), item('It says so in its rules.', 50, 148)];
  const items = [first, ...columns(100), last, below, ...columns(300)];
  const parted = partedColumns(pageOf(items, [merged]));
  const [one, other] = [left.join(' '), right.join(' ')];
  expect(textsOf(parted)).toEqual([`${first.text} ${one} ${last.text}`, other, below.text, one, other]);
});

test('columns are parted where the right one begins, whatever begins elsewhere', () => {
  const elsewhere = left.map((text, i) => item(text, 50 + i * 10, 300 + i * 12));
  const aside = right.map((text, i) => item(text, 340 + i * 30, 300 + i * 12));
  const parted = partedColumns(pageOf([...columns(100), below, ...elsewhere, ...aside], [merged]));
  expect(textsOf(parted)?.slice(0, 2)).toEqual([left.join(' '), right.join(' ')]);
  expect(parted?.parts).toHaveLength(3);
});

test('marks and figures beside what they belong to hide no columns', () => {
  const marked = Array.from({ length: 5 }, (_, i) => [
    item('-', 50, 220 + i * 12),
    item('Rule of work', 70, 220 + i * 12),
  ]);
  const figures = Array.from({ length: 5 }, (_, i) => [item('1 2', 50, 300 + i * 12), item('3 4', 90, 300 + i * 12)]);
  const texts = [merged, paragraph('- Rule of work'), paragraph('1 2 3 4')];
  const parted = partedColumns(pageOf([...columns(100), below, ...marked.flat(), ...figures.flat()], texts));
  expect(textsOf(parted)?.slice(0, 2)).toEqual([left.join(' '), right.join(' ')]);
});

test('one or two lines that were read across are an accident, and names beside values are no prose', () => {
  const two = left.slice(0, 2).map((text, i) => `${text} ${right[i]}`);
  const rest = paragraph([...left.slice(2), ...right.slice(2)].join(' '));
  expect(partedColumns(pageOf(columns(100), [paragraph(two.join(' ')), rest]))).toBeNull();
  const fields = ['Name of the Company', 'Seat of the Company', 'Date of the Report', 'Place of the Report'];
  const values = ['Nordwind Logistics Limited', 'Bremen on the Weser', 'First of May', 'Hall at the Harbor'];
  const form = fields.flatMap((text, i) => [item(text, 50, 100 + i * 12), item(values[i] ?? '', 300, 100 + i * 12)]);
  const read = paragraph(fields.map((text, i) => `${text} ${values[i]}`).join(' '));
  expect(partedColumns(pageOf(form, [read]))).toBeNull();
  const short = ['name of', 'seat in', 'date of', 'place of'].flatMap((text, i) => [
    item(text, 50, 100 + i * 12),
    item('the firm', 300, 100 + i * 12),
  ]);
  const line = paragraph('name of the firm seat in the firm date of the firm place of the firm');
  expect(partedColumns(pageOf(short, [line]))).toBeNull();
});

test('a table above the columns is kept, and its words are not read again', () => {
  const cells = [item('Fee', 50, 20), item('12 euros', 300, 20)];
  const table: LayoutBlock = {
    kind: 'table',
    rows: [cells.map(({ text }) => ({ text }))],
    bbox: { x: 40, y: 10, width: 400, height: 25 },
  };
  const parted = partedColumns(pageOf([...cells, above, ...columns(100)], [table, merged]));
  expect(parted?.tables).toEqual([table]);
  expect(textsOf(parted)).toEqual([above.text, left.join(' '), right.join(' ')]);
  // One that reaches into them is none.
  const across = { ...table, bbox: { x: 40, y: 10, width: 400, height: 120 } };
  const anew = partedColumns(pageOf([...cells, above, ...columns(100)], [across, merged]));
  expect(anew?.tables).toEqual([]);
  expect(textsOf(anew)?.[0]).toBe(`Fee 12 euros ${above.text}`);
  // Nor is one whose columns lines of prose cross.
  const prose = Array.from({ length: 4 }, (_, i) => item(title, 50, 12 + i * 11, 380));
  const bbox = { x: 300, y: 10, width: 100, height: 50 };
  const crossed = { ...table, rows: [[{ text: 'Fee' }, { text: '12', bbox }]], bbox: { ...bbox, x: 40, width: 400 } };
  expect(partedColumns(pageOf([...prose, ...columns(100)], [crossed, merged]))?.tables).toEqual([]);
});

test('a sentence that goes on in the next column is one, and no other', () => {
  const block = (text: string, x: number, kind: LayoutBlock['kind'] = 'paragraph'): LayoutBlock => ({
    kind,
    text,
    bbox: { x, y: 100, width: 200, height: 50 },
  });
  const [pays, wages] = [block('*The town pays pre-*', 50), block('*vailing wages.*', 300)];
  const joined = blocksOfParts([[block('Above.', 50)], [pays], [wages, block('Also.', 300)]]);
  expect(joined.map(({ text }) => text)).toEqual(['Above.', '*The town pays pre-* *vailing wages.*', 'Also.']);
  expect(joined[1]?.bbox).toEqual({ x: 50, y: 100, width: 450, height: 50 });
  const inTurn = (...parts: LayoutBlock[]) => blocksOfParts(parts.map((part) => [part])).length;
  expect(inTurn(block('It pays.', 50), wages)).toBe(2);
  expect(inTurn(pays, block('Wages are paid.', 300))).toBe(2);
  expect(inTurn(block('What is paid', 50, 'heading'), wages)).toBe(2);
  expect(inTurn(pays, { ...wages, kind: 'list_item' })).toBe(2);
  expect(blocksOfParts([[pays], [], [wages]])).toHaveLength(1);
});
