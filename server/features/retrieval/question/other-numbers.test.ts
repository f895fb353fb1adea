import { expect, test } from 'vitest';
import { otherNumbersIn } from './other-numbers.ts';

test.each([
  ['on page 11 and in Art. 19, Ch. 40', ['page 11', 'Art. 19', 'Ch. 40']],
  ['Amendment 000001 of 3 May 2024', ['3 May 2024', 'Amendment 000001']],
  ['as described in 2.2.1, or 007', ['2.2.1', '007']],
  ['3.510.509 € and 1,234.56 and $ 0.05 and 12.5 %', []],
  ['94 awards of 5 members', []],
])('%s: of its numbers %j are no amounts', (text, others) => {
  expect(otherNumbersIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(others);
});
