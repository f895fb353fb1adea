import type { ParsedPage } from '@llamaindex/liteparse';
import { expect, test } from 'vitest';
import { withBlanks } from './pdf-blanks.ts';

const height = 10;

/** A line as the layout reader has it: what is told apart by `|` stands so many points from what is before it. */
function line(text: string, gap: number, rotation = 0) {
  let x = 50;
  const words = text.split(/[ |]/).map((word, i) => {
    const before = text.split(/([ |])/)[2 * i - 1];
    if (before !== undefined) x += before === ' ' ? 3 : gap;
    const width = word.length * 5;
    x += width;
    return { text: word, x: x - width, y: 100, width, height };
  });
  return { text: text.replaceAll('|', ''), x: 50, y: 100, width: x - 50, height, rotation, words };
}

const pageOf = (items: unknown[], blocks: unknown[] = []) => ({ textItems: items, blocks }) as unknown as ParsedPage;
const mended = (text: string, gap: number, rotation?: number) =>
  withBlanks(pageOf([line(text, gap, rotation)])).textItems[0]?.text;

test('words of a line that stand apart have a blank between them', () => {
  expect(mended('a fine of 25,00|€|bis zu 500,00|€|geahndet', 0.5)).toBe('a fine of 25,00 € bis zu 500,00 € geahndet');
  expect(mended('see Section|801(f) there', 1.7)).toBe('see Section 801(f) there');
  expect(mended('factors,|interest Other|Income', 1.7)).toBe('factors, interest Other Income');
});

test('what touches is one word, as are thousands, spaced letters, and leaders with what they lead to', () => {
  expect(mended('work|. Then|e.V.', 0)).toBe('work. Thene.V.');
  expect(mended('tobacco|. e|.V. 1|.5', 0.9)).toBe('tobacco. e.V. 1.5');
  expect(mended('32|.668 and 12|345', 0.9)).toBe('32.668 and 12345');
  expect(mended('R|E|P|O|R|T', 0.9)).toBe('REPORT');
  expect(mended('Contents|............|3', 0.9)).toBe('Contents............3');
  expect(mended('超过|120|个', 0.9)).toBe('超过120个');
});

test('of a line that stands on its side nothing is known', () => {
  expect(mended('Section|801(f)', 1.7, 90)).toBe('Section801(f)');
});

test('blocks and cells with the same words are mended, in bold letters as well', () => {
  const cell = (text: string) => ({ text });
  const blocks = [
    { kind: 'paragraph', text: 'A **Form9** in time' },
    { kind: 'table', header: [cell('Form9')], rows: [[cell('Form9'), cell('Form90')]] },
    { kind: 'code', lines: ['Form9'] },
    { kind: 'rule' },
  ];
  expect(withBlanks(pageOf([line('Form|9', 1.5)], blocks)).blocks).toEqual([
    { kind: 'paragraph', text: 'A **Form 9** in time' },
    { kind: 'table', header: [cell('Form 9')], rows: [[cell('Form 9'), cell('Form90')]] },
    { kind: 'code', lines: ['Form 9'] },
    { kind: 'rule' },
  ]);
});
