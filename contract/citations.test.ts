import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { neutralizeMarkers, parseMarkers, withoutSources } from './citations.ts';

const numbers = (answer: string) =>
  parseMarkers(answer).flatMap((segment) => (segment.kind === 'markers' ? [segment.numbers] : []));

test.each([
  ['Up to CHF 240.[1]', [[1]]],
  ['Both say so [1, 2].', [[1, 2]]],
  ['Both say so [1][2].', [[1], [2]]],
  ['All three [1-3], as does 【4】.', [[1, 2, 3], [4]]],
  ['Twice the same [2,2].', [[2]]],
  ['No marker: [], [a], [0], [3-1], [1-500], (1), [1.5]', []],
])('reads %j', (answer, expected) => {
  expect(numbers(answer)).toEqual(expected);
});

test('joined again, the segments are the answer', () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom('[1]', '[2, 3]', '[1-3]', '【1】', '[', ']', '[12', '[0]'));
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const answer = pieces.join('');
      const joined = parseMarkers(answer).map((segment) => (segment.kind === 'text' ? segment.text : segment.raw));
      expect(joined.join('')).toBe(answer);
    }),
  );
});

test('nothing of a neutralized text is a marker, and its other characters stay', () => {
  expect(neutralizeMarkers('as shown in [36] and [a]')).toBe('as shown in ⟦36⟧ and [a]');
  fc.assert(
    fc.property(fc.array(fc.constantFrom('[', ']', '【', '】', '1', '23', ',', '-', ' ', 'x')), (pieces) => {
      const text = pieces.join('');
      const neutral = neutralizeMarkers(text);
      expect(numbers(neutral)).toEqual([]);
      expect(neutral).toHaveLength(text.length);
    }),
  );
});

test('takes out the texts that rest on sources that are gone, and keeps the rest', () => {
  const answer = 'They say:\n\n> one [1]\n\n> two [2][3]\n\n> three [4]';
  expect(withoutSources(answer, new Set([3]))).toBe(
    'They say:\n\n> one [1]\n\n> (source deleted) [2][3]\n\n> three [4]',
  );
  expect(withoutSources(answer, new Set())).toBe(answer);
  expect(withoutSources('So [1]. And so [2]. Besides.', new Set([2]), true)).toBe(
    'So [1](source deleted) [2](source deleted) ',
  );
  expect(withoutSources('First. Then so [1, 2].', new Set([2]))).toBe('(source deleted) [1, 2].');
});
