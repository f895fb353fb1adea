import { expect, test } from 'vitest';
import { inOrder, totalsOf } from './totals.ts';
import type { UploadItem } from './upload-item.ts';
import { words } from './words.ts';

let id = 0;
function item(name: string, state: UploadItem['state'], size: number, sent = 0): UploadItem {
  id++;
  return {
    id,
    file: new File(['x'.repeat(size)], name),
    name,
    choice: null,
    collection: null,
    state,
    sent,
    unchanged: false,
  };
}

test('what failed and what runs stands first, the rest as it was chosen', () => {
  const items = [
    item('a', 'done', 1),
    item('b', 'waiting', 1),
    item('c', 'sending', 1),
    item('d', 'failed', 1),
    item('e', 'waiting', 1),
  ];
  expect(inOrder(items).map(({ name }) => name)).toEqual(['d', 'c', 'b', 'e', 'a']);
});

test('how far all are, in one unit', () => {
  const items = [item('a', 'done', 3000, 3000), item('b', 'sending', 4000, 1000), item('c', 'failed', 2000)];
  const { done, failed, bytes } = totalsOf(items);
  expect({ done, failed, bytes }).toEqual({ done: 1, failed: 1, bytes: { sent: 4000, all: 9000 } });
  expect(words.progress({ done: 18, all: 30 }, { sent: 21_000_000, all: 34_000_000 })).toBe('18 of 30 · 21 of 34 MB');
  expect(words.progress({ done: 0, all: 2 }, { sent: 500, all: 34_000_000 })).toBe('0 of 2 · 500 bytes of 34 MB');
});
