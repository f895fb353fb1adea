import { expect, test } from '@playwright/test';
import { seenTexts, textPaths } from './texts.ts';

test('every text of the specification was seen on a screen', () => {
  const seen = seenTexts();
  expect(textPaths.filter((path) => !seen.includes(path))).toEqual([]);
});
