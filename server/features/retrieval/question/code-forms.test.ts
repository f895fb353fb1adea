import { expect, test } from 'vitest';
import { codeForms } from './code-forms.ts';

const has = (term: string) => ['e-204', 'ts540', 'a-1', 'a1', '2024'].includes(term);

test.each([
  ['e204', 'e-204'],
  ['ts-540', 'ts540'],
])('%s is looked for as %s, which documents have', (asked, written) => {
  expect(codeForms([asked], has)).toEqual(new Map([[written, asked]]));
});

test('a code that documents have as it is asked for has no other form, and a number or a word none at all', () => {
  expect(codeForms(['a1', '2024', 'ts', 'e205'], has).size).toBe(0);
});
