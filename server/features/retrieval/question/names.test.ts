import { expect, test } from 'vitest';
import { namesIn } from './names.ts';
import { weigh } from './question.ts';

const statistics = {
  averageLength: 10,
  languages: [],
  abbreviations: [],
  has: () => false,
  like: () => [],
  idf: () => 1,
};

function names(text: string): string[] {
  return [...namesIn(text, weigh(text, statistics))].sort();
}

test('numbers and words with a capital are names, but for the first word', () => {
  expect(names('When did Anna sell 20 chairs?')).toEqual(['20', 'anna']);
});

test('without spaces the words beside a number are no names', () => {
  expect(names('2006年的年假有多少天？')).toEqual(['2006']);
});
