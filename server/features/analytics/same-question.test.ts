import { describe, expect, test } from 'vitest';
import { likeness, minLikeness, wordingOf } from './same-question.ts';

const isSame = (one: string, other: string) => likeness(wordingOf(one).terms, wordingOf(other).terms) >= minLikeness;

describe('one question', () => {
  test.each([
    ['How many vacation days do we have?', 'how many vacation day do we have'],
    ['What is the notice period of the crane contract?', 'crane contract notice period?'],
    ['Who is the grandfather of Kaidu?', "Who was Kaidu's grandfather?"],
    ['How was the north tower modified?', 'How were the modifications of the north tower?'],
    ['What is circuit switching characterized by?', 'What is circuit switching charecterized by?'],
    ['Wie hieß der erste Direktor des Museums?', 'Wer war der erste Direktor vom Museum?'],
    ['Quels sont les jours fériés en Alsace ?', 'Quels jours sont fériés en Alsace ?'],
    ['特斯拉是哪一年去世的？', '特斯拉哪一年去世?'],
  ])('%j is %j', (one, other) => {
    expect(isSame(one, other)).toBe(true);
    expect(isSame(other, one)).toBe(true);
  });
});

describe('another question', () => {
  test.each([
    ['What was the revenue in 2018?', 'What was the revenue in 2019?'],
    ['When was the office founded?', 'Who founded the office?'],
    ['Where did the emperor die?', 'How did the emperor die?'],
    ['Which goods may be shipped?', 'Which goods may not be shipped?'],
    ['What do I do before the inspection?', 'What do I do after the inspection?'],
    ['What was the change in sales in 2019?', 'What was the percentage change in sales in 2019?'],
    ['Was Black found later independently by Watt?', 'Was Watt found later independently by Black?'],
    ['Who cleans the kitchen of the Hamburg office?', 'Who cleans the kitchen of the Bremen office?'],
    ['How much is the interest income of the company?', 'How much is the interest expense of the company?'],
    ['Wer ist der Vorsitzende des Vereins?', 'Wer ist der stellvertretende Vorsitzende des Vereins?'],
    ['哪家公司同意终止与BSkyB的诉讼？', '哪家公司同意终止与Virgin Media的诉讼？'],
  ])('%j is not %j', (one, other) => expect(isSame(one, other)).toBe(false));
});

test('what has no words is only the same as itself', () => {
  expect(wordingOf('???').hash).toBe(wordingOf('?').hash);
  expect(isSame('???', 'Who waters the plants?')).toBe(false);
});

test('a text of any length is compared by its beginning', () => {
  const long = `What is in annex ${'word '.repeat(3000)}?`;
  expect(wordingOf(long).terms.length).toBeLessThan(200);
});
