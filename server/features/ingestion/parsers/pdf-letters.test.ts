import { expect, test } from 'vitest';
import { withoutMarkup } from './pdf-letters.ts';

test.each([
  ['~~Struck words~~ stay **words** of the *page*', 'Struck words stay words of the page'],
  ['5 \\* 3, x\\_y and a\\\\b', '5 * 3, x_y and a\\b'],
  ['Schedule A ~~~~~~~~~~ 12', 'Schedule A ~~~~~~~~~~ 12'],
])('%s is shown as the page has it', (text, plain) => {
  expect(withoutMarkup(text)).toBe(plain);
});
