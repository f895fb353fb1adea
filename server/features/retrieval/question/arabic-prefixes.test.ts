import { expect, test } from 'vitest';
import { withoutPrefixes } from './arabic-prefixes.ts';
import { weigh } from './question.ts';
import type { TermStatistics } from './statistics.ts';

test('words that Arabic writes together with the next one are told from it, also before numbers', () => {
  expect(withoutPrefixes('ما النسبة لعدد الأطباء في 2004 و2005')).toEqual(
    new Map([
      ['عدد', 'لعدد'],
      ['2005', 'و2005'],
    ]),
  );
  expect(withoutPrefixes('What is the number of b2005?')).toEqual(new Map());
});

test('a word counts as what the documents have more often, and what only looks joined stays whole', () => {
  const frequency = new Map([
    ['عدد', 40],
    ['كتاب', 20],
    ['تاب', 1],
  ]);
  const statistics: TermStatistics = {
    languages: [],
    idf: (term) => Math.log(100 / (1 + (frequency.get(term) ?? 0))),
    averageLength: 10,
    abbreviations: [],
    has: (term) => frequency.has(term),
    like: () => [],
  };
  const { weights, elsewhere } = weigh('النسبة لعدد كتاب', statistics);
  expect(elsewhere).toEqual(new Map([['عدد', 'لعدد']]));
  expect(weights.get('لعدد')).toBe(statistics.idf('عدد'));
});
