import { expect, test } from 'vitest';
import { analyze } from '#server/lib/analyze.ts';
import { otherNames } from './other-names.ts';

test.each([
  ['What did American Express earn in 2022?', 'AMERICANEXPRESS'],
  ['revenue of AmericanExpress and of Best Buy', 'BestBuy'],
  ['What does the General Data Protection Regulation say?', 'GDPR'],
  ['Sales of Johnson & Johnson in 2021', 'J&J'],
  ['Sales of Johnson and Johnson in 2021', 'JohnsonJohnson'],
])('%s: the name may be written %s', (question, written) => {
  const [term = ''] = analyze(written);
  expect(otherNames(question).has(term)).toBe(true);
});

test('a name of one word, and what has no capitals, is written as it is', () => {
  expect([...otherNames('What did Siemens earn in fiscal 2022?')]).toEqual([]);
});
