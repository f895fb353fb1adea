import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { endOfSentence, makesClaim } from './claims.ts';

test.each([
  ['Dr. Weber came. Then he left.', 'Dr. Weber came.'],
  ['It costs approx. 30 euros! Really.', 'It costs approx. 30 euros!'],
  ['On 3. March it began. Then', 'On 3. March it began.'],
  ['"Yes." No', '"Yes."'],
  ['**Fee.** Next', '**Fee.**'],
  ['One line\nAnother', 'One line'],
  ['- 1. Open e.g.\n- 2. Close', '- 1. Open e.g.'],
  ['保修期为两年。从交货', '保修期为两年。'],
  ['ما هي المدة؟ المدة', 'ما هي المدة؟'],
  ['It may go on.', null],
  ['It may go on. ', null],
  ['', null],
])('the first sentence of %j is %j', (text, sentence) => {
  const end = endOfSentence(text);
  expect(end === null ? null : text.slice(0, end)).toBe(sentence);
});

test('once a sentence has ended, nothing behind it changes that', () => {
  const bit = fc.constantFrom('a', 'B', '.', '! ', ' ', '\n', '"', '。', 'z.B.', '3.', '*', 'é');
  const texts = fc.array(bit, { maxLength: 15 }).map((bits) => bits.join(''));
  fc.assert(
    fc.property(texts, texts, (text, more) => {
      const end = endOfSentence(text);
      if (end !== null) expect(endOfSentence(text + more)).toBe(end);
    }),
  );
});

test.each([
  ['It never expires.', true],
  ['Das Budget wurde gekürzt.', true],
  ['保修期为两年。', true],
  ['- 30 days', true],
  ['That is so.', false],
  ['Gladly.', false],
  ['Here is what the documents say about travel:', false],
  ['## Travel costs abroad', false],
  ['**Travel costs abroad**', false],
  ['Shall I look for travel costs, too?', false],
  ['NOT_IN_DOCUMENTS', false],
  ['', false],
])('%j says something that has to be proven: %j', (sentence, expected) => {
  expect(makesClaim(sentence, false)).toBe(expected);
});

test('the end of a sentence says more before it has to be proven', () => {
  expect(makesClaim(', as the board says.', true)).toBe(false);
  expect(makesClaim(', and late receipts are never paid.', true)).toBe(true);
  expect(makesClaim(', and 50 euros.', true)).toBe(true);
});
