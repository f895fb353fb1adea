import { expect, test } from 'vitest';
import { askedIn, lists } from './asked.ts';

test.each([
  ['What does a night cost: 145 euros', '145 euros'],
  ['In which year did it end: 2019', '2019'],
  ['Wie lange gilt die Garantie: zwei Jahre', 'zwei Jahre'],
  ['The council is made up of what type of people: ministers', 'ministers'],
  ['When did it end? In May', 'In May'],
  ['When a guest stays longer: 10 euros', null],
  ['The fee: 10 euros', null],
  ['What a night costs', null],
])('a question with its answer is told from a statement: "%s"', (claim, answer) => {
  expect(askedIn(claim)?.answer ?? null).toBe(answer);
});

test('an answer that lists as many things as were asked for', () => {
  expect(lists('the contract and its annex', 2)).toBe(true);
  expect(lists('red, blue, and green', 3)).toBe(true);
  expect(lists('the contract', 2)).toBe(false);
});
