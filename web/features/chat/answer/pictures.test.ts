import { expect, test } from 'vitest';
import { readSource } from '#web/features/chat/conversation/message.ts';
import { picturesOf } from './pictures.ts';

const quoted = (n: number, top: number, page = 1, documentId = 'results') =>
  readSource(
    {
      name: 'Results.pdf',
      quote: 'OTSL | 0.965 | 0.934',
      documentId,
      boxes: [{ page, box: [0.1, top, 0.9, top + 0.02] }],
    },
    n,
  );

test('quotes that stand close together on a page are shown once, with the first of them', () => {
  const sources = [quoted(1, 0.4), quoted(2, 0.42), quoted(3, 0.38), quoted(4, 0.9), quoted(5, 0.4, 2)];
  const pictures = picturesOf([...sources, quoted(6, 0.4, 1, 'others')]);
  expect([...pictures].map(([n, places]) => [n, places.map(({ box }) => box[1])])).toEqual([
    [1, [0.4, 0.42, 0.38]],
    [4, [0.9]],
    [5, [0.4]],
    [6, [0.4]],
  ]);
  expect(picturesOf([{ ...quoted(1, 0.4), name: 'Results.docx' }]).size).toBe(0);
});
