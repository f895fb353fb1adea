import { expect, test } from 'vitest';
import { readText } from './facts.ts';
import { tokensIn, wordSet } from './tokens.ts';

test('a word of a list is found in a text, however it is written in either', () => {
  const words = wordSet("während größer jusqu'à más Français");
  for (const text of ['Während', 'wahrend', 'GRÖSSER', 'jusqu’à', "jusqu'a", 'mas', 'francais'])
    expect(tokensIn(text).filter(({ folded }) => words.has(folded))).toHaveLength(1);
});

test.each([
  'Gäste zahlen 50 Euro, Mitglieder',
  'Gäste zahlen 50 Euro während Mitglieder nichts zahlen',
  'Les clients paient 50 euros tandis que les membres',
  'Los clientes pagan 50 euros mientras los socios',
])('another part of a sentence begins: %s', (text) => {
  expect(new Set(tokensIn(text).map(({ segment }) => segment)).size).toBeGreaterThan(1);
});

test.each([
  ["jusqu'à 30 jours", 'down'],
  ['jusqu’au 3 mars 2024', 'down'],
  ['plus de 30 jours', 'up'],
  ['supérieur à 30 jours', 'up'],
  ['30 jours', null],
])('"%s" is bounded: %s', (text, bound) => {
  expect(readText(text, 'fr').facts.map((fact) => fact.bound)).toEqual([bound]);
});

test('"de 5 jusqu’à 10 jours" are 5 days, too', () => {
  expect(readText('de 5 jusqu’à 10 jours', 'fr').facts.map(({ of }) => of)).toEqual(['time', 'time']);
});
