import { expect, test } from 'vitest';
import { minLikeness } from '#server/features/analytics/same-question.ts';
import { likenessOfPairs, precisionAndRecall } from './same-question.ts';

const pairs = likenessOfPairs();

test.skipIf(pairs === null)(
  'questions counted as one ask for the same in 95 of 100 cases, and half of those that do are',
  () => {
    const { precision, recall } = precisionAndRecall(pairs ?? [], minLikeness);
    expect(precision).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.5);
  },
);
