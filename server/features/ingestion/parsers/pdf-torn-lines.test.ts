import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse';
import { expect, test } from 'vitest';
import { withTables } from './pdf-kept-tables.ts';
import { joinedLines } from './pdf-torn-lines.ts';

const height = 10;

/** Words of a line, one item each as where they are spread, so many points apart, from a place on. */
function spread(text: string, y: number, gap = 9, from = 50) {
  let x = from;
  return text.split(' ').map((word) => {
    const item = { text: word, x, y, width: word.length * 5, height, words: [] };
    x += item.width + gap;
    return item;
  });
}

const lines = [
  'When the trial has ended a contract',
  'without a term may be ended by either',
  'of the two parties who have made it,',
  'who says so to the other one by letter.',
];
const items = lines.flatMap((line, i) => spread(line, 100 + i * 12, 9 + (i % 2)));
const box = { x: 50, y: 100, width: 300, height: 50 };
const paragraph = (text: string): LayoutBlock => ({ kind: 'paragraph', text, bbox: box });
const pageOf = (textItems: unknown[], blocks: LayoutBlock[]) => ({ textItems, blocks }) as unknown as ParsedPage;
/** What the layout reader makes of it where it sees a gap between columns in each line. */
const torn = [
  lines.map((line) => line.split(' ').slice(0, 4).join(' ')).join(' '),
  lines.map((line) => line.split(' ').slice(4).join(' ')).join(' '),
].map(paragraph);

test('lines that are torn between two blocks are put together', () => {
  const joined = joinedLines(pageOf(items, torn));
  expect(joined?.textItems.map(({ text }) => text)).toEqual(lines);
  expect(joined?.textItems[0]).toMatchObject({ x: 50, y: 100, height });
});

test('a page whose lines are whole stays as it is, however far its words are spread', () => {
  expect(joinedLines(pageOf(items, [paragraph(lines.join(' '))]))).toBeNull();
  const marked = ['(a)', '(b)', '(c)', '(d)'].flatMap((marker, i) => spread(`${marker} Ignitable waste`, 100 + i * 12));
  const listed = ['(a)', '(b)', '(c)', '(d)'].map(
    (marker): LayoutBlock => ({ kind: 'list_item', marker, text: 'Ignitable waste', bbox: box }),
  );
  expect(joinedLines(pageOf(marked, listed))).toBeNull();
});

test('one or two lines that are torn are an accident', () => {
  const two = torn.map(({ text = '' }, half) => {
    const whole = lines.slice(2).map((line) => (half === 0 ? line : ''));
    return paragraph(`${text} ${whole.join(' ')}`);
  });
  expect(joinedLines(pageOf(items, two))).toBeNull();
});

test('words of a table are in its cells', () => {
  const rows = lines.map((line) => line.split(' ').map((text) => ({ text })));
  expect(joinedLines(pageOf(items, [{ kind: 'table', rows, bbox: box }]))).toBeNull();
  // Also where the reader has left blanks out.
  const glued = [[{ text: lines.join('').replaceAll(' ', '') }]];
  expect(joinedLines(pageOf(items, [{ kind: 'table', rows: glued, bbox: box }]))).toBeNull();
});

test('no word is lost around a table, nor where its cells have the same one', () => {
  const cells = spread('either party', 118, 9, 300);
  const rows = [cells.map(({ text, x, y, width }) => ({ text, bbox: { x, y, width, height } }))];
  const table: LayoutBlock = { kind: 'table', rows, bbox: { x: 0, y: 0, width: 400, height: 400 } };
  const joined = joinedLines(pageOf([...items, ...cells], [...torn, table]));
  expect(joined?.textItems.map(({ text }) => text)).toEqual(lines);
});

test('two columns are two, where each line of the second begins at one place', () => {
  const rows = Array.from({ length: 7 }, (_, i) => [
    { text: 'Adequacy of accounts', x: 50, y: 100 + i * 12, width: 100, height, words: [] },
    { text: 'Review with the auditor', x: 159, y: 100 + i * 12, width: 110, height, words: [] },
  ]);
  const columns = ['Adequacy of accounts ', 'Review with the auditor '].map((text) => paragraph(text.repeat(7)));
  expect(joinedLines(pageOf(rows.flat(), columns))).toBeNull();
});

test('words far apart are of two lines, and what stands on its side is left alone', () => {
  const far = [...items, ...spread('the other column of it', 100, 3, 500)];
  const turned = { ...items[0], text: 'Turned', rotation: 90 };
  const texts = joinedLines(pageOf([...far, turned], torn))?.textItems.map(({ text }) => text);
  expect(texts).toHaveLength(6);
  expect(texts).toEqual(expect.arrayContaining([...lines, 'the other column of it', 'Turned']));
});

test('a table that was read well is kept, at its place, and its words are not read again', () => {
  const rows = [[{ text: 'Notice' }, { text: 'of months' }]];
  const table: LayoutBlock = { kind: 'table', rows, bbox: { x: 50, y: 200, width: 90, height: 30 } };
  // Near them are words that stand before the table and behind it.
  const cells = [...spread('Notice of months', 205), ...spread('Before', 205, 9, 14), ...spread('Behind', 205, 9, 147)];
  const joined = joinedLines(pageOf([...items, ...cells], [...torn, table]));
  expect(joined?.tables).toEqual([table]);
  expect(joined?.textItems.map(({ text }) => text)).toEqual([...lines, 'Before', 'Behind']);
  const [above, below] = [paragraph('Above'), { ...paragraph('Below'), bbox: { ...box, y: 240 } }];
  expect(withTables([above, below], [table])).toEqual([above, table, below]);
  expect(withTables([above], [table])).toEqual([above, table]);
});

test('a table whose columns lines of prose cross is none: its words are read with the rest', () => {
  const prose = Array.from({ length: 4 }, (_, i) => ({
    ...items[0],
    text: 'Whoever has a question about leave asks the office first',
    y: 200 + i * 12,
    width: 300,
  }));
  const cell = (text: string, x: number) => ({ text, bbox: { x, y: 200, width: 100, height: 50 } });
  const table: LayoutBlock = {
    kind: 'table',
    rows: [[cell('Whoever has a question about leave', 50), cell('asks the office first', 200)]],
    bbox: { x: 50, y: 195, width: 320, height: 60 },
  };
  const joined = joinedLines(pageOf([...items, ...prose], [...torn, table]));
  expect(joined?.tables).toEqual([]);
  expect(joined?.textItems).toHaveLength(lines.length + prose.length);
});
