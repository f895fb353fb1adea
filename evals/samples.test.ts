import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harness, openHarness } from './harness.ts';
import { askSamples } from './own-samples.ts';

/** A little below what `npm run evals -- answers` prints: one question more or less is no change of the method. */
const least = { answered: 0.92, refused: 0.84 };

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

test('our own documents answer the questions written for them, and refuse what they do not say', {
  timeout: 180_000,
}, async () => {
  const asked = await askSamples(harness);
  const wrong = asked.filter(({ isRight }) => !isRight).map(({ question }) => question.id);
  const share = (absent: boolean) => {
    const some = asked.filter(({ question }) => (question.kind === 'unanswerable') === absent);
    return some.filter(({ isRight }) => isRight).length / some.length;
  };
  expect(share(false), `not right: ${wrong.join(', ')}`).toBeGreaterThanOrEqual(least.answered);
  expect(share(true), `not right: ${wrong.join(', ')}`).toBeGreaterThanOrEqual(least.refused);
});
