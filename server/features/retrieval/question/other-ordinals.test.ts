import { expect, test } from 'vitest';
import { analyze } from '#server/lib/analyze.ts';
import { otherOrdinals } from './other-ordinals.ts';

test.each([
  ['Who was the 4th to hold the office?', 'fourth', '4th'],
  ['What changed in the nineteenth year?', '19th', 'nineteenth'],
  ['Wozu dient die 3. Stufe?', 'dritte', '3.'],
  ['Wer leitet das 2. Werk?', 'zweiten', '2.'],
])('%s: %s stands for %s', (question, written, own) => {
  const [term = ''] = analyze(written);
  expect(otherOrdinals(question).get(term)).toBe(analyze(own)[0]);
});

test('dates, versions, the end of a sentence and parts of codes are no ordinals', () => {
  expect([...otherOrdinals('am 3.4.2024 in version 3.1 of A-4. How many are 12.')]).toEqual([]);
});
