import { expect, test } from 'vitest';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import { Lexicon } from '../question/lexicon.ts';
import { weigh } from '../question/question.ts';
import { nameCheck } from './lacking-names.ts';

/** How much documents with these terms lack of the question's names, where one is about `about`. */
function lacking(question: string, about: string[], ...documents: string[][]): number[] {
  const lexicon = new Lexicon(weigh(question, fewOfEach), fewOfEach);
  const asked = [...lexicon.question.weights.keys()];
  const among = (terms: string[]) => asked.map((term) => terms.includes(term));
  const lacks = nameCheck([{ about: among(about) }, { about: among([]) }], lexicon);
  return documents.map((terms) => lacks(among(terms)));
}

test('a document that nowhere has the name of one that another is about lacks it, and no other word', () => {
  const question = 'What did Harbourline sell?';
  expect(lacking(question, ['harbourlin'], ['harbourlin'], ['sell'])).toEqual([0, 1]);
  expect(lacking(question, ['sell'], ['harbourlin'], ['sell'])).toEqual([0, 0]);
});

test('of two names each document lacks one', () => {
  const question = 'How do Harbourline and Quaynet differ?';
  expect(lacking(question, ['harbourlin', 'quaynet'], ['harbourlin'], ['quaynet'], [])).toEqual([0.5, 0.5, 1]);
});
