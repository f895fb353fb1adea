import { expect, test } from 'vitest';
import type { Block } from '../document.ts';
import { joinBrokenSentences } from './pdf-sentences.ts';

const heading = (text: string, box: Block['box']): Block => ({
  kind: 'heading',
  level: 2,
  text,
  page: 1,
  ...(box && { box }),
});
const paragraph = (text: string, box: Block['box']): Block => ({
  kind: 'paragraph',
  text,
  page: 1,
  ...(box && { box }),
});
const textsOf = (...blocks: Block[]) =>
  joinBrokenSentences(blocks, false, new Set()).map(({ kind, text }) => [kind, text]);

const clause = '(b) Subject to such rules as the Board of Directors may adopt to achieve staggered';

test('a heading that has the place of what is below it as well is the first line of a clause', () => {
  const rest = 'Director terms, each Director shall hold office until the term ends.';
  expect(textsOf(heading(clause, [0.1, 0.48, 0.86, 0.53]), paragraph(rest, [0.1, 0.5, 0.86, 0.53]))).toEqual([
    ['paragraph', `${clause} ${rest}`],
  ]);
});

test('a heading above a paragraph, or beside one, stays one', () => {
  const rest = 'Director terms are set by the board.';
  for (const box of [
    [0.1, 0.51, 0.86, 0.55],
    [0.4, 0.49, 0.86, 0.53],
  ] as const) {
    expect(textsOf(heading(clause, [0.1, 0.48, 0.86, 0.5]), paragraph(rest, [...box]))).toHaveLength(2);
  }
});

test('the sentence of a last cell goes on in the paragraph right below it', () => {
  const row: Block = {
    kind: 'row',
    text: 'Highlights | Commentary on the financial results is based on the abridged',
    cells: ['Highlights', 'Commentary on the financial results is based on the abridged'],
    page: 1,
    box: [0.1, 0.4, 0.8, 0.42],
  };
  const below = paragraph('aggregated results of the trusts.', [0.25, 0.425, 0.8, 0.44]);
  expect(joinBrokenSentences([row, below], false, new Set())).toEqual([
    {
      ...row,
      text: 'Highlights | Commentary on the financial results is based on the abridged aggregated results of the trusts.',
      cells: [
        'Highlights',
        'Commentary on the financial results is based on the abridged aggregated results of the trusts.',
      ],
      box: [0.1, 0.4, 0.8, 0.44],
    },
  ]);
  for (const other of [
    paragraph('Aggregated results of the trusts.', [0.25, 0.425, 0.8, 0.44]),
    paragraph('aggregated results of the trusts.', [0.25, 0.5, 0.8, 0.52]),
    paragraph('aggregated results of the trusts.', [0.02, 0.425, 0.8, 0.44]),
  ]) {
    expect(joinBrokenSentences([row, other], false, new Set())).toEqual([row, other]);
  }
});
