import { expect, test } from 'vitest';
import { askedMarks, isOfOtherMark } from './other-mark.ts';

const other = (question: string, ...cells: string[]) =>
  isOfOtherMark(askedMarks(question, { language: 'en' }), { cells, header: null });

test('a row of another letter or number is another one', () => {
  expect(other('revenue widget f', 'Widget C', '12')).toBe(true);
  expect(other('What does zone 7 cost?', 'Zone 3', '12')).toBe(true);
  expect(other('revenue widget f', 'Widget F', '12')).toBe(false);
  expect(other('widgets f and c', 'Widget F', 'Widget C')).toBe(false);
});

test('where the question or the row has none it is not', () => {
  // "A" may be the article.
  expect(other('revenue widget a', 'Widget C', '12')).toBe(false);
  expect(other('revenue of widgets', 'Widget C', '12')).toBe(false);
  expect(other('revenue widget f', 'Widget', '12')).toBe(false);
  expect(other('What does zone 7 cost?', 'Zone 3-9', '12')).toBe(false);
  expect(other('How much is it for 7 days?', 'For 3', '12')).toBe(false);
});
