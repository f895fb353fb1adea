import { expect, test } from 'vitest';
import { isUnsure } from './unsure.ts';

const boxes = [{ page: 1, box: [0.4, 0.46, 0.75, 0.48] as [number, number, number, number] }];
const row = (...heads: string[]) => ({ cells: heads.map((head) => ({ head, text: '1' })) });

test('is unsure of a row of a PDF whose columns have no names', () => {
  const source = { name: 'Results.pdf', quote: 'OTSL | 0.965 | 0.934', boxes };
  expect(isUnsure(source)).toBe(true);
  expect(isUnsure({ ...source, row: row('', 'Simple', '') })).toBe(true);
  expect(isUnsure({ ...source, row: row('', 'Simple', 'Complex') })).toBe(false);
  expect(isUnsure({ ...source, quote: 'OTSL is better in each.' })).toBe(false);
  expect(isUnsure({ ...source, name: 'Results.docx' })).toBe(false);
  expect(isUnsure({ ...source, boxes: [] })).toBe(false);
});
