import { expect, test } from 'vitest';
import { readQueries, withQuery } from './recent-queries.ts';

test('newest first, no repeats, at most ten', () => {
  let queries: string[] = [];
  for (let n = 1; n <= 12; n++) queries = withQuery(queries, `question ${n}`);
  expect(queries).toHaveLength(10);
  expect(queries[0]).toBe('question 12');
  expect(queries.at(-1)).toBe('question 3');
  expect(withQuery(queries, 'question 7').slice(0, 3)).toEqual(['question 7', 'question 12', 'question 11']);
  expect(withQuery(queries, 'question 7')).toHaveLength(10);
});

test.each([
  [null, []],
  ['', []],
  ['{', []],
  ['{"a":1}', []],
  ['"text"', []],
  ['[1,null,{"a":"b"},"ok"," ","ok"]', ['ok']],
  [JSON.stringify(Array.from({ length: 30 }, (_, n) => `q${n}`)), Array.from({ length: 10 }, (_, n) => `q${n}`)],
])('reads %j without harm', (stored, expected) => {
  expect(readQueries(stored)).toEqual(expected);
});
