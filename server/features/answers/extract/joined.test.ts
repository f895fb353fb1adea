import { expect, test } from 'vitest';
import { joined } from './joined.ts';
import { maxQuoteLength, type QuotableBlock, type Unit } from './unit.ts';
import { unitsOf } from './units.ts';

function unitsIn(...texts: string[]): Unit[] {
  const blocks: QuotableBlock[] = [];
  let start = 0;
  for (const [index, text] of texts.entries()) {
    const kind = text.includes(' | ') ? 'row' : 'paragraph';
    blocks.push({ index, kind, text, start, page: 1, cells: kind === 'row' ? text.split(' | ') : null, header: false });
    start += text.length + 1;
  }
  return unitsOf(blocks);
}

test('two sentences that follow each other are one quote, word for word', () => {
  const text = 'Receipts are due within 30 days.\n  Later ones are not paid. Ask the desk.';
  const [first, second, third] = unitsIn(text);
  if (!first || !second || !third) throw new Error('three sentences');
  const both = joined(second, first);
  expect(both?.text).toBe('Receipts are due within 30 days.\n  Later ones are not paid.');
  expect(text.slice(both?.start, both?.end)).toBe(both?.text);
  expect(joined(first, third)).toBeNull();
  expect(both && joined(both, third)?.text).toBe(text);
});

test('sentences of two blocks, rows, and what is too long for a quote stay apart', () => {
  const [one, other] = unitsIn('Receipts are due within 30 days.', 'Later ones are not paid.');
  expect(one && other && joined(one, other)).toBeNull();
  const [row, next] = unitsIn('Berlin | 145', 'Paris | 210');
  expect(row && next && joined(row, next)).toBeNull();
  const long = 'A'.repeat(maxQuoteLength / 2);
  const [long1, long2] = unitsIn(`${long}. ${long}.`);
  expect(long1 && long2 && joined(long1, long2)).toBeNull();
});
