import { expect, test } from 'vitest';
import { datedMonths, isOfOtherYear } from './other-month.ts';

const other = (question: string, text: string) => isOfOtherYear(datedMonths(question), text);

test('the month that is asked for, but of another year, is another one', () => {
  expect(other('How many drivers were there in September 2024?', 'As of September 30, 2023, there were 323.')).toBe(
    true,
  );
  expect(other('Aktienkurs am 31. März 2024', 'Am 31.03.2022 stand sie bei 12 Euro.')).toBe(true);
});

test('with the very month beside it, another month, or none at all it is not', () => {
  const question = 'What were the sales in June 2024?';
  expect(other(question, 'June 30, 2023: 12; June 30, 2024: 14')).toBe(false);
  expect(other(question, 'By May 2023 they had doubled.')).toBe(false);
  expect(other(question, 'Sales were 12.')).toBe(false);
  expect(other('What were the sales in 2024?', 'Sales to June 30, 2023 were 12.')).toBe(false);
});
