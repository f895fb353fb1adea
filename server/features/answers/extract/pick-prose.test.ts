import { expect, test } from 'vitest';
import type { RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { pickProse } from './pick-prose.ts';
import { createRuns, quotedOf } from './runs.ts';
import { maxQuoteLength } from './unit.ts';
import type { Rated, UnitSignals } from './unit-signals.ts';
import { unitsOf } from './units.ts';

const silent = { words: 0.1, date: 0, amount: 0, person: 0, place: 0, reason: 0 } as UnitSignals;

/** The sentences of passages of one block each, with their scores. */
function ratedOf(...passages: [sentence: string, score: number][][]): Rated[] {
  return passages.flatMap((sentences, index) => {
    const passage = { documentId: `d${index}`, chunkId: `c${index}`, editions: [] as string[] } as RetrievedPassage;
    const text = sentences.map(([sentence]) => sentence).join(' ');
    const block = { index, kind: 'paragraph' as const, text, start: 0, page: null, cells: null, header: false };
    return unitsOf([block]).map((unit, i) => ({
      passage,
      unit,
      signals: silent,
      terms: new Set(unit.text.split(' ')),
      score: sentences[i]?.[1] ?? 0,
      gainOfName: 0,
    }));
  });
}

const question = { weights: new Map([['boat', 1]]) };
const shown = (rated: Rated[], best: Rated | undefined) =>
  (best ? pickProse(rated, best, question) : [])
    .filter(({ isSupporting }) => !isSupporting)
    .map(({ quoted }) => quoted.text);

test('a quote has the sentences beside the best one that are likely, as far as it has room', () => {
  const long = `Nobody knows ${'why and '.repeat(30)}how.`;
  const rated = ratedOf([
    ['The boat left the harbour at noon on Friday.', 0],
    ['It came back in the evening without any fish.', -3],
    [long, -1],
  ]);
  const run = createRuns(rated)(rated[0] as Rated, () => true);
  expect(quotedOf(run).text).toBe(
    'The boat left the harbour at noon on Friday. It came back in the evening without any fish.',
  );
  expect(quotedOf(run).text.length + long.length).toBeGreaterThan(maxQuoteLength);
  expect(createRuns(rated)(rated[0] as Rated, () => false).rated).toEqual([rated[0]]);
});

test('two sentences that are likely together come before a single one that is likelier than either', () => {
  const rated = ratedOf(
    [['The boat left the harbour at noon on Friday.', 0]],
    [['A ferry goes to the island every other day.', -2]],
    [
      ['Sailors meet in the small inn by the pier.', -2.2],
      ['They speak of storms and of the price of oil.', -2.3],
    ],
  );
  expect(shown(rated, rated[0])).toEqual([
    'The boat left the harbour at noon on Friday.',
    'Sailors meet in the small inn by the pier. They speak of storms and of the price of oil.',
    'A ferry goes to the island every other day.',
  ]);
});

test('no sentence is quoted twice, what says the same is left out, and a notice is not joined', () => {
  const rated = ratedOf(
    [
      ['The boat left the harbour at noon on Friday.', 0],
      ['No dogs.', -6.5],
    ],
    [['The boat left the harbour at noon on Friday.', -0.5]],
    [['A ferry goes to the island every other day.', -7]],
  );
  const notice = rated[1] as Rated;
  notice.signals = { ...silent, words: 0 };
  expect(shown(rated, rated[0])).toEqual(['The boat left the harbour at noon on Friday.']);
});
