import { expect, test } from 'vitest';
import { termsFor } from './terms-for.ts';

const plain = { elsewhere: new Map<string, string>() };

test('a text that was read for one question is read in the words of the next', () => {
  const text = 'The deposits are paid back.';
  const terms = [...termsFor(plain, text)];
  expect(terms).toContain('deposit');
  expect(termsFor({ elsewhere: new Map([['deposit', 'kaution']]) }, text)).toEqual(
    terms.map((term) => (term === 'deposit' ? 'kaution' : term)),
  );
  expect(termsFor(plain, text)).toEqual(terms);
});

test('a text is read in its own language, whatever it was read as before', () => {
  const text = 'Kiracı sözleşmeyi feshetmek isterse';
  const unknown = termsFor(plain, text);
  const turkish = termsFor(plain, text, 'tr');
  expect(turkish).not.toEqual(unknown);
  expect(termsFor(plain, text)).toEqual(unknown);
  expect(termsFor(plain, text, 'tr')).toEqual(turkish);
});
