import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { findWords } from './find-words.ts';

const wordsOf = (pieces: readonly string[], words: string) =>
  findWords(pieces, words).map((spans) => spans.map(({ item, start, end }) => pieces[item]?.slice(start, end)));

test('parts of words are found, whatever their case and accents, each once', () => {
  expect(wordsOf(['Über the Office, an office'], 'OFFICE')).toEqual([['Office'], ['office']]);
  expect(wordsOf(['Über allem'], 'uber')).toEqual([['Über']]);
  expect(wordsOf(['aaaa'], 'aa')).toEqual([['aa'], ['aa']]);
  expect(wordsOf(['nothing here'], 'harbour')).toEqual([]);
});

test('words are found across pieces and lines, and never where a space parts the letters', () => {
  expect(wordsOf(['The annual', 'report 2026'], 'annual report')).toEqual([['annual', 'report']]);
  expect(wordsOf(['har', 'bour'], 'harbour')).toEqual([['har', 'bour']]);
  expect(wordsOf(['not end', 'no', ' ', 'table'], 'tend')).toEqual([]);
  expect(wordsOf(['no', ' ', 'table, notable'], 'notable')).toEqual([['notable']]);
});

test('nothing is looked for where nothing is asked for', () => {
  expect(findWords(['text'], '  ')).toEqual([]);
  expect(findWords([], 'text')).toEqual([]);
});

test('what is found lies within its pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.string({ unit: 'grapheme' }), (pieces, words) => {
      for (const { item, start, end } of findWords(pieces, words).flat()) {
        expect(start).toBeLessThan(end);
        expect(end).toBeLessThanOrEqual(pieces[item]?.length ?? -1);
      }
    }),
  );
});
