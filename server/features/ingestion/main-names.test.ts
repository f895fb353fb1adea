import { expect, test } from 'vitest';
import { mainNames } from './main-names.ts';

const passage = (body: string, heading = '', language = 'en') => ({ body, heading, language });
const many = (body: string, heading?: string, language?: string) =>
  Array.from({ length: 10 }, () => passage(body, heading, language));

test('the names that run through a document are its main ones, the most frequent first', () => {
  const passages = [
    ...many('Last year we sold more of what Harbourline makes than ever.'),
    ...many('With the help of Quaynet and of Harbourline the pier was mended.').slice(0, 4),
    passage('Our visit to Lisbon was short.'),
  ];
  expect(mainNames(passages)).toEqual(['Harbourline', 'Quaynet']);
});

test('what begins a sentence, stands in small letters elsewhere, or is in every report is none', () => {
  expect(mainNames(many('Payments are due in May, as the Board and the Quay have it: the quay is open.'))).toEqual([]);
});

test('a name that stands over every page is one, a heading of a few pages is none', () => {
  const passages = [
    ...many('It was a good year.', 'Harbourline › Outlook').slice(0, 4),
    ...many('It was.', 'Harbourline'),
  ];
  expect(mainNames(passages)).toEqual(['Harbourline']);
});

test('German writes every noun so: there is none, nor where there is next to no text', () => {
  expect(mainNames(many('Wir haben im Hafen einen neuen Kran.', '', 'de'))).toEqual([]);
  expect(mainNames([passage('We like what Harbourline makes.')])).toEqual([]);
  expect(mainNames([])).toEqual([]);
});
