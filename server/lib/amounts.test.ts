import { expect, test } from 'vitest';
import { isAmountTerm, markAmounts } from './amounts.ts';
import { analyze } from './analyze.ts';

const amountsIn = (text: string) => analyze(text).filter(isAmountTerm);

test('a round amount has the same term however it is written', () => {
  for (const text of [
    '2.5 million',
    '2,500,000',
    '2.500.000 €',
    '2,5 Mio',
    '$2.5 millions',
    "2'500'000",
    '2500 thousand',
  ])
    expect(amountsIn(text), text).toEqual(['n2500000']);
  for (const text of ['30,000', '30.000 EUR', '30 thousand', '30 Tsd'])
    expect(amountsIn(text), text).toEqual(['n30000']);
  expect(amountsIn('1.2 Milliarden, 4 bn')).toEqual(['n1200000000', 'n4000000000']);
});

test('what is exact, small, or no amount stays as it is', () => {
  for (const text of [
    '2,542,663',
    '$12,646,673,553',
    '5.000',
    '2024',
    '12.10.2000',
    '1.847.104,06',
    'v2.000',
    '3 mills',
  ])
    expect(markAmounts(text), text).toBe(text);
});
