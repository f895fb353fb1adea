import { expect, test } from 'vitest';
import { contextOf, type Turn } from './history.ts';

const asked = (text: string): Turn => ({ role: 'user', text });
const answered = (text: string): Turn => ({ role: 'model', text });

test('a first question goes on from nothing', () => {
  expect(contextOf([asked('What may a hotel cost?')])).toEqual([]);
  expect(contextOf([])).toEqual([]);
});

test('the question before counts more than the one before that, and the last answer least', () => {
  const turns = [
    asked('one'),
    answered('1'),
    asked('two'),
    answered('2'),
    asked('three'),
    answered('3'),
    asked('four'),
  ];
  const context = contextOf(turns);
  expect(context.map(({ text }) => text)).toEqual(['three', 'two', '3']);
  const shares = context.map(({ share }) => share);
  expect(shares).toEqual(shares.toSorted((one, other) => other - one));
  expect(shares.every((share) => share > 0 && share < 1)).toBe(true);
});

test('what is asked again, and what is empty, adds nothing; of a long answer the beginning counts', () => {
  expect(contextOf([asked(' same '), answered('  '), asked(''), asked('same')])).toEqual([]);
  const [answer] = contextOf([asked('same'), answered(`start ${'x'.repeat(1000)} end`), asked('same')]);
  expect(answer?.text).toMatch(/^start x+$/);
});
