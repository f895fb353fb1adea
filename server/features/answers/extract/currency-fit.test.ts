import { expect, test } from 'vitest';
import { currenciesIn, isOtherCurrency } from './currency-fit.ts';

test('an amount that is asked for in a currency is not one of another', () => {
  for (const question of ['What is the rent in €?', 'How many euros is the rent?', 'Rent in EUR']) {
    const asked = currenciesIn(question);
    expect(isOtherCurrency(asked, 'Rent | $ 1,200')).toBe(true);
    expect(isOtherCurrency(asked, 'Rent | CHF 1’200')).toBe(true);
    expect(isOtherCurrency(asked, 'Rent | 1.200 €')).toBe(false);
    expect(isOtherCurrency(asked, 'Rent | 1,200')).toBe(false);
    expect(isOtherCurrency(asked, 'Rent | € 1,200 ($ 1,300)')).toBe(false);
  }
});

test('who names no currency may mean any, and an envelope or a European rule is none', () => {
  expect(isOtherCurrency(currenciesIn('What is the rent?'), 'Rent | $ 1,200')).toBe(false);
  expect([...currenciesIn('The European rule for entrepreneurs, a weight of two pounds')]).toEqual([]);
});
